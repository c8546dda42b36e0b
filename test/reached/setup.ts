import { afterEach, beforeEach, vi } from 'vitest';
import { reached, reachedBy, testEnded } from './outcomes.ts';

/** Every request comes to `answerRequest`, by a socket or in this process: what it came to is kept in the test's `meta`. */
vi.mock('../../src/server/http/answer.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/server/http/answer.ts')>();
  return {
    ...original,
    async answerRequest(...[arrival, readBody, answering]: Parameters<typeof original.answerRequest>) {
      let operation = `${arrival.method} of no operation`;
      const onMatched = (id: string): void => {
        operation = id;
        arrival.onMatched?.(id);
      };
      const answer = await original.answerRequest({ ...arrival, onMatched }, readBody, answering);
      reached(operation, answer?.status ?? 0, answer?.body ?? '');
      return answer;
    },
  };
});
beforeEach(({ task }) => reachedBy(task.meta));
afterEach(() => testEnded());

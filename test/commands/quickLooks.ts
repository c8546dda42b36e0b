import { afterAll, beforeAll, vi } from 'vitest';

/** For the tests of a file: a command waits a twentieth of its time between two reads. */
export function useQuickLooks(): void {
  const wait = globalThis.setTimeout;
  beforeAll(() => {
    vi.stubGlobal('setTimeout', (work: () => void, ms = 0, ...args: []) => wait(work, ms / 20, ...args));
  });
  afterAll(() => void vi.unstubAllGlobals());
}

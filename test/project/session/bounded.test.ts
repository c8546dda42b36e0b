import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startBounds } from '../../../src/project/session/bounded.ts';

test('a process over its limit is ended once, however long that takes', async () => {
  const killed: string[] = [];
  let looks = 0;
  const life = startBounds((why) => killed.push(why), {
    checkIntervalMs: 1,
    checkLimits: async () => {
      looks += 1;
      return 'memory' as const;
    },
  });
  while (looks < 5) await sleep(1);
  await life.end();
  expect([killed, life.stopped()]).toEqual([['memory'], 'memory']);
});

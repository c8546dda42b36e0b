import { expect, test } from 'vitest';
import { besiege } from './siege.ts';

/** A sample of `npm run fleet`. */
test('killed workers leave every stack as declared, and no write out of order', async () => {
  const figures = await besiege({
    store: 'postgres',
    workers: 2,
    stacks: 8,
    kills: 2,
    killEveryMs: 1_000,
    restarts: 1,
    failing: 0.05,
    intervalMs: 2_000,
    settleMs: 120_000,
    tell: () => {},
  });
  expect(figures).toMatchObject({ kills: 2, restarts: 1, started: 4 });
});

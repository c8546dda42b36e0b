import { expect, test } from 'vitest';
import { isInFull } from '../harness/sampled.ts';
import { fuzz, writable } from './run.ts';

const requests = Number(process.env['GANTRY_FUZZ_REQUESTS'] ?? (isInFull ? 2_500 : 400));
const seed = process.env['GANTRY_FUZZ_SEED'] ?? 'gantry';

test(`no request makes the platform fail: ${requests} valid, changed and random ones on every route`, async () => {
  const report = await fuzz({ requests, seed });
  expect(report.faults).toEqual([]);
  expect(report.unhandled).toEqual([]);
  expect(report.requests).toBeGreaterThanOrEqual(requests);
  if (requests < 2_500) return; // too few to reach every operation, and to tell how often each succeeds
  expect([...report.counts].filter(([, { sent }]) => sent === 0).map(([id]) => id)).toEqual([]);

  const seldomDone = writable().flatMap(({ id }) => {
    const { valid, succeeded } = report.counts.get(id) ?? { valid: 0, succeeded: 0 };
    return valid > 0 && succeeded * 4 >= valid ? [] : [`${id}: ${succeeded} of ${valid}`];
  });
  expect(seldomDone).toEqual([]);

  const [early, late] = report.heap;
  expect(late - early).toBeLessThan(40);
}, 1_200_000);

import { expect, test } from 'vitest';
import { waits } from './waits.ts';

/**
 * `GANTRY_FUZZ_WAITS=20 npx vitest run test/fuzz/waits.test.ts`: the long form, so many rounds on 10,000 records.
 *
 * How the wait is measured, so that it means something on a machine with other work: the server runs in a process of
 * its own and reads, once in each turn of its event loop, how much CPU time its thread has had
 * (`process.threadCpuUsage`). The most between two turns is how long one request kept all others waiting; time in which
 * the machine ran something else is not in it. What is over the bound is sent again, alone, and its least counts.
 */
const rounds = Number(process.env['GANTRY_FUZZ_WAITS'] ?? 2);
const isLong = rounds > 2;
const seed = process.env['GANTRY_FUZZ_SEED'] ?? 'gantry';

test('no request near a limit or budget delays the others by more than 50 ms', async () => {
  const { requests, faults } = await waits({ seed, rounds, records: isLong ? 10_000 : 1_000, mostMs: 50 });
  expect(faults).toEqual([]);
  expect(requests).toBeGreaterThan(60);
}, 1_200_000);

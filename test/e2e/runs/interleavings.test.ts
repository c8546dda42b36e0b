import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import {
  type Ended,
  type Held,
  type Interleaving,
  interleave,
  interleavings,
  resultOf,
  wordsWanted,
} from './interleaving.ts';

/**
 * Two processes at the same time: a request of the first is held until the second has ended. `GANTRY_INTERLEAVINGS=all`
 * holds each of its requests in turn.
 */
const root = temporaryFolder('interleavings');
const platform = usePlatform();

/** Checks that one run succeeds and the other is stale, or both succeed, and that one more apply settles everything. */
function expectClean({ first, second, settled, left }: Ended, wanted: Interleaving): void {
  const told = [first, second, settled].map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(second.code, told).toBe(0); // it ran while the first was held
  expect([0, 4, 5], told).toContain(first.code);
  if (first.code !== 0) {
    const { codes, verified } = resultOf(first);
    // The first run must report that the second changed or deleted what it had written.
    const isOverwritten = verified === false;
    if (isOverwritten) expect(wanted.second, told).not.toEqual(wanted.first);
    expect(codes, told).toEqual(isOverwritten && codes.length === 0 ? [] : ['plan.stale']);
  }
  expect(settled.code, told).toBe(0);
  expect(left).toEqual(wordsWanted(wanted.second));
}

const all = process.env['GANTRY_INTERLEAVINGS'] === 'all';
let count = 0;

describe.concurrent.each(all ? [] : interleavings)('held before a write: $it', (wanted) => {
  test('one run is stale, or both succeed, and another apply settles the stack', async () => {
    count += 1;
    const ended = await interleave(root, `few${count}`, platform, wanted, { write: 2 });
    expect(ended.held).toBe(true);
    expectClean(ended, wanted);
  });
});

describe.each(all ? interleavings : [])('held before every request: $it', (wanted) => {
  test('one run is stale, or both succeed, and another apply settles the stack', { timeout: 1_200_000 }, async () => {
    const outcomes: string[] = [];
    for (let request = 1; ; request += 1) {
      count += 1;
      const at: Held = { request };
      const ended = await interleave(root, `all${count}`, platform, wanted, at);
      if (!ended.held) {
        expect(ended.first.code, ended.first.stdout + ended.first.stderr).toBe(0);
        break;
      }
      outcomes.push(`${request}: ${ended.first.code === 0 ? 'done' : 'stale'}`);
      expectClean(ended, wanted);
    }
    console.log(`${wanted.it}: ${outcomes.join(', ')}`);
    expect(outcomes.length).toBeGreaterThan(20);
  });
});

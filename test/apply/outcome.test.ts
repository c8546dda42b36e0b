import { expect, test } from 'vitest';
import { NotReadyError, StaleError } from '../../src/apply/applyErrors.ts';
import { type ApplyResult, outcomeOf, type RunOutcome, tallied } from '../../src/apply/events.ts';
import { ToolError } from '../../src/base/toolError.ts';

const good: ApplyResult = { done: ['gvc/a'], failed: [], skipped: [], requests: 4, verified: true, interrupted: false };
const error = new ToolError({ code: 'api.quota', message: 'no' });
const failed = { id: 'gvc/b', error };
const stale = { id: 'gvc/b', error: new StaleError('gvc/b', 'it is gone') };
const late = { id: 'workload/a/x', error: new NotReadyError('workload/a/x', 1000, 'it has no deployment yet') };
const skipped = { id: 'gvc/c', because: 'gvc/b failed' };

interface Case {
  readonly it: string;
  readonly result: Partial<ApplyResult>;
  readonly outcome: RunOutcome;
}

test.each<Case>(
  // biome-ignore format: a row is a case
  [
    { it: 'everything was done and verified', result: {}, outcome: 'done' },
    { it: 'there were no changes', result: { done: [] }, outcome: 'done' },
    { it: 'the verification found a difference', result: { verified: false }, outcome: 'partly' },
    { it: 'one failed after others were written', result: { failed: [failed] }, outcome: 'partly' },
    { it: 'one is stale after others were written', result: { failed: [stale] }, outcome: 'partly' },
    { it: 'one was written and not awaited', result: { skipped: [{ ...skipped, reached: 'written' }] },
      outcome: 'partly' },
    { it: 'only a second step failed', result: { done: [], failed: [{ ...failed, reached: 'written' }] },
      outcome: 'partly' },
    { it: 'a record was deleted and not created again',
      result: { done: [], failed: [{ ...failed, reached: 'deleted' }] }, outcome: 'partly' },
    { it: 'everything was written, and one record was not ready in time',
      result: { failed: [{ ...late, reached: 'written' }] },
      outcome: 'not-ready' },
    { it: 'there were no changes, and one record is not ready',
      result: { done: [], failed: [late] }, outcome: 'not-ready' },
    { it: 'one record was not ready, and its dependents were skipped',
      result: { failed: [{ ...late, reached: 'written' }], skipped: [skipped] }, outcome: 'partly' },
    { it: 'one record was not ready in time, and the verification found a difference',
      result: { failed: [{ ...late, reached: 'written' }], verified: false }, outcome: 'partly' },
    { it: 'one record was not ready in time, and another failed',
      result: { failed: [{ ...late, reached: 'written' }, failed] }, outcome: 'partly' },
    { it: 'one failed half done, another unchanged',
      result: { done: [], failed: [failed, { ...failed, reached: 'written' }] }, outcome: 'partly' },
    { it: 'no change could be tried', result: { done: [], skipped: [skipped] }, outcome: 'failed' },
    { it: 'all changes that were tried failed',
      result: { done: [], failed: [failed], skipped: [skipped] }, outcome: 'failed' },
    { it: 'all changes that were tried are stale',
      result: { done: [], failed: [stale], skipped: [skipped] }, outcome: 'stale' },
    { it: 'one is stale, and another failed', result: { done: [], failed: [stale, failed] }, outcome: 'failed' },
    { it: 'it was interrupted', result: { verified: undefined, interrupted: true }, outcome: 'interrupted' },
  ],
)('a run in which $it: $outcome', ({ result, outcome }) => {
  expect(outcomeOf({ ...good, ...result })).toBe(outcome);
});

test('each change counts once: as deleted before unfinished, and as unfinished before failed or skipped', () => {
  const result = {
    failed: [failed, { id: 'workload/a/x', error, reached: 'deleted' as const }],
    skipped: [skipped, { ...skipped, id: 'gvc/d', reached: 'written' as const }],
  };
  const ids = (of: readonly { readonly id: string }[]) => of.map(({ id }) => id);
  const { deleted, unfinished, ...untouched } = tallied(result);
  expect({ deleted: ids(deleted), unfinished: ids(unfinished) }).toEqual({
    deleted: ['workload/a/x'],
    unfinished: ['gvc/d'],
  });
  expect({ failed: ids(untouched.failed), skipped: ids(untouched.skipped) }).toEqual({
    failed: ['gvc/b'],
    skipped: ['gvc/c'],
  });
});

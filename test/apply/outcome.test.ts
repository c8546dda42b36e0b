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
    { it: 'all was done and verified', result: {}, outcome: 'done' },
    { it: 'nothing was to do', result: { done: [] }, outcome: 'done' },
    { it: 'verification found a difference', result: { verified: false }, outcome: 'partly' },
    { it: 'one failed after others were written', result: { failed: [failed] }, outcome: 'partly' },
    { it: 'one is stale after others were written', result: { failed: [stale] }, outcome: 'partly' },
    { it: 'one was written and not waited for', result: { skipped: [{ ...skipped, reached: 'written' }] },
      outcome: 'partly' },
    { it: 'nothing but a second step failed', result: { done: [], failed: [{ ...failed, reached: 'written' }] },
      outcome: 'partly' },
    { it: 'a record is gone and was not created again',
      result: { done: [], failed: [{ ...failed, reached: 'deleted' }] }, outcome: 'partly' },
    { it: 'all was written, and one thing was not ready in time', result: { failed: [{ ...late, reached: 'written' }] },
      outcome: 'not-ready' },
    { it: 'nothing was to do, and one thing is not ready', result: { done: [], failed: [late] }, outcome: 'not-ready' },
    { it: 'one thing was not ready, and what depends on it was skipped',
      result: { failed: [{ ...late, reached: 'written' }], skipped: [skipped] }, outcome: 'partly' },
    { it: 'one thing was not ready in time, and the verification found a difference',
      result: { failed: [{ ...late, reached: 'written' }], verified: false }, outcome: 'partly' },
    { it: 'one thing was not ready in time, and another failed',
      result: { failed: [{ ...late, reached: 'written' }, failed] }, outcome: 'partly' },
    { it: 'one failed half done, another untouched',
      result: { done: [], failed: [failed, { ...failed, reached: 'written' }] }, outcome: 'partly' },
    { it: 'nothing could be tried', result: { done: [], skipped: [skipped] }, outcome: 'failed' },
    { it: 'all that was tried failed', result: { done: [], failed: [failed], skipped: [skipped] }, outcome: 'failed' },
    { it: 'all that was tried is stale', result: { done: [], failed: [stale], skipped: [skipped] }, outcome: 'stale' },
    { it: 'one is stale, and another failed', result: { done: [], failed: [stale, failed] }, outcome: 'failed' },
    { it: 'it was interrupted', result: { verified: undefined, interrupted: true }, outcome: 'interrupted' },
  ],
)('of a run where $it: $outcome', ({ result, outcome }) => {
  expect(outcomeOf({ ...good, ...result })).toBe(outcome);
});

test('each change counts once: what is gone before what is unfinished, and that before what failed or was skipped', () => {
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

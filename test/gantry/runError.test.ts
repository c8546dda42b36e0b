import { expect, test } from 'vitest';
import type { ApplyResult } from '../../src/apply/events.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { runError } from '../../src/gantry/applying/runResult.ts';

const failed = (code: string) => ({ id: 'group/a' as const, error: new ToolError({ code, message: 'no' }) });
const done = 'group/b' as const;
const [again, correct] = [
  'Run the same command again to continue.',
  'Correct what failed, then run the same command again.',
];

// biome-ignore format: a row is a case
test.each<[string, Partial<ApplyResult>, string | undefined, string?, string?]>([
  ['all changes are done', { done: [done] }, undefined],
  ['all changes failed', { failed: [failed('api.invalid')] }, 'apply.failed', correct,
    'not finished: 1 failed'],
  ['no request reached the platform', { failed: [failed('api.unavailable')] }, 'api.unavailable', again,
    'not finished: 1 failed'],
  ['one of two changes could not reach the platform', { failed: [failed('api.unavailable'), failed('api.invalid')] },
    'apply.failed', correct, 'not finished: 2 failed'],
  ['one change is done and one failed', { done: [done], failed: [failed('api.invalid')] }, 'apply.partly', correct,
    'not finished: 1 done, 1 failed'],
  ['all changes are done, but not as planned', { done: [done], verified: false }, 'apply.partly', again,
    'not finished: 1 done, the verification failed'],
  ['the plan was made for another version', { failed: [failed('plan.stale')] }, 'plan.stale',
    'Plan again, review what differs, and apply the new plan.', 'not finished: 1 failed'],
  ['the run was interrupted', { done: [done], interrupted: true }, 'apply.interrupted', again, 'interrupted: 1 done'],
])('%s', (_, parts, code, hint, message) => {
  const none = { done: [], failed: [], skipped: [], requests: 0, verified: true, interrupted: false };
  const error = runError({ ...none, ...parts });
  expect([error?.code, error?.hint, error?.message]).toEqual([code, hint, message]);
});

import { expect, test } from 'vitest';
import type { ApplyResult } from '../../../src/apply/events.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import { verifyFull } from '../../../src/gantry/applying/verifyFull.ts';
import type { Change } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { change, plan } from '../../apply/harness/plans.ts';

const good: ApplyResult = { done: ['gvc/a'], failed: [], skipped: [], requests: 4, verified: true, interrupted: false };
const instantly = () => Promise.resolve();

function planning(...rounds: readonly (readonly Change[])[]): () => Promise<Plan> {
  const left = [...rounds];
  const last = rounds.at(-1) ?? [];
  return () => Promise.resolve({ ...plan(...(left.shift() ?? last)), requests: { snapshot: 7, apply: 0 } });
}

const open = change('gvc/a', { action: 'patch', fields: [{ path: 'description', old: 'x', new: 'y' }] });
const kept = change('gvc/b', { action: 'keep' });

test('an empty plan verifies, and its requests are counted', async () => {
  expect(await verifyFull(good, planning([kept]), instantly)).toEqual({ ...good, requests: 11, verification: 'full' });
});

test('a plan that is not empty is repeated in case of old answers, and then its differences are listed', async () => {
  expect(await verifyFull(good, planning([open], [kept]), instantly)).toMatchObject({ verified: true, requests: 18 });
  expect(await verifyFull(good, planning([open, kept]), instantly)).toEqual({
    ...good,
    requests: 4 + 4 * 7,
    verification: 'full',
    verified: false,
    differences: ['gvc/a would still be changed: description'],
  });
});

test('an unreadable platform does not verify; the result of a failed run is unchanged', async () => {
  const refuse = () => Promise.reject(new ToolError({ code: 'api.unavailable', message: 'nobody answers' }));
  expect(await verifyFull(good, refuse, instantly)).toMatchObject({
    verified: false,
    verification: 'full',
    differences: ['it could not be planned again: nobody answers'],
  });
  const failed: ApplyResult = { ...good, interrupted: true };
  expect(await verifyFull(failed, refuse, instantly)).toBe(failed);
});

import { expect, test } from 'vitest';
import type { ApplyResult } from '../../src/apply/events.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { resultToJson } from '../../src/gantry/applying/runResult.ts';

const verified: ApplyResult = {
  done: ['gvc/shop'],
  failed: [],
  skipped: [],
  requests: 3,
  interrupted: false,
  verified: true,
  compared: { written: 1, unchanged: 0, deleted: 0, released: 0, rewritten: [], notCompared: [] },
};
const error = new ToolError({ code: 'api.forbidden', message: 'no' });
const failed: ApplyResult['failed'] = [{ id: 'gvc/bank', error }];
const skipped: ApplyResult['skipped'] = [{ id: 'gvc/bank', because: 'it failed' }];

test.each([
  { run: 'that is done as planned', of: {}, is: true },
  { run: 'with failed changes', of: { failed }, is: null },
  { run: 'with skipped changes', of: { skipped }, is: null },
  { run: 'that differs from its plan', of: { failed, verified: false }, is: false },
  { run: 'that was interrupted', of: { verified: undefined, interrupted: true }, is: null },
])('verified is $is for a run $run, and compared has the verified records', ({ of, is }) => {
  const run = { result: { ...verified, ...of }, startedMs: 0, elapsedMs: 1, epochMs: 0 };
  expect(resultToJson(run)).toMatchObject({ verified: is, compared: { written: 1 } });
});

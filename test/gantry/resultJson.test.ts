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
  { run: 'of which all is done and as planned', of: {}, is: true },
  { run: 'of which a part failed', of: { failed }, is: null },
  { run: 'of which a part was skipped', of: { skipped }, is: null },
  { run: 'after which something differs', of: { failed, verified: false }, is: false },
  { run: 'that was interrupted', of: { verified: undefined, interrupted: true }, is: null },
])('verified: a run $run says $is, and what was found as planned', ({ of, is }) => {
  const run = { result: { ...verified, ...of }, startedMs: 0, elapsedMs: 1, epochMs: 0 };
  expect(resultToJson(run)).toMatchObject({ verified: is, compared: { written: 1 } });
});

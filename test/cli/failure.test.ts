import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/cli/output/makeReport.ts';
import { exitCode } from '../../src/terminal/exitCode.ts';
import { failureOf } from '../../src/terminal/failure.ts';

const nothing = { plans: [], drifts: [] };

test.each([
  [exitCode.ok, undefined, 'valid'],
  [exitCode.changes, undefined, 'valid'],
  [exitCode.failed, 'failed', 'failed'],
  [exitCode.usage, 'failed', 'failed'],
  [exitCode.refused, 'refused', 'refused'],
  [exitCode.stale, 'stale', 'stale'],
  [exitCode.partly, 'partly', 'partly'],
  [exitCode.unreachable, 'unreachable', 'failed'],
  [exitCode.interrupted, 'interrupted', 'interrupted'],
] as const)('exit code %i is %s for notifications, and %s for reports', (code, failure, outcome) => {
  expect(failureOf(code)).toBe(failure);
  expect(outcomeOf(nothing, code)).toBe(outcome);
});

import { type ApplyResult, outcomeOf, tallied } from '../../apply/events.ts';
import { ToolError } from '../../base/toolError.ts';
import { unreachableCodes } from '../../base/unreachable.ts';

const runAgain = 'Run the same command again to continue.';
export const correct = 'Correct what failed, then run the same command again.';

/** The error that a run ends with; undefined: everything that was planned is done. */
export function runError(result: ApplyResult): ToolError | undefined {
  const named = codeAndHint(result);
  if (named === undefined) return undefined;
  const causes = result.failed.map(({ id, error: { code, message, hint } }) => ({ code, message, hint, resource: id }));
  return new ToolError({ ...named, message: messageOf(result), causes });
}

function messageOf(result: ApplyResult): string {
  const { deleted, unfinished, failed, skipped } = tallied(result);
  const counts: readonly (readonly [string, number])[] = [
    ['deleted, not created again', deleted.length],
    ['done', result.done.length],
    ['written but not finished', unfinished.length],
    ['failed', failed.length],
    ['skipped', skipped.length],
  ];
  const parts = counts.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  const unverified = result.verified === false ? ['the verification failed'] : [];
  return `${result.interrupted ? 'interrupted' : 'not finished'}: ${[...parts, ...unverified].join(', ')}`;
}

function codeAndHint(result: ApplyResult): { readonly code: string; readonly hint: string } | undefined {
  switch (outcomeOf(result)) {
    case 'done':
      return undefined;
    case 'interrupted':
      return { code: 'apply.interrupted', hint: runAgain };
    case 'partly':
      return { code: 'apply.partly', hint: result.failed.length === 0 ? runAgain : correct };
    case 'not-ready':
      return {
        code: 'apply.not-ready',
        hint: 'It may still become ready. Run the same command again to continue waiting.',
      };
    case 'stale':
      return { code: 'plan.stale', hint: 'Plan again, review what differs, and apply the new plan.' };
    case 'failed': {
      const away = result.failed.find(({ error }) => unreachableCodes.has(error.code));
      const all = result.failed.every(({ error }) => unreachableCodes.has(error.code));
      return all && away !== undefined
        ? { code: away.error.code, hint: runAgain }
        : { code: 'apply.failed', hint: correct };
    }
  }
}

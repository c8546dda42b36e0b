import { type ApplyResult, outcomeOf, tallied } from '../../apply/events.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { unreachableCodes } from '../../base/unreachable.ts';
import { type Result, resultForm } from '../../change/documents/resultDocument.ts';

/** A run with the times of the clock that it was measured with. */
export interface Run {
  readonly result: ApplyResult;
  readonly startedMs: number;
  readonly elapsedMs: number;
  /**
   * Time of that clock's zero, in ms since 1970, taken before the run because the machine's time may jump during it.
   */
  readonly epochMs: number;
}

function isPartial({ failed, skipped }: ApplyResult): boolean {
  return failed.length + skipped.length > 0;
}

/** The outcome of a run as a document. */
export function resultToJson(run: Run): JsonObject {
  return resultForm.write(resultOf(run));
}

/** The outcome of a run, the source of all its presentations. */
export function resultOf({ result, startedMs, elapsedMs, epochMs }: Run): Result {
  const isoTime = (ms: number): string => new Date(epochMs + ms).toISOString();
  const { changes: runs, ...others } = result;
  const changes = runs?.map(({ startedMs: begunMs, elapsedMs: tookMs, reached, ...change }) => ({
    ...change,
    ...present({
      reached,
      startedAt: begunMs === undefined ? undefined : isoTime(begunMs),
      elapsedMs: tookMs === undefined ? undefined : Math.round(tookMs),
    }),
  }));
  return {
    ...others,
    outcome: outcomeOf(result),
    startedAt: isoTime(startedMs),
    elapsedMs: Math.round(elapsedMs),
    failed: result.failed.map(({ id, error: { code, message, hint }, reached }) => {
      return { id, code, message, ...present({ hint, reached }) };
    }),
    // An incomplete run is not verified, whatever was found for the rest.
    verified: result.verified === true && isPartial(result) ? null : (result.verified ?? null),
    verification: result.verification ?? 'written',
    ...present({ changes }),
  };
}

const runAgain = 'Run the same command again to continue.';
export const correct = 'Correct what failed, then run the same command again.';

/** The error that a run ends with; undefined if the whole plan is done. */
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

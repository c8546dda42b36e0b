import { type ApplyResult, outcomeOf } from '../../apply/events.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { type Result, resultForm } from '../../change/documents/resultDocument.ts';

/** A run with the times of the clock that it was measured with. */
export interface Run {
  readonly result: ApplyResult;
  readonly startedMs: number;
  readonly elapsedMs: number;
  /** When that clock was at 0, in ms since 1970, taken before the run: the time of the machine may jump during it. */
  readonly epochMs: number;
}

function isPartial({ failed, skipped }: ApplyResult): boolean {
  return failed.length + skipped.length > 0;
}

/** The outcome of a run, for programs. */
export function resultToJson(run: Run): JsonObject {
  return resultForm.write(resultOf(run));
}

/** The same, as all that is told of it is made from. */
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
    // A run of which a part is missing is not verified, whatever was found of the rest.
    verified: result.verified === true && isPartial(result) ? null : (result.verified ?? null),
    verification: result.verification ?? 'written',
    ...present({ changes }),
  };
}

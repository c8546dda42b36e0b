import type { ApplyResult, ChangeRun } from '../../apply/report/events.ts';
import { outcomeOf } from '../../apply/report/outcome.ts';
import type { JsonObject } from '../../schema/json/json.ts';

/** A run with the times of the clock that it was measured with. */
export interface TimedResult {
  readonly result: ApplyResult;
  readonly startedMs: number;
  readonly elapsedMs: number;
}

/**
 * What became of a run, for programs (`result` in `planDocument.ts`). `epochMs`: when that clock was at 0, in ms since
 * 1970.
 */
export function resultToJson({ result, startedMs, elapsedMs }: TimedResult, epochMs: number): JsonObject {
  return {
    outcome: outcomeOf(result),
    startedAt: isoTime(epochMs + startedMs),
    elapsedMs: Math.round(elapsedMs),
    done: result.done,
    ...(result.ready === undefined ? {} : { ready: result.ready }),
    failed: result.failed.map(({ id, error: { code, message, hint }, reached }) => ({
      id,
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(reached === undefined ? {} : { reached }),
    })),
    skipped: result.skipped.map(({ id, because, reached }) => ({
      id,
      because,
      ...(reached === undefined ? {} : { reached }),
    })),
    ...(result.changes === undefined ? {} : { changes: result.changes.map((change) => changeToJson(change, epochMs)) }),
    requests: result.requests,
    verified: result.verified ?? null,
    verification: result.verification ?? 'written',
    ...(result.differences === undefined ? {} : { differences: result.differences }),
    interrupted: result.interrupted,
    ...(result.races === undefined ? {} : { races: result.races.map((race) => ({ ...race })) }),
    ...(result.notes === undefined ? {} : { notes: result.notes }),
  };
}

function changeToJson(
  { id, outcome, reached, version, endpoints, startedMs, elapsedMs }: ChangeRun,
  epochMs: number,
): JsonObject {
  return {
    id,
    outcome,
    ...(reached === undefined ? {} : { reached }),
    ...(version === undefined ? {} : { version }),
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(startedMs === undefined ? {} : { startedAt: isoTime(epochMs + startedMs) }),
    ...(elapsedMs === undefined ? {} : { elapsedMs: Math.round(elapsedMs) }),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

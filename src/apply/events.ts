import type { ToolError } from '../base/toolError.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { Unwritten } from './port.ts';
import type { SettledRace } from './races.ts';

/** The progress of one change, as it happens. */
export type ApplyEvent =
  | { readonly type: 'started'; readonly id: ResourceId; readonly step: 'create' | 'patch' | 'then' | 'delete' }
  | { readonly type: 'waiting'; readonly id: ResourceId; readonly for: string }
  | { readonly type: 'retrying'; readonly id: ResourceId; readonly because: string; readonly delayMs: number }
  | ({
      readonly type: 'done';
      readonly id: ResourceId;
      readonly version: number | undefined;
      readonly elapsedMs: number;
    } & Unwritten)
  | ({ readonly type: 'failed' } & Failed)
  | ({ readonly type: 'skipped' } & Skipped);

/** A change that was not carried out, or not completely. */
export interface Unfinished {
  readonly id: ResourceId;
  /**
   * How far the change came; absent if its record is untouched. `written`: a later step is missing (the wait until it
   * is ready, or the second PATCH). `deleted`: it was to be replaced, and was deleted but not created again.
   */
  readonly reached?: 'written' | 'deleted';
}

export interface Failed extends Unfinished {
  readonly error: ToolError;
}

export interface Skipped extends Unfinished {
  readonly because: string;
}

/** One change of a run. Times are those of the run's clock, in milliseconds. */
export interface ChangeRun extends Unwritten {
  readonly id: ResourceId;
  readonly outcome: 'done' | 'ready' | 'failed' | 'skipped';
  /** How far a failed or skipped change came. */
  readonly reached?: Unfinished['reached'];
  /** Absent if no step was started. */
  readonly startedMs?: number;
  readonly elapsedMs?: number;
  /** The version that this run wrote, or found unchanged. */
  readonly version?: number;
  readonly endpoints?: readonly string[];
}

/** Records that the verification compared and found as they should be. */
export interface Compared {
  /** Records that the run wrote. */
  readonly written: number;
  /** Declared records that the run did not have to write. */
  readonly unchanged: number;
  /** Records that were deleted and no longer exist. */
  readonly deleted: number;
  /** Records that were released, and are no longer owned. */
  readonly released: number;
  /** Those of the records that another client wrote since, and that are still as declared. */
  readonly rewritten: readonly ResourceId[];
  /** Those at a newer version since whose declaration the saved plan does not contain. */
  readonly notCompared: readonly ResourceId[];
}

export interface ApplyResult {
  readonly done: readonly ResourceId[];
  /** Unchanged resources that were waited for and are ready; absent if there were none. */
  readonly ready?: readonly ResourceId[];
  readonly failed: readonly Failed[];
  readonly skipped: readonly Skipped[];
  readonly requests: number;
  /** Undefined if the run was interrupted before the verification. */
  readonly verified: boolean | undefined;
  /** Absent if the records were compared by their versions. `full`: everything was planned again. */
  readonly verification?: 'full';
  /** Absent if nothing was written, or `verified` is not true. */
  readonly compared?: Compared;
  /** Values that are no longer declared and stay because another client may have set them; absent if there are none. */
  readonly inDoubt?: number;
  readonly interrupted: boolean;
  /** Differences from the plan that the verification found; present exactly if `verified` is false. */
  readonly differences?: readonly string[];
  /** Records that another client wrote between the plan and our own write, by id; absent if there were none. */
  readonly races?: readonly SettledRace[];
  /** Every resource of the run, in the order in which they ended; absent if there were none. */
  readonly changes?: readonly ChangeRun[];
  /** Notes for the user about the run; absent if there are none. */
  readonly notes?: readonly string[];
}

export type RunOutcome =
  /** Everything that was planned was done, and no verification found a difference. */
  | 'done'
  /** Something was written or deleted, but something remains to be done or differs from what was written. */
  | 'partly'
  /** Everything was written, but a written or unchanged resource was not ready in time. */
  | 'not-ready'
  /** Nothing was written, because something failed. */
  | 'failed'
  /** Nothing was written, because the live state has changed since the plan was made. */
  | 'stale'
  /** The user interrupted it. */
  | 'interrupted';

/** The outcome of a run: the summary, the exit code and the documents all use this function. */
export function outcomeOf(result: ApplyResult): RunOutcome {
  const { failed, skipped, verified, interrupted } = result;
  if (interrupted) return 'interrupted';
  const unfinished = [...failed, ...skipped];
  if (unfinished.length === 0) return verified === false ? 'partly' : 'done';
  if (skipped.length === 0 && verified !== false && failed.every(isLate)) return 'not-ready';
  if (wroteSome(result)) return 'partly';
  return failed.length > 0 && failed.every(({ error }) => error.code === 'plan.stale') ? 'stale' : 'failed';
}

/** Whether something was written or deleted. */
export function wroteSome({ done, failed, skipped }: ApplyResult): boolean {
  return done.length > 0 || [...failed, ...skipped].some(hasWritten);
}

/** The changes of a run, each in one class: a deleted record takes precedence over all other classes. */
export interface Tallied {
  /** Replaced resources whose record was deleted but not created again. */
  readonly deleted: readonly Unfinished[];
  /** Resources that were written, or deleted without being created again, but not finished. */
  readonly unfinished: readonly Unfinished[];
  /** Resources of which nothing was written. */
  readonly failed: ApplyResult['failed'];
  readonly skipped: ApplyResult['skipped'];
}

export function tallied({ failed, skipped }: Pick<ApplyResult, 'failed' | 'skipped'>): Tallied {
  const open: readonly Unfinished[] = [...failed, ...skipped];
  return {
    deleted: open.filter(({ reached }) => reached === 'deleted'),
    unfinished: open.filter(({ reached }) => reached === 'written'),
    failed: failed.filter((each) => !hasWritten(each)),
    skipped: skipped.filter((each) => !hasWritten(each)),
  };
}

function isLate({ error }: Failed): boolean {
  return error.code === 'apply.not-ready';
}

function hasWritten({ reached }: Unfinished): boolean {
  return reached !== undefined;
}

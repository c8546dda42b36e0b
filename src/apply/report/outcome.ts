import type { ApplyResult, Failed, Unfinished } from './events.ts';

export type RunOutcome =
  /** Everything that was planned was done, and is there. */
  | 'done'
  /** Something was written or deleted, but something remains to be done or differs from what was written. */
  | 'partly'
  /** Everything was written, and something of it, or unchanged, was not ready in time. */
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

/** Was something written or deleted? */
export function wroteSome({ done, failed, skipped }: ApplyResult): boolean {
  return done.length > 0 || [...failed, ...skipped].some(hasWritten);
}

/** The changes of a run, each in one class: a record that is gone counts before everything else. */
export interface Tallied {
  /** Replaced resources whose record was deleted but not created again. */
  readonly deleted: readonly Unfinished[];
  /** Resources that were written, or deleted without being re-created, but not finished. */
  readonly unfinished: readonly Unfinished[];
  /** Nothing of them was written. */
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

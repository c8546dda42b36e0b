/** A change of a record of a stack, from the audit trail of the platform. */
export interface AuditedWrite {
  readonly stack: string;
  readonly record: string;
  /** The account of the worker: each process has its own. */
  readonly worker: string;
  readonly atMs: number;
  /** The description of the record after the change; undefined if it was deleted. */
  readonly text: string | undefined;
}

/** A run, as stored. */
export interface FencedRun {
  readonly stack: string;
  readonly worker: string;
  readonly fence: number;
  readonly startMs: number;
}

/** A write with the number of the lease under which it was sent. */
interface FencedWrite extends AuditedWrite {
  readonly fence: number;
}

/**
 * Evidence against the rule that one worker at a time has a stack. `writes`: in the order in which the platform carried
 * them out. A write belongs to the last begun run of its worker.
 */
export function disorderOf(writes: readonly AuditedWrite[], runs: readonly FencedRun[]): readonly string[] {
  const found: string[] = [];
  const last = new Map<string, FencedWrite>();
  const runsOf = Map.groupBy(runs, ({ stack, worker }) => `${stack} ${worker}`);
  for (const write of writes) {
    const begun = (runsOf.get(`${write.stack} ${write.worker}`) ?? []).filter(({ startMs }) => startMs <= write.atMs);
    if (begun.length === 0) {
      found.push(`${textOf(write)}: ${write.worker} had no run of ${write.stack}`);
      continue;
    }
    const fence = Math.max(...begun.map((run) => run.fence));
    const before = last.get(write.stack);
    if (before !== undefined && before.fence > fence)
      found.push(`${textOf(write)} under ${fence}, after ${textOf(before)} under ${before.fence}`);
    else last.set(write.stack, { ...write, fence });
  }
  for (const [stack, group] of Map.groupBy(runs, (run) => run.stack)) {
    const fences = group.map(({ fence }) => fence);
    if (new Set(fences).size !== fences.length) found.push(`${stack}: two runs have the same number`);
  }
  return found;
}

/** An approval: a text of a record may be written from this time on. */
export interface ApprovedText {
  readonly stack: string;
  readonly text: string;
  readonly atMs: number;
}

/** Writes to proposed stacks whose text was not approved. */
export function unapprovedOf(writes: readonly AuditedWrite[], approved: readonly ApprovedText[]): readonly string[] {
  // The same text may be approved twice: another client overwrote it, or the first answer was lost.
  const since = new Map(approved.toReversed().map(({ stack, text, atMs }) => [`${stack} ${text}`, atMs]));
  return writes
    .filter(({ stack, text, atMs }) => (since.get(`${stack} ${text ?? ''}`) ?? Number.POSITIVE_INFINITY) > atMs)
    .map((write) => `${textOf(write)}: nobody had approved it`);
}

function textOf({ record, worker, atMs, text }: AuditedWrite): string {
  return `${new Date(atMs).toISOString()} ${record} = ${text ?? '(deleted)'} by ${worker}`;
}

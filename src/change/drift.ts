import type { Writer } from '../manifest/live/writer.ts';
import type { AccessChange, FieldChange } from '../plan/model/change.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The states of a resource since this stack last wrote it. */
export const driftStates = [
  /** Unchanged since the last write of this stack. */
  'untouched',
  /** Somebody else wrote it. */
  'touched',
  /** Somebody else wrote it, and an apply would undo nothing of that. */
  'left-alone',
  /** Its version has risen, on a platform whose versions do not tell that somebody wrote; an apply would change nothing. */
  'risen',
  /** Somebody deleted it and made another one of the same name, with our tags. */
  'recreated',
  /** It carries our owner tag, but no `gantry/applied`: somebody took that away, or made it so. */
  'unrecorded',
  /** It carries our owner tag, but the record was written for another resource: somebody cloned it. */
  'copy',
  /** Somebody erased the owner. */
  'owner-lost',
  /** Another stack owns it by now. */
  'other-owner',
  /** A replacement of this stack deleted it, and has not created it again. */
  'unfinished',
  /** Somebody deleted it. */
  'deleted',
  /** This token cannot view it, so its state is not known. */
  'hidden',
] as const;

export type DriftState = (typeof driftStates)[number];

/** The finding about one resource. */
export interface DriftRecord {
  readonly id: ResourceId;
  readonly state: DriftState;
  /** This stack owns only a part of it, which the finding is about. */
  readonly part: boolean;
  /** Owned by this stack, but no longer declared. Absent if it is not known what is declared. */
  readonly orphaned: boolean;
  /** That it has now; absent where it is gone. */
  readonly version?: number;
  /** That this stack's last write produced. */
  readonly recordedVersion?: number;
  /** Of `other-owner`: the stack. */
  readonly owner?: string;
  /** Later writes, newest first. Null: the audit trail does not have all of them. Empty: not read. */
  readonly writes: readonly DriftWrite[] | null;
  /** The present differences, all writes together, without `leftAlone`. Null: unknown. */
  readonly fields: readonly FieldChange[] | null;
  /** The present differences that no apply would undo; absent where that is not known. */
  readonly leftAlone?: readonly FieldChange[];
  /** Who has gained and who has lost what; absent where nobody has, or where that is not known. */
  readonly access?: readonly AccessChange[];
  /** Secret values may have changed: the audit trail does not contain them. */
  readonly secretsUnknown: boolean;
}

export interface DriftWrite {
  readonly action: 'create' | 'edit' | 'delete';
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
  readonly by: Writer;
  /** The fields that this write changed. */
  readonly fields: readonly FieldChange[];
}

export interface Drift {
  readonly org: string;
  readonly stack: string;
  /** False: no manifests were read, so it is not known what is orphaned or was deleted. */
  readonly declarationsKnown: boolean;
  /** Ordered by id. */
  readonly records: readonly DriftRecord[];
  readonly requests: number;
}

export function isDrifted({ state, orphaned }: Pick<DriftRecord, 'state' | 'orphaned'>): boolean {
  return orphaned || (state !== 'untouched' && state !== 'left-alone' && state !== 'risen');
}

export function hasDrift({ records }: Drift): boolean {
  return records.some(isDrifted);
}

import type { Writer } from '../manifest/live/writer.ts';
import type { AccessChange, FieldChange } from '../plan/model/change.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The states of a resource since this stack last wrote it. */
export const driftStates = [
  /** Unchanged since the last write of this stack. */
  'untouched',
  /** Another client wrote it. */
  'touched',
  /** Another client wrote it, and an apply would undo nothing of that. */
  'left-alone',
  /** Its version has risen on a platform whose versions do not show writes; an apply would change nothing. */
  'risen',
  /** It was deleted, and another record with the same name and our tags was created. */
  'recreated',
  /** It carries our owner tag but no `gantry/applied`: the tag was removed, or the record was created like this. */
  'unrecorded',
  /** It carries our owner tag, but its record was written for another resource: it is a clone. */
  'copy',
  /** The owner tag was removed. */
  'owner-lost',
  /** Another stack owns it now. */
  'other-owner',
  /** A replacement of this stack deleted it and has not created it again. */
  'unfinished',
  /** It was deleted by another client. */
  'deleted',
  /** This token cannot view it, so its state is not known. */
  'hidden',
] as const;

export type DriftState = (typeof driftStates)[number];

/** The finding about one resource. */
export interface DriftRecord {
  readonly id: ResourceId;
  readonly state: DriftState;
  /** Whether this stack owns only a part of it, which the finding is about. */
  readonly part: boolean;
  /** Whether this stack owns it but no longer declares it. False if the declarations are not known. */
  readonly orphaned: boolean;
  /** The live version; absent if deleted. */
  readonly version?: number;
  /** The version that this stack's last write produced. */
  readonly recordedVersion?: number;
  /** For `other-owner`: that stack. */
  readonly owner?: string;
  /** Later writes, newest first. Null: the audit trail is incomplete. Empty: not read. */
  readonly writes: readonly DriftWrite[] | null;
  /** The present differences of all writes together, without `leftAlone`. Null: unknown. */
  readonly fields: readonly FieldChange[] | null;
  /** The present differences that no apply would undo; absent if not known. */
  readonly leftAlone?: readonly FieldChange[];
  /** Who gained and who lost which access; absent if nobody did, or if not known. */
  readonly access?: readonly AccessChange[];
  /** Whether secret values may have changed: the audit trail does not contain them. */
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
  /** Whether manifests were read; otherwise it is not known what is orphaned or was deleted. */
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

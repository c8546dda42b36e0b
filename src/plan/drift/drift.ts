import type { Writer } from '../../manifest/live/writer.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { FieldChange } from '../model/fieldChange.ts';

/** What became of a resource since this stack last wrote it. */
export const driftStates = [
  /** As this stack left it. */
  'untouched',
  /** Somebody else wrote it. */
  'touched',
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
  /** This token may not view it, so nobody knows what became of it. */
  'hidden',
] as const;

export type DriftState = (typeof driftStates)[number];

/** What is to be said of one resource. */
export interface DriftRecord {
  readonly id: ResourceId;
  readonly state: DriftState;
  /** This stack owns a part of it only: what is said is about that part. */
  readonly part: boolean;
  /** Owned by this stack, and no longer declared. Absent where nobody knows what is declared. */
  readonly orphaned: boolean;
  /** That it has now; absent where it is gone. */
  readonly version?: number;
  /** That this stack's last write produced. */
  readonly recordedVersion?: number;
  /** Of `other-owner`: the stack. */
  readonly owner?: string;
  /** The writes since then, newest first. Null: the audit trail does not tell all of them. Empty where nobody asked. */
  readonly writes: readonly DriftWrite[] | null;
  /** What is different now, all writes together. Null: unknown. */
  readonly fields: readonly FieldChange[] | null;
  /** Values of secrets may have changed: the trail does not hold any. */
  readonly secretsUnknown: boolean;
}

export interface DriftWrite {
  readonly action: 'create' | 'edit' | 'delete';
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
  readonly by: Writer;
  /** What this write changed. */
  readonly fields: readonly FieldChange[];
}

export interface Drift {
  readonly org: string;
  readonly stack: string;
  /** False: no manifests were read, so nobody can say what is orphaned or was deleted. */
  readonly declarationsKnown: boolean;
  /** Ordered by id. */
  readonly records: readonly DriftRecord[];
  readonly requests: number;
}

export function isDrifted({ state, orphaned }: Pick<DriftRecord, 'state' | 'orphaned'>): boolean {
  return orphaned || state !== 'untouched';
}

export function hasDrift({ records }: Drift): boolean {
  return records.some(isDrifted);
}

import type { JsonObject } from '../../base/json/json.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** One successful write of a record, from the audit trail (platform/audit.trail). */
export interface WriteEvent {
  /** The version of the record after the write. */
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
  readonly action: 'create' | 'edit' | 'delete' | 'exec';
  readonly writer: Writer;
  /** The record after the write, without secrets. */
  readonly record: JsonObject;
}

export interface Writer {
  /** An e-mail address, or the name of a service account or workload. */
  readonly name: string;
  /** `user`, `serviceaccount`, ... */
  readonly type: string;
}

/** The writer, and the version that the write produced. */
export interface WrittenBy extends Writer {
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
}

/** The writes of one record, newest first; undefined where the audit trail cannot be read. */
export type WritesOf = (uid: string) => Promise<readonly WriteEvent[] | undefined>;

/** The audit trails of some names. */
export interface Trails {
  /** Newest first; without names that have no events. */
  readonly trails: ReadonlyMap<ResourceId, readonly WriteEvent[]>;
  /** Whether the audit trail cannot be read. */
  readonly unread: boolean;
  readonly requests: number;
}

/** Shown if the audit trail cannot be read, or lacks the write. */
export const unknownWriter = 'unknown';

/** The write that produced this version; undefined if the trail does not reach it. */
export function writeOfVersion(writes: readonly WriteEvent[] | undefined, version: number): WriteEvent | undefined {
  return writes?.find((write) => write.version === version && (write.action === 'edit' || write.action === 'create'));
}

/** `ann@example.com`, or `unknown`. */
export function describeWriter(write: WriteEvent | undefined): string {
  return write === undefined ? unknownWriter : write.writer.name;
}

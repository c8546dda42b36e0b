import type { JsonObject } from '../../schema/json/json.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** One successful write of a record, as the audit trail tells it (platform/audit.trail). */
export interface WriteEvent {
  /** Of the record after the write. */
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
  readonly action: 'create' | 'edit' | 'delete' | 'exec';
  readonly writer: Writer;
  /** The record after the write, without secrets. */
  readonly record: JsonObject;
}

/** Who wrote. */
export interface Writer {
  /** An e-mail address, or the name of a service account or workload. */
  readonly name: string;
  /** `user`, `serviceaccount`, ... */
  readonly type: string;
}

/** Who wrote, and which version of the record that made. */
export interface WrittenBy extends Writer {
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
}

/** The writes of one record, newest first; undefined where the audit trail cannot be read. */
export type WritesOf = (uid: string) => Promise<readonly WriteEvent[] | undefined>;

/** What the audit trail says of some names. */
export interface Trails {
  /** Newest first; without those of which nothing is told. */
  readonly trails: ReadonlyMap<ResourceId, readonly WriteEvent[]>;
  /** It cannot be read. */
  readonly unread: boolean;
  readonly requests: number;
}

/** Shown where the audit trail cannot be read, or does not say it. */
export const unknownWriter = 'unknown';

/** The write that produced this version; undefined where the trail does not reach back to it. */
export function writeOfVersion(writes: readonly WriteEvent[] | undefined, version: number): WriteEvent | undefined {
  return writes?.find((write) => write.version === version && (write.action === 'edit' || write.action === 'create'));
}

/** `ann@example.com`, or `unknown`. */
export function describeWriter(write: WriteEvent | undefined): string {
  return write === undefined ? unknownWriter : write.writer.name;
}

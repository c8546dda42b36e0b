import { createHash } from 'node:crypto';
import { isObject, type JsonValue, mapMembers, numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { withoutPlatformValues } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { StoredValues } from '../plan/storedValues.ts';

/** The private state of a planned resource, which Terraform returns unread. */
export interface PrivateState {
  /** The id of the resource's record. It identifies the second plan of a replacement, which has no state. */
  readonly of?: string | undefined;
  /** The id of the record that is adopted instead of a creation. */
  readonly adopts?: string | undefined;
  /**
   * The version that was written last, or read first; a newer one does not replace it. For a deletion: the version read
   * for the plan, because the state that Terraform passes for an undeclared resource is an older one.
   */
  readonly version?: number | undefined;
  /** For a kind with a value that cannot be read: a digest of the rest of the record in that version. */
  readonly digest?: string | undefined;
  /** The values that the platform stored in its own way after the last write. */
  readonly stored?: StoredValues | undefined;
}

/** The private state of a record as it is now. */
export function privateOf({ ref: { kind }, record, version }: LiveResource): PrivateState {
  const hidden = hiddenField(kind);
  if (hidden === undefined) return { version };
  const rest = mapMembers(withoutPlatformValues(kind, record), (value, name) => (name === hidden ? undefined : value));
  const members = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  return { version, digest: createHash('sha256').update(JSON.stringify(members)).digest('base64url') };
}

/** Whether another client wrote the value that cannot be read: certain if nothing else differs, otherwise possible. */
export function hiddenChange(before: PrivateState, now: PrivateState): 'certain' | 'possible' | undefined {
  if (before.digest === undefined || !isNewer(before, now)) return undefined;
  return before.digest === now.digest ? 'certain' : 'possible';
}

/** For a value that cannot be read, each version counts; elsewhere it would be a difference in every refresh. */
export function isNewer(before: PrivateState, now: PrivateState): boolean {
  return before.version === undefined || (before.digest !== undefined && (now.version ?? 0) > before.version);
}

export function writePrivate(state: PrivateState): Uint8Array {
  const { stored = {}, ...rest } = state;
  const kept = Object.keys(stored).length === 0 ? rest : { ...rest, stored };
  return Object.values(kept).every((value) => value === undefined)
    ? new Uint8Array()
    : Buffer.from(JSON.stringify(kept));
}

export function readPrivate(bytes: Uint8Array | undefined): PrivateState {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    const state: JsonValue = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isObject(state)
      ? {
          of: stringAt(state, 'of'),
          adopts: stringAt(state, 'adopts'),
          version: numberAt(state, 'version'),
          digest: stringAt(state, 'digest'),
          stored: objectAt(state, 'stored'),
        }
      : {};
  } catch {
    return {}; // from another version of the provider
  }
}

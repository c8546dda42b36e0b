import { createHash } from 'node:crypto';
import { isObject, type JsonValue, mapMembers, numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { withoutPlatformValues } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { StoredValues } from '../plan/storedValues.ts';

/** The private state of a planned resource: Terraform gives it back unread. */
export interface PrivateState {
  /** The id of the record that the resource has. By it the second plan of a replacement is known, which has no state. */
  readonly of?: string | undefined;
  /** The id of the record that is taken over, in place of a creation. */
  readonly adopts?: string | undefined;
  /**
   * The version that was written last, or else read first: a newer one is not put in its place. Of a deletion: that which was read for the plan, as the state that Terraform
   * hands over for a resource which is no longer declared is the one from before that.
   */
  readonly version?: number | undefined;
  /** Of a kind with a value that cannot be read: a digest of the rest of the record in that version. */
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

/** Was the value that cannot be read written by others? With nothing else that differs it was; else it may have been. */
export function hiddenChange(before: PrivateState, now: PrivateState): 'certain' | 'possible' | undefined {
  if (before.digest === undefined || !isNewer(before, now)) return undefined;
  return before.digest === now.digest ? 'certain' : 'possible';
}

/** Of a value that cannot be read, each version counts; elsewhere another one would be a difference in every refresh. */
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
    return {}; // of another version of the provider
  }
}

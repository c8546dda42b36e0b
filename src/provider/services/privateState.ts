import { isObject, type JsonValue, numberAt, stringAt } from '../../base/json/json.ts';

/** What this provider keeps with a planned resource, and Terraform gives back unread. */
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
}

export function writePrivate(state: PrivateState): Uint8Array {
  return Object.values(state).every((value) => value === undefined)
    ? new Uint8Array()
    : Buffer.from(JSON.stringify(state));
}

export function readPrivate(bytes: Uint8Array | undefined): PrivateState {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    const state: JsonValue = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isObject(state)
      ? { of: stringAt(state, 'of'), adopts: stringAt(state, 'adopts'), version: numberAt(state, 'version') }
      : {};
  } catch {
    return {}; // of another version of the provider
  }
}

import { isObject, type JsonValue, stringAt } from '../../schema/json/json.ts';

/** What this provider keeps with a planned resource, and Terraform gives back unread. */
export interface PrivateState {
  /** The id of the record that is taken over, in place of a creation. */
  readonly adopts?: string;
}

export function writePrivate(state: PrivateState): Uint8Array {
  return Object.keys(state).length === 0 ? new Uint8Array() : Buffer.from(JSON.stringify(state));
}

export function readPrivate(bytes: Uint8Array | undefined): PrivateState {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    const state: JsonValue = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const adopts = isObject(state) ? stringAt(state, 'adopts') : undefined;
    return adopts === undefined ? {} : { adopts };
  } catch {
    return {}; // of another version of the provider
  }
}

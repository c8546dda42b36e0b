import type { JsonValue } from '../schema/json.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../schema/kinds.ts';

const kinds: ReadonlyMap<string, Kind> = new Map([...creatableKinds, ...readOnlyKinds].map((kind) => [kind, kind]));

/** The kind that a value names; undefined: none. */
export function kindOf(value: JsonValue | undefined): Kind | undefined {
  return typeof value === 'string' ? kinds.get(value) : undefined;
}

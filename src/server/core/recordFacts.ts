import { isNamedByEmail } from '../../schema/facts/kindFacts.ts';
import { isObject, type JsonObject, objectAt, own } from '../../schema/json/json.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { type Row, refOfRow } from '../store/row.ts';

/** All refs that links to the record may have (platform/group.members). */
export function refsOfRow(row: Row): readonly Ref[] {
  const ref = refOfRow(row);
  return isNamedByEmail(row.kind) ? [ref, { ...ref, name: row.uid }] : [ref];
}

/** Who made the record: `builtin` for the platform itself. */
export function originOf(row: Row): string | undefined {
  const origin = own(objectAt(row.state, 'shown'), 'origin');
  return typeof origin === 'string' ? origin : undefined;
}

/** All that the client owns of it but the values of a secret, and where it comes from: what rules look at. */
export function wholeRecord(row: Row): JsonObject {
  const origin = originOf(row);
  return { ...row.record, ...(origin === undefined ? {} : { origin }) };
}

export function keysOf(row: Row): readonly JsonObject[] {
  const keys = own(row.state, 'keys');
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}

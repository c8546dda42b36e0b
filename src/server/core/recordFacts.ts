import { isObject, type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { type Row, refOfRow } from '../store/model/row.ts';

/** All refs that links to the record may have (platform/group.members). */
export function refsOfRow(row: Row): readonly Ref[] {
  const ref = refOfRow(row);
  return isNamedByEmail(row.kind) ? [ref, { ...ref, name: row.uid }] : [ref];
}

/** The origin of the record: `builtin` for the platform itself. */
export function originOf(row: Row): string | undefined {
  const origin = own(objectAt(row.state, 'shown'), 'origin');
  return typeof origin === 'string' ? origin : undefined;
}

/**
 * Everything that the client owns, except the values of a secret, with the origin of the record: the input of rules.
 */
export function wholeRecord(row: Row): JsonObject {
  const origin = originOf(row);
  return { ...row.record, ...present({ origin }) };
}

export function keysOf(row: Row): readonly JsonObject[] {
  const keys = own(row.state, 'keys');
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}

import { type JsonObject, mapMembers, sameJson } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { shapeOf } from './shapeOf.ts';

/** The record without the fields that the platform alone sets, and without values that no client may declare. */
export function withoutPlatformValues(kind: Kind, record: JsonObject): JsonObject {
  const { fields } = shapeOf(kind, record);
  return mapMembers(record, (value, name) => {
    const facts = fields.get(name)?.facts;
    if (facts?.responseOnly === true) return undefined;
    return facts?.ownValue !== undefined && !sameJson(facts.ownValue, value) ? undefined : value;
  });
}

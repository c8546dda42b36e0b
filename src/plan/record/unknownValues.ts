import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import { isUnrevealed } from '../../schema/facts/kindFacts.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { shapeFacts, withoutFields } from './shapeFacts.ts';

/**
 * The sensitive fields whose live values are not known: the platform did not reveal them, or a saved plan does not
 * contain them. What the record shows in their place is a mask, or nothing. They are never compared, written back or
 * dropped.
 */
export function unknownFields(
  { id, ref, record }: LiveResource,
  shape: ObjectShape,
  { unrevealed }: Pick<Snapshot, 'unrevealed'>,
): readonly string[] {
  return unrevealed.has(id) || isUnrevealed(ref.kind, record) ? shapeFacts(shape).sensitive : [];
}

/** The record without these fields: the same object where it has none of them. */
export function withoutUnknown(record: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => Object.hasOwn(record, name));
  return there.length === 0
    ? record
    : withoutFields(
        record,
        there.map((name) => [name]),
      );
}

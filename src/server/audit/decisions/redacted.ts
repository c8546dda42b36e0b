import { isArray, isObject, type JsonObject, type JsonValue, mapMembers, own } from '../../../base/json/json.ts';
import { shapeOf } from '../../../kinds/shapeOf.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { holdsSensitive } from '../../../schema/shape/anywhere.ts';
import { childShape } from '../../../schema/shape/paths.ts';
import type { Shape } from '../../../schema/shape/shape.ts';

/** Fields that are shown exactly once, in parts of a record that no schema describes (platform/agent.bootstrap). */
const shownOnce: ReadonlySet<string> = new Set(['bootstrapConfig', 'registrationToken']);

/**
 * The record without sensitive fields and tokens, for storage and export (platform/audit.trail: secrets removed;
 * platform/secret, rule S7). Nothing shows that a value was removed.
 */
export function redacted(kind: Kind, record: JsonObject): JsonObject {
  const shape = shapeOf(kind, record);
  // A shortcut for most kinds, which have no sensitive fields: this runs on each write.
  if (!holdsSensitive(shape) && !isObject(own(record, 'status'))) return record;
  const shown = withoutSensitive(shape, record);
  return isObject(shown) ? shown : {};
}

/** Undefined: no part of it may be stored. */
function withoutSensitive(shape: Shape | undefined, value: JsonValue): JsonValue | undefined {
  if (shape?.facts.sensitive === true) return undefined;
  if (isArray(value)) {
    return value
      .map((member, index) => withoutSensitive(childShape(shape, index), member))
      .filter((member) => member !== undefined);
  }
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) =>
    shape?.type !== 'map' && shownOnce.has(name) ? undefined : withoutSensitive(childShape(shape, name), member),
  );
}

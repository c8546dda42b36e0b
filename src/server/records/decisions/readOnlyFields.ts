import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../../../base/json/json.ts';
import { shapeOf } from '../../../kinds/shapeOf.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { anywhere, isResponseOnly, shapesInside } from '../../../schema/shape/anywhere.ts';
import { childShape } from '../../../schema/shape/paths.ts';
import type { Shape } from '../../../schema/shape/shape.ts';

/**
 * The members that a client owns: platform-owned members are removed at any depth, such as the `context` of a query
 * (platform/gvc, platform/wire.writes). Also for the body of a PATCH, whose directives are unchanged.
 */
export function withoutReadOnly(kind: Kind, record: JsonObject): JsonObject {
  const shape = shapeOf(kind);
  const foreign = (name: string) => readOnlyOfAny.has(name) && shape.type === 'object' && !shape.fields.has(name);
  const known = Object.keys(record).some(foreign)
    ? Object.fromEntries(Object.entries(record).filter(([name]) => !foreign(name)))
    : record;
  return withoutMembers(shape, known);
}

/** Members that are read-only in every record, even in kinds that do not have them (platform/concepts.record). */
const readOnlyOfAny: ReadonlySet<string> = new Set(['origin', 'alias']);

function withoutMembers(shape: Shape, object: JsonObject): JsonObject {
  return mapMembers(object, (value, name) => {
    const member = childShape(shape, name);
    if (member?.facts.responseOnly === true) return undefined;
    return member === undefined || !holdsReadOnly(member) ? value : withoutInside(member, value);
  });
}

function withoutInside(shape: Shape, value: JsonValue): JsonValue {
  if (isArray(value)) return shape.type === 'list' ? value.map((item) => withoutInside(shape.item, item)) : value;
  return isObject(value) ? withoutMembers(shape, value) : value;
}

/** Most parts of a record contain no such member and need not be copied. */
const holdsReadOnly = anywhere((shape) => shape.type === 'object' && shapesInside(shape).some(isResponseOnly));

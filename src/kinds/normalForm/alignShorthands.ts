import { type JsonObject, own } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { shorthandsOf, writtenOut } from '../../schema/shape/shorthand.ts';
import { equalValues } from './equal.ts';

/**
 * The object with its shorthands as in `model`, if both mean the same: `port: 80` was declared, and the platform
 * answers `ports: [{number: 80}]` (platform/concepts.filled), which is no difference.
 */
export function alignShorthands(
  model: JsonObject,
  shape: ObjectShape,
  object: JsonObject,
  context: RecordContext,
): JsonObject {
  let formed = object;
  for (const { name, list } of shorthandsOf(shape)) {
    if (Object.hasOwn(model, name) === Object.hasOwn(formed, name)) continue;
    const field = shape.fields.get(list);
    const [there, here] = [own(writtenOut(shape, model), list), own(writtenOut(shape, formed), list)];
    if (field === undefined || there === undefined || here === undefined) continue;
    if (equalValues(field, there, here, context)) formed = withFieldsOf(model, [name, list], formed);
  }
  return formed;
}

function withFieldsOf(model: JsonObject, names: readonly string[], object: JsonObject): JsonObject {
  const others = Object.entries(object).filter(([name]) => !names.includes(name));
  const taken = names.flatMap((name) => {
    const value = own(model, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...others, ...taken]);
}

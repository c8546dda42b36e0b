import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { isLiteral, type ObjectShape, type Shape } from '../../schema/shape/shape.ts';
import { isReserved } from '../model/directive.ts';
import { inside, type Place, root } from '../model/place.ts';
import { memberShape } from '../model/shapeInside.ts';
import { applyToList, type ItemRules } from './applyToList.ts';
import { readDirectives } from './readDirectives.ts';

export type Applied =
  | { readonly ok: true; readonly record: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * The record after a PATCH, or all that is wrong with the patch document (platform/patch.directives).
 *
 * Order in one object: `$drop`, then `$replace/...`, then plain fields, then the directives of lists. The result is
 * not validated, normalised or coerced here, and `id` and `version` are fields like others: that is the caller's
 * part. Inputs are not changed; parts that stay as they are are shared with them.
 */
export function applyPatch(shape: ObjectShape, live: JsonObject, patch: JsonObject, context: RecordContext): Applied {
  const problems: Problem[] = [];
  const record = mergeObject({ shape, place: root }, live, patch, { context, problems });
  return problems.length === 0 ? { ok: true, record } : { ok: false, problems };
}

interface Run {
  readonly context: RecordContext;
  readonly problems: Problem[];
}

/** A place of the document, and what is known of it. */
interface Spot {
  readonly shape: Shape;
  readonly place: Place;
}

function mergeObject({ shape, place }: Spot, live: JsonObject, patch: JsonObject, run: Run): JsonObject {
  const result: Record<string, JsonValue> = { ...live };
  const directives = readDirectives(patch, place, run.problems);

  for (const name of directives.drop) delete result[name];
  for (const [field, value] of directives.replace) {
    if (value === null) delete result[field];
    else put(result, field, newValue(memberShape(shape, field), value, inside(place, `$replace/${field}`), run));
  }
  for (const [name, value] of Object.entries(patch)) {
    if (isReserved(name)) continue;
    if (value === null) delete result[name];
    else {
      const at = { shape: memberShape(shape, name), place: inside(place, name) };
      put(result, name, mergeValue(at, own(result, name), value, run));
    }
  }
  const rules: ItemRules = {
    make: (item, value, at) => newValue(item, value, at, run),
    merge: (item, before, value, at) => mergeValue({ shape: item, place: at }, before, value, run),
  };
  for (const [field, operations] of directives.lists) {
    const list = { shape: memberShape(shape, field), field, place, rules, ...run };
    const items = applyToList(own(result, field), operations, list);
    if (items !== undefined) put(result, field, items);
  }
  return result;
}

function mergeValue(at: Spot, live: JsonValue | undefined, value: JsonValue, run: Run): JsonValue {
  if (!isObject(value)) return newValue(at.shape, value, at.place, run);
  return mergeObject(at, isObject(live) ? live : {}, value, run);
}

/**
 * A value that takes the place of whatever was there: a replaced one, or an item of a list. An object in it is merged
 * into nothing, so that it may carry directives as any object may; free-form JSON is taken to the letter.
 */
function newValue(shape: Shape, value: JsonValue, place: Place, run: Run): JsonValue {
  if (isLiteral(shape)) return value;
  if (isObject(value)) return mergeObject({ shape, place }, {}, value, run);
  if (isArray(value) && shape.type === 'list') {
    return value.map((item, index) => newValue(shape.item, item, inside(place, index), run));
  }
  return value;
}

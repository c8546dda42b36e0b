import type { LiveResource } from '../manifest/snapshot.ts';
import type { RecordContext } from '../schema/context.ts';
import { equalValues } from '../schema/equal.ts';
import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own } from '../schema/json.ts';
import { effectiveList, itemsByKey } from '../schema/listKey.ts';
import { normalise } from '../schema/normalise.ts';
import { formatPath } from '../schema/paths.ts';
import type { ListShape, Shape } from '../schema/shape.ts';
import { shapeOf } from '../schema/shapes.ts';

type Pointer = readonly (string | number)[];

/**
 * Where a live record is not what was promised: paths into `expected`, dotted; none if it is.
 *
 * Only what `expected` names is compared, by meaning (schema/equal.ts). What the platform adds is its own business, and
 * sensitive values that an answer leaves out cannot be compared. No value is in the result.
 */
export function unlike(expected: JsonObject, live: LiveResource, org: string): readonly string[] {
  const { kind, name } = live.ref;
  const gvc = kind === 'gvc' ? name : live.ref.gvc;
  const context: RecordContext = gvc === undefined ? { org } : { org, gvc };
  const shape = shapeOf(kind, expected);

  if (compare(shape, expected, live.record, context, []).length === 0) return [];
  // An installation may answer with what was written; what it means is what counts.
  const pointers = compare(shape, expected, normalise(kind, live.record, context), context, []);
  return pointers.map((pointer) => formatPath(shape, expected, pointer));
}

function compare(
  shape: Shape,
  expected: JsonValue,
  live: JsonValue | undefined,
  context: RecordContext,
  at: Pointer,
): readonly Pointer[] {
  if (shape.facts.responseOnly === true) return [];
  if (live === undefined && isHidden(shape)) return [];
  if (shape.type === 'object' && isObject(expected) && isObject(live)) {
    return Object.keys(expected).flatMap((key) => {
      const field = shape.fields.get(key);
      const value = own(expected, key);
      // A field that the schema does not know is the platform's own.
      return field === undefined || value === undefined
        ? []
        : compare(field, value, own(live, key), context, [...at, key]);
    });
  }
  if (shape.type === 'map' && isObject(expected) && isObject(live)) {
    return Object.keys(expected).flatMap((key) => {
      const value = own(expected, key);
      return value === undefined ? [] : compare(shape.value, value, own(live, key), context, [...at, key]);
    });
  }
  if (shape.type === 'list' && isArray(expected) && isArray(live))
    return compareLists(shape, expected, live, context, at);

  const actual = live ?? shape.facts.default; // omitted means the default
  return equalValues(shape, expected, actual, context) ? [] : [at];
}

function compareLists(
  shape: ListShape,
  expected: JsonArray,
  live: JsonArray,
  context: RecordContext,
  at: Pointer,
): readonly Pointer[] {
  if (expected.length !== live.length) return [at];
  const list = effectiveList(shape, expected, live);
  if (list.class === 'set') return equalValues(shape, expected, live, context) ? [] : [at];

  const byKey = list.class === 'keyed' ? itemsByKey(list.key, live) : undefined;
  const keys = list.class === 'keyed' ? itemsByKey(list.key, expected) : undefined;
  if (byKey === undefined || keys === undefined) {
    return expected.flatMap((item, index) => compare(shape.item, item, live[index], context, [...at, index]));
  }
  return [...keys].flatMap(([key, item], index) => {
    const match = byKey.get(key);
    return match === undefined ? [at] : compare(shape.item, item, match, context, [...at, index]);
  });
}

/** True if an answer may leave it out because of what it holds (values of secrets). */
function isHidden(shape: Shape): boolean {
  if (shape.facts.sensitive === true) return true;
  switch (shape.type) {
    case 'object':
      return [...shape.fields.values()].some(isHidden);
    case 'map':
      return isHidden(shape.value);
    case 'list':
      return isHidden(shape.item);
    case 'scalar':
    case 'free':
      return false;
  }
}

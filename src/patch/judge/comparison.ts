import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { isBlank } from '../../kinds/normalForm/normalise.ts';
import { isMerged, type ListShape, type Shape } from '../../schema/shape/shape.ts';
import { isMatched, type Patterns } from '../model/place.ts';

/**
 * How a field of a live record is compared with what is declared of it.
 *
 * - `platform`, `ignored`: not at all; the live value stays
 * - `absent`: neither has it
 * - `omitted`: the manifest leaves it out (`omissionOf`)
 * - `stated`: live does not have it (`saidByAbsence`)
 * - `members`, `items`, `value`: name by name, item by item (`matchingOf`), or as one value
 */
export type Comparison =
  | { readonly by: 'platform' | 'ignored' | 'absent' }
  | { readonly by: 'omitted'; readonly live: JsonValue }
  | { readonly by: 'stated' | 'value'; readonly desired: JsonValue }
  | { readonly by: 'members'; readonly live: JsonObject; readonly desired: JsonObject }
  | { readonly by: 'items'; readonly list: ListShape; readonly live: JsonArray; readonly desired: JsonArray };

/** `desired` is null only where null is a value: in free-form JSON that is not merged. */
export function comparisonOf(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  ignored: Patterns,
): Comparison {
  if (shape.facts.responseOnly === true) return { by: 'platform' };
  if (isMatched(ignored)) return { by: 'ignored' };
  if (desired === undefined || isBlank(desired, shape.facts)) {
    return live === undefined ? { by: 'absent' } : { by: 'omitted', live };
  }
  if (live === undefined || live === null) return { by: 'stated', desired };
  if (shape.type === 'list' && isArray(live) && isArray(desired)) return { by: 'items', list: shape, live, desired };
  if (hasMembers(shape, ignored) && isObject(live) && isObject(desired)) return { by: 'members', live, desired };
  return { by: 'value', desired };
}

/** Free-form JSON is one value, unless it is merged, or something in it is ignored. */
export function hasMembers(shape: Shape, ignored: Patterns): boolean {
  if (shape.type === 'object' || shape.type === 'map' || isMerged(shape)) return true;
  return shape.type === 'free' && ignored.length > 0;
}

import { isArray, isObject, type JsonValue } from '../../schema/json/json.ts';
import { isBlank } from '../../schema/normalForm/canonical.ts';
import { isMerged, type Shape } from '../../schema/shape/shape.ts';
import { type Ignored, isIgnored } from '../model/ignored.ts';

/**
 * How a field of a live record is compared with what is declared of it.
 *
 * - `platform`, `ignored`: not at all; the live value stays
 * - `omitted`: the manifest leaves it out (`omissionOf`)
 * - `stated`: live does not have it (`saidByAbsence`)
 * - `members`, `items`, `value`: name by name, item by item (`matchingOf`), or as one value
 */
export type Comparison = 'platform' | 'ignored' | 'omitted' | 'stated' | 'members' | 'items' | 'value';

/** `desired` is null only where null is a value: in free-form JSON that is not merged. */
export function comparisonOf(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  ignored: Ignored,
): Comparison {
  if (shape.facts.responseOnly === true) return 'platform';
  if (isIgnored(ignored)) return 'ignored';
  if (desired === undefined || isBlank(desired, shape.facts)) return 'omitted';
  if (live === undefined || live === null) return 'stated';
  if (shape.type === 'list') return isArray(live) && isArray(desired) ? 'items' : 'value';
  return hasMembers(shape, ignored) && isObject(live) && isObject(desired) ? 'members' : 'value';
}

/** Free-form JSON is one value, unless it is merged, or something in it is ignored. */
export function hasMembers(shape: Shape, ignored: Ignored): boolean {
  if (shape.type === 'object' || shape.type === 'map' || isMerged(shape)) return true;
  return shape.type === 'free' && ignored.length > 0;
}

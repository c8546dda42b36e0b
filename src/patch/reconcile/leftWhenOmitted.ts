import { isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { isEmptiedWhenOmitted } from '../judge/omission.ts';
import { isMatched, type Patterns, patternsBelow } from '../model/patterns.ts';
import type { Walk } from '../model/walk.ts';

/**
 * What stays of a value that the manifest leaves out although live holds it.
 *
 * An object of which absent means empty is emptied: what the platform chose, operators' switches and unknown fields
 * stay. Anything else was ours as a whole (a probe, a query, a map), so it goes, but for ignored places.
 */
export function leftWhenOmitted(shape: Shape, live: JsonValue, ignored: Patterns, walk: Walk): JsonValue | undefined {
  if (!isEmptiedWhenOmitted(shape, live)) return isObject(live) ? ignoredPart(live, ignored) : undefined;
  const emptied = walk.value(shape, live, {}, ignored, walk);
  return equalValues(shape, emptied, undefined, walk.context) ? undefined : emptied;
}

function ignoredPart(live: JsonObject, ignored: Patterns): JsonObject | undefined {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(live)) {
    const patterns = patternsBelow(ignored, name);
    const part = isMatched(patterns) ? value : isObject(value) ? ignoredPart(value, patterns) : undefined;
    if (part !== undefined) put(result, name, part);
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

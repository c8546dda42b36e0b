import { isObject, type JsonObject, type JsonValue, own, put } from '../../schema/json/json.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { isEmptiedWhenOmitted } from '../judge/omission.ts';
import { type Ignored, ignoredBelow, isIgnored } from '../model/ignored.ts';
import type { Walk } from '../model/walk.ts';

/**
 * What stays of an object that the manifest leaves out although live holds it.
 *
 * Where its presence means something (a probe, a query) it was ours as a whole, so it goes, but for ignored places.
 * Elsewhere absent means empty: what the platform chose, operators' switches and unknown fields stay.
 */
export function leftWhenOmitted(shape: Shape, live: JsonObject, ignored: Ignored, walk: Walk): JsonObject | undefined {
  if (!isEmptiedWhenOmitted(shape, live)) return ignored.length === 0 ? undefined : ignoredPart(live, ignored);

  const emptied = walk.value(shape, live, {}, ignored, walk);
  return isObject(emptied) && (emptied === live || !equalValues(shape, emptied, undefined, walk.context))
    ? emptied
    : undefined;
}

function ignoredPart(live: JsonObject, ignored: Ignored): JsonObject | undefined {
  const kept: Record<string, JsonValue> = {};
  for (const name of Object.keys(live)) {
    const value = own(live, name);
    const patterns = ignoredBelow(ignored, name);
    if (value === undefined || patterns.length === 0) continue;
    const part = isIgnored(patterns) ? value : isObject(value) ? ignoredPart(value, patterns) : undefined;
    if (part !== undefined) put(kept, name, part);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

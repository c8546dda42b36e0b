import type { JsonObject } from '../../base/json/json.ts';
import { isMaskText } from '../../base/json/platformMask.ts';
import { valueThere, withValues } from '../../base/json/valuesAt.ts';
import { isUnrevealed } from '../../kinds/kindFacts.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { formatPath, matchPath } from '../../schema/shape/paths.ts';
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

/** A record, with the declared values where the platform shows masks in place of marked ones. */
export interface Unmasked {
  readonly record: JsonObject;
  /** The paths of these values: what they are is not known. */
  readonly masked: readonly string[];
}

/**
 * Some platforms show a mask in the place of any value that they take for a secret. Where the author marked that value
 * (`lifecycle.sensitive`) a mask is no other value: it is neither a change nor written back.
 */
export function withoutMasks({ lifecycle, record }: DesiredResource, shape: ObjectShape, live: JsonObject): Unmasked {
  const { sensitive = [] } = lifecycle;
  if (sensitive.length === 0) return { record: live, masked: [] };
  const pointers = (of: JsonObject) => sensitive.flatMap((path) => matchPath(path, shape, of));
  const declared = new Map(pointers(record).map((at) => [formatPath(shape, record, at), valueThere(record, at)]));
  const places = pointers(live).flatMap((at) => {
    const path = formatPath(shape, live, at);
    const value = declared.get(path);
    const shown = valueThere(live, at);
    return value !== undefined && value !== shown && isMaskText(shown) ? [{ at, path, value }] : [];
  });
  return { record: withValues(live, places), masked: places.map(({ path }) => path) };
}

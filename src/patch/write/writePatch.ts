import { isArray, isObject, type JsonObject, type JsonValue, own, sameJson } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { isLiteral, type ObjectShape, type Shape } from '../../schema/shape/shape.ts';
import { isReserved } from '../model/directive.ts';
import { memberShape } from '../model/shapeInside.ts';
import { type Candidate, cheapest, countLeaves, objectOf, together } from './cost.ts';
import { listWays, type Member } from './writeList.ts';
import { type ItemWriter, mayReplace, type WriteOptions } from './writeOptions.ts';

/**
 * The smallest patch that makes `live` exactly `target`; undefined when they are the same.
 *
 * Chosen bottom-up at each place among merge, `$drop`, `$replace/...`, a plain list, and for lists whose items have
 * keys `$patch/...`, `$drop/...`, `$retain/...` and `$append/...`. Items keep their place, or move to the end.
 *
 * @throws {ToolError} `patch.inexpressible`: a key begins with `$`, or a null stands where it would mean removal.
 */
export function writePatch(
  shape: ObjectShape,
  live: JsonObject,
  target: JsonObject,
  options: WriteOptions,
): JsonObject | undefined {
  const written = writeObject(shape, live, target, options);
  if (written === undefined) {
    throw new ToolError({
      code: 'patch.inexpressible',
      message: 'the change cannot be written as a patch: a key begins with "$", or a value is null',
      hint: 'Rename the key, or leave the null out; both have another meaning in a patch.',
    });
  }
  return written.entries.length === 0 ? undefined : objectOf(written.entries);
}

/** The entries that lead from `live` to `target`, none when nothing differs; undefined when no patch leads there. */
function writeObject(shape: Shape, live: JsonObject, target: JsonObject, options: WriteOptions): Candidate | undefined {
  const parts: Candidate[] = [];
  const isDropped = (name: string): boolean => {
    const [before, after] = [own(live, name), own(target, name)];
    const isDroppedFirst = options.directives === 'drop' && isArray(before) && isArray(after);
    return after === undefined || (isDroppedFirst && !sameJson(before, after));
  };
  const dropped = Object.keys(live).filter(isDropped);
  if (dropped.length > 0) parts.push({ entries: [{ key: '$drop', value: dropped }], leaves: dropped.length });
  for (const [name, after] of Object.entries(target)) {
    const before = own(live, name);
    if (sameJson(before, after)) continue;
    const best = cheapest(memberCandidates({ shape: memberShape(shape, name), name }, before, after, options));
    if (best === undefined) return undefined;
    parts.push(best);
  }
  return together(parts);
}

/** The ways to lead one member to its target, of which the cheapest is taken. */
export function memberCandidates(
  member: Member,
  live: JsonValue | undefined,
  target: JsonValue,
  options: WriteOptions,
): readonly Candidate[] {
  const { shape, name } = member;
  if (target === null || isReserved(name)) return [];
  if (isObject(target)) {
    const merged = writeObject(shape, isObject(live) ? live : {}, target, options);
    const replaced = wholeValue(shape, `$replace/${name}`, target, options);
    if (merged === undefined) return replaced;
    return mayReplace(options.directives) ? [nested(name, merged), ...replaced] : [nested(name, merged)];
  }
  // What a plain list does to the items that are there is not stated either.
  const isReplaced = options.directives === 'replace' && isArray(live);
  const plain = wholeValue(shape, isReplaced ? `$replace/${name}` : name, target, options);
  // Directives of lists are refused where the schema has none (platform/patch.directives).
  const isList = shape.type === 'list' || shape.type === 'free';
  if (!isList || !isArray(live) || !isArray(target)) return plain;
  return [...listWays(member, live, target, itemWriter(options)).ways, ...plain];
}

function nested(name: string, { entries, leaves }: Candidate): Candidate {
  // A new object that is empty is a leaf itself.
  return { entries: [{ key: name, value: objectOf(entries) }], leaves: Math.max(1, leaves) };
}

function wholeValue(shape: Shape, key: string, target: JsonValue, options: WriteOptions): readonly Candidate[] {
  const value = newValue(shape, target, options);
  return value === undefined ? [] : [{ entries: [{ key, value }], leaves: countLeaves(target) }];
}

/** How a value is written where it takes the place of whatever was there; undefined when it cannot be written. */
function newValue(shape: Shape, target: JsonValue, options: WriteOptions): JsonValue | undefined {
  if (isLiteral(shape)) return target;
  if (isObject(target)) {
    const written = writeObject(shape, {}, target, options);
    return written === undefined ? undefined : objectOf(written.entries);
  }
  if (!isArray(target) || shape.type !== 'list') return target;
  const items: JsonValue[] = [];
  for (const item of target) {
    const written = newValue(shape.item, item, options);
    if (written === undefined) return undefined;
    items.push(written);
  }
  return items;
}

export function itemWriter(options: WriteOptions): ItemWriter {
  return {
    ...options,
    changed: (shape, live, target) => writeObject(shape, live, target, options),
    made: (shape, target) => newValue(shape, target, options),
  };
}

import { ToolError } from '../../errors/toolError.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own, put, sameJson } from '../../schema/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { isLiteral, type ObjectShape, type Shape } from '../../schema/shape/shape.ts';
import { isReserved } from '../model/directive.ts';
import { memberShape } from '../model/shapeInside.ts';
import { type Candidate, cheapest, countLeaves, type Entry } from './cost.ts';
import { type ListWriter, listCandidates } from './writeList.ts';

export interface WriteOptions {
  readonly context: RecordContext;
  /** `stated`: list keys that are only our ruling are not used (platform/patch.list-keys). */
  readonly directives: 'all' | 'stated';
}

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
  if (written === inexpressible) {
    throw new ToolError({
      code: 'patch.inexpressible',
      message: 'the change cannot be written as a patch: a key begins with "$", or a value is null',
      hint: 'Rename the key, or leave the null out; both have another meaning in a patch.',
    });
  }
  return written === undefined ? undefined : objectOf(written.entries);
}

/** No patch can make this value. */
const inexpressible = Symbol('inexpressible');
type Written = Candidate | undefined | typeof inexpressible;

/** The entries that lead from `live` to `target`; undefined when nothing differs. */
function writeObject(shape: Shape, live: JsonObject, target: JsonObject, options: WriteOptions): Written {
  const entries: Entry[] = [];
  let leaves = 0;
  const dropped = Object.keys(live).filter((name) => !Object.hasOwn(target, name));
  if (dropped.length > 0) {
    entries.push({ key: '$drop', value: dropped });
    leaves += dropped.length;
  }
  for (const name of Object.keys(target)) {
    const before = own(live, name);
    const after = own(target, name);
    if (after === undefined || sameJson(before, after)) continue;
    const best = isReserved(name)
      ? undefined
      : cheapest(memberCandidates(memberShape(shape, name), name, before, after, options));
    if (best === undefined) return inexpressible;
    entries.push(...best.entries);
    leaves += best.leaves;
  }
  return entries.length === 0 ? undefined : { entries, leaves };
}

/** The ways to lead one member to its target, of which the cheapest is taken. */
export function memberCandidates(
  shape: Shape,
  name: string,
  live: JsonValue | undefined,
  target: JsonValue,
  options: WriteOptions,
): readonly Candidate[] {
  if (target === null) return [];
  if (isObject(target)) {
    const merged = writeObject(shape, isObject(live) ? live : {}, target, options);
    return [
      ...(merged === inexpressible ? [] : [nested(name, merged)]),
      ...wholeValue(shape, `$replace/${name}`, target, options),
    ];
  }
  const plain = wholeValue(shape, name, target, options);
  return isArray(target) && isArray(live)
    ? [...listCandidates(shape, name, live, target, writer(options)), ...plain]
    : plain;
}

/** Undefined: the object is empty, and new. */
function nested(name: string, merged: Candidate | undefined): Candidate {
  if (merged === undefined) return { entries: [{ key: name, value: {} }], leaves: 1 };
  return { entries: [{ key: name, value: objectOf(merged.entries) }], leaves: merged.leaves };
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
    return written === inexpressible ? undefined : objectOf(written?.entries ?? []);
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

/** How items of lists are written. */
export function writer(options: WriteOptions): ListWriter {
  return {
    ...options,
    changed(shape, live, target) {
      const written = isObject(live) && isObject(target) ? writeObject(shape, live, target, options) : inexpressible;
      return written === inexpressible ? undefined : written;
    },
    made: (shape, target) => newValue(shape, target, options),
  };
}

export function objectOf(entries: readonly Entry[]): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const { key, value } of entries) put(object, key, value);
  return object;
}

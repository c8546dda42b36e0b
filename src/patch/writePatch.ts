import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
  put,
  sameJson,
} from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { isLiteral, type ObjectShape, type Shape } from '../schema/shape/shape.ts';
import { isReserved } from './directive.ts';
import { type Identity, identityOf, itemShape, memberShape } from './place.ts';

/**
 * The smallest patch that makes `live` exactly `target`; undefined if they are equal.
 *
 * Chosen bottom-up at each place among merge, `$drop`, `$replace/...`, a plain list, and for lists with keys
 * `$patch/...`, `$drop/...`, `$retain/...` and `$append/...`. Items keep their position, or move to the end.
 *
 * @throws {ToolError} `patch.inexpressible`: a key begins with `$`, or a null is where it would mean removal.
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

/** The entries from `live` to `target`, none if nothing differs; undefined if no patch is possible. */
function writeObject(shape: Shape, live: JsonObject, target: JsonObject, options: WriteOptions): Candidate | undefined {
  const parts: Candidate[] = [];
  const differing = Object.entries(target).filter(([name, after]) => !sameJson(own(live, name), after));
  const isDroppedFirst = (name: string): boolean =>
    options.directives === 'drop' &&
    isArray(own(live, name)) &&
    differing.some(([other, after]) => other === name && isArray(after));
  const isDropped = (name: string): boolean => !Object.hasOwn(target, name) || isDroppedFirst(name);
  const dropped = Object.keys(live).filter(isDropped);
  if (dropped.length > 0) parts.push({ entries: [{ key: '$drop', value: dropped }], leaves: dropped.length });
  for (const [name, after] of differing) {
    const member = { shape: memberShape(shape, name), name };
    const best = cheapest(memberCandidates(member, own(live, name), after, options));
    if (best === undefined) return undefined;
    parts.push(best);
  }
  return together(parts);
}

/** The ways to change one member to its target; the cheapest is used. */
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
  // The effect of a plain list on existing items is not stated either.
  const isReplaced = options.directives === 'replace' && isArray(live);
  const plain = wholeValue(shape, isReplaced ? `$replace/${name}` : name, target, options);
  // Directives of lists are refused if the schema has no list there (platform/patch.directives).
  const isList = shape.type === 'list' || shape.type === 'free';
  if (!isList || !isArray(live) || !isArray(target)) return plain;
  return [...listWays(member, live, target, options).ways, ...plain];
}

function nested(name: string, { entries, leaves }: Candidate): Candidate {
  // An empty new object is a leaf itself.
  return { entries: [{ key: name, value: objectOf(entries) }], leaves: Math.max(1, leaves) };
}

function wholeValue(shape: Shape, key: string, target: JsonValue, options: WriteOptions): readonly Candidate[] {
  const value = newValue(shape, target, options);
  return value === undefined ? [] : [{ entries: [{ key, value }], leaves: countLeaves(target) }];
}

/** Writes a value that replaces the previous one; undefined if it cannot be written. */
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

/** Directives that are impossible for a list, with the reason. */
export interface Impossible {
  readonly directives: readonly string[];
  readonly because: string;
}

interface ListWays {
  readonly ways: readonly Candidate[];
  readonly impossible: readonly Impossible[];
}

/** A field of the object being written. */
export interface Member {
  readonly shape: Shape;
  readonly name: string;
}

/** The ways to change one list to the other by directives; without any, the whole list must be written. */
export function listWays(member: Member, live: JsonArray, target: JsonArray, options: WriteOptions): ListWays {
  const { shape, name: field } = member;
  const cannot = (words: readonly string[], because: string): Impossible => ({
    directives: words.map((word) => `${word}/${field}`),
    because,
  });
  if (writesWholeLists(options.directives)) {
    const unknown = 'the platform does not honour directives for the items of lists';
    return { ways: [], impossible: [cannot(['$patch', '$drop', '$retain', '$append'], unknown)] };
  }
  const named = nameItems(shape, live, target, options);
  if (typeof named === 'string') {
    const unnamed = cannot(['$patch', '$drop', '$retain'], named);
    const append = onlyAppended(member, live, target, options);
    if (append !== undefined) return { ways: [append], impossible: [unnamed] };
    const notAdded = cannot(['$append'], 'what is live is not the beginning of what is wanted');
    return { ways: [], impossible: [unnamed, notAdded] };
  }
  const ways = keepItems(shape, field, named, options);
  const moved = 'no live item can keep its place, or one that stays cannot be changed by itself';
  return { ways, impossible: ways.length > 0 ? [] : [cannot(['$patch', '$drop', '$retain', '$append'], moved)] };
}

/**
 * The ways that keep the first items of the target in order and append the others: for each number of items that can be
 * kept, highest first. Ways that keep fewer and write more are omitted.
 */
function keepItems(shape: Shape, field: string, named: NamedItems, options: WriteOptions): readonly Candidate[] {
  const change = { shape, field, named, options, patches: itemPatches(shape, named, options) };
  const most = keepable(change);
  // For distinct plain values, keeping more never costs more; an object can be shorter to append than to change.
  const fewest = named.identity.by === 'self' && named.distinct ? Math.max(most, 1) : 1;
  const found: Candidate[] = [];
  let least = Number.POSITIVE_INFINITY;
  let appended = sumOf(itemsOf(named.target.slice(most)).map(countLeaves));
  for (let count = most; count >= fewest; count--) {
    if (count < most) appended += countLeaves(named.target[count]?.item ?? null);
    if (appended > least) break; // keeping fewer items writes even more
    const ways = keeping(count, change);
    const leaves = Math.min(...ways.map((way) => way.leaves));
    if (leaves > least) continue;
    least = leaves;
    found.push(...ways);
  }
  return found;
}

interface ListChange {
  readonly shape: Shape;
  readonly field: string;
  readonly named: NamedItems;
  readonly options: WriteOptions;
  /** By position in the target: the change of an item that both sides have. Undefined if it cannot be changed. */
  readonly patches: readonly (Candidate | undefined)[];
}

function itemPatches(
  shape: Shape,
  { identity, live, target, positions }: NamedItems,
  options: WriteOptions,
): ListChange['patches'] {
  return target.map(({ name, item }) => {
    const before = live[positions.get(name) ?? -1]?.item;
    if (sameJson(before, item)) return nothing;
    if (!isObject(before) || !isObject(item)) return undefined;
    const written = writeObject(itemShape(shape), before, item, options);
    if (written === undefined) return undefined;
    const patch = together([address(shape, before), written]);
    return identity.ofPatch(objectOf(patch.entries)) === name ? patch : undefined;
  });
}

/** The fields that identify the item. */
function address(shape: Shape, item: JsonObject): Candidate {
  const list = shape.facts.list;
  const parts = list?.class === 'keyed' ? list.key.parts : [];
  const entries = parts.flatMap(({ fields }) => fields.flatMap((field) => keyEntry(item, field)).slice(0, 1));
  return { entries, leaves: 0 };
}

function keyEntry(item: JsonObject, key: string): readonly Entry[] {
  const value = own(item, key);
  return typeof value === 'string' || typeof value === 'number' ? [{ key, value }] : [];
}

/** The number of items at the start of the target that live ones can provide in order; all if values repeat. */
function keepable({ named: { target, positions, distinct }, patches }: ListChange): number {
  if (!distinct) return target.length;
  let last = -1;
  for (const [count, { name }] of target.entries()) {
    const position = positions.get(name) ?? -1;
    if (position <= last || patches[count] === undefined) return count;
    last = position;
  }
  return target.length;
}

/** Keeps the first `count` items of the target and appends the others. Empty if impossible. */
function keeping(count: number, { shape, field, named, options, patches }: ListChange): readonly Candidate[] {
  const first = named.target.slice(0, count);
  const names = new Set(first.map(({ name }) => name));
  // Equal values are removed or kept together.
  const staying = named.live.filter(({ name }) => names.has(name));
  if (!named.distinct && !sameJson(itemsOf(staying), itemsOf(first))) return [];

  const append = appendItems(shape, field, itemsOf(named.target.slice(count)), options);
  if (append === undefined) return [];
  const patch = patching(field, patches.slice(0, count));
  return namings(named, names, field).map((naming) => together([naming, patch, append]));
}

function itemsOf(named: readonly NamedItem[]): JsonArray {
  return named.map(({ item }) => item);
}

/** Names the removed items, or the kept ones. */
function namings({ live }: NamedItems, staying: ReadonlySet<string>, field: string): readonly Candidate[] {
  const texts = [...new Map(live.map(({ name, text }) => [name, text]))];
  const dropped = texts.filter(([name]) => !staying.has(name)).map(([, text]) => text);
  const retained = texts.filter(([name]) => staying.has(name)).map(([, text]) => text);
  if (dropped.length === 0) return [nothing];
  return [
    { entries: [{ key: `$drop/${field}`, value: dropped }], leaves: dropped.length },
    { entries: [{ key: `$retain/${field}`, value: retained }], leaves: retained.length },
  ];
}

function patching(field: string, patches: ListChange['patches']): Candidate {
  const changes = patches.filter((patch) => patch !== undefined).filter(({ entries }) => entries.length > 0);
  if (changes.length === 0) return nothing;
  const value = changes.map(({ entries }) => objectOf(entries));
  return { entries: [{ key: `$patch/${field}`, value }], leaves: together(changes).leaves };
}

/** Only `$append`, which needs no key; undefined unless the lists differ by new items at the end. */
function onlyAppended(
  { shape, name }: Member,
  live: JsonArray,
  target: JsonArray,
  options: WriteOptions,
): Candidate | undefined {
  if (!live.every((item, index) => sameJson(item, target[index]))) return undefined;
  if (isTaken(shape, live, target, options)) return undefined;
  return appendItems(shape, name, target.slice(live.length), options);
}

/** `$append` skips values that a set has, and refuses an item whose key exists. */
function isTaken(shape: Shape, live: JsonArray, target: JsonArray, { context }: WriteOptions): boolean {
  if (isSet(shape)) return true;
  const identity = identityOf(shape, live, context);
  if (identity?.by !== 'key') return false;
  const keys = target.map(identity.ofItem);
  return keys.some((key, index) => index >= live.length && key !== undefined && keys.indexOf(key) < index);
}

/** Undefined if an item cannot be written. */
function appendItems(shape: Shape, field: string, items: JsonArray, options: WriteOptions): Candidate | undefined {
  if (items.length === 0) return nothing;
  const value = newValue(shape, items, options);
  return value === undefined
    ? undefined
    : { entries: [{ key: `$append/${field}`, value }], leaves: countLeaves(items) };
}

/** Both lists with the names of their items. */
interface NamedItems {
  readonly identity: Identity;
  readonly live: readonly NamedItem[];
  readonly target: readonly NamedItem[];
  /** By name, the position in `live`; the last one of duplicates. */
  readonly positions: ReadonlyMap<string, number>;
  /** Whether each name occurs in `live` once: false only for plain values outside of sets. */
  readonly distinct: boolean;
}

interface NamedItem {
  readonly name: string;
  /** Its name in `$drop` and `$retain`. */
  readonly text: string;
  readonly item: JsonValue;
}

/** Returns a text if items cannot be named, with the reason. */
function nameItems(
  shape: Shape,
  live: JsonArray,
  target: JsonArray,
  { context, directives }: WriteOptions,
): NamedItems | string {
  const identity = identityOf(shape, live, context);
  if (identity === undefined) return 'its items have no key';
  if (directives === 'stated' && identity.evidence === 'proposed') {
    return 'the key of its items is only proposed, and the endpoint does not say that it honours all directives';
  }
  const [before, after] = [named(identity, live), named(identity, target)];
  if (before.length < live.length || after.length < target.length) return 'an item has no key';
  const positions = new Map(before.map(({ name }, position) => [name, position]));
  const distinct = positions.size === live.length;
  if (identity.by === 'key' && !distinct) return 'the keys of the live items are not unique';
  const mayRepeat = identity.by === 'self' && !isSet(shape);
  const wanted = new Set(after.map(({ name }) => name));
  if (!mayRepeat && wanted.size < target.length) return 'the keys of the items wanted are not unique';
  return { identity, live: before, target: after, positions, distinct };
}

function named(identity: Identity, items: JsonArray): readonly NamedItem[] {
  return items.flatMap((item) => {
    const text = identity.textOf(item);
    return text === undefined ? [] : [{ name: identity.ofText(text), text, item }];
  });
}

function isSet(shape: Shape): boolean {
  return shape.facts.list?.class === 'set';
}

/** One entry of a patch object. */
interface Entry {
  readonly key: string;
  readonly value: JsonValue;
}

/**
 * One way to write a change, with its cost: first the leaves that it writes or removes (an empty object or list is one
 * leaf, so is a name in `$drop` or `$retain`; the key by which `$patch` finds its item is an address and free), then
 * its bytes as JSON.
 */
export interface Candidate {
  readonly entries: readonly Entry[];
  readonly leaves: number;
}

/** The candidate without changes. */
const nothing: Candidate = { entries: [], leaves: 0 };

export function countLeaves(value: JsonValue): number {
  let leaves = 0;
  if (isArray(value)) for (const item of value) leaves += countLeaves(item);
  else if (isObject(value)) for (const name of Object.keys(value)) leaves += countLeaves(value[name] ?? null);
  return Math.max(1, leaves);
}

/** Combines the parts into one. */
function together(parts: readonly Candidate[]): Candidate {
  return { entries: parts.flatMap(({ entries }) => entries), leaves: sumOf(parts.map(({ leaves }) => leaves)) };
}

/** The cheapest candidate, the first of equal ones. */
export function cheapest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.length < 2 ? candidates[0] : candidates.toSorted(compareCost)[0];
}

/** Negative if `a` is cheaper. */
export function compareCost(a: Candidate, b: Candidate): number {
  return a.leaves - b.leaves || bytesOf(a) - bytesOf(b);
}

const utf8 = new TextEncoder();

/** Bytes of the entries in JSON, including the commas between them. */
export function bytesOf({ entries }: Candidate): number {
  return utf8.encode(JSON.stringify(objectOf(entries))).length - '{}'.length;
}

export function objectOf(entries: readonly Entry[]): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const { key, value } of entries) put(object, key, value);
  return object;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/**
 * The directives that a patch may have: `all`; `stated`, without list keys that only we define
 * (platform/patch.list-keys); `replace`, none for list items; `plain`, only `$drop`; `drop`, the same if a plain list
 * does not replace the existing one, so that it is dropped first.
 */
export type Directives = 'all' | 'stated' | 'replace' | 'plain' | 'drop';

/** Whether lists are written as a whole. */
export function writesWholeLists(directives: Directives): boolean {
  return directives === 'replace' || !mayReplace(directives);
}

/** Whether a patch may have `$replace/...`. */
export function mayReplace(directives: Directives): boolean {
  return directives !== 'plain' && directives !== 'drop';
}

export interface WriteOptions {
  readonly context: RecordContext;
  readonly directives: Directives;
}

import { isObject, type JsonArray, type JsonObject, type JsonValue, own, sameJson } from '../../base/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import { itemShape } from '../model/shapeInside.ts';
import { type Candidate, countLeaves, type Entry, nothing, objectOf, together } from './cost.ts';
import { type ItemWriter, type WriteOptions, writesWholeLists } from './writeOptions.ts';

/** Directives that cannot be used on a list, and why. */
export interface Impossible {
  readonly directives: readonly string[];
  readonly because: string;
}

export interface ListWays {
  readonly ways: readonly Candidate[];
  readonly impossible: readonly Impossible[];
}

/** A field of the object that is written. */
export interface Member {
  readonly shape: Shape;
  readonly name: string;
}

/** The ways to lead one list to the other by directives; where there is none, only the whole list will do. */
export function listWays(member: Member, live: JsonArray, target: JsonArray, writer: ItemWriter): ListWays {
  const { shape, name: field } = member;
  const cannot = (words: readonly string[], because: string): Impossible => ({
    directives: words.map((word) => `${word}/${field}`),
    because,
  });
  if (writesWholeLists(writer.directives)) {
    const unknown = 'the platform does not honour directives for the items of lists';
    return { ways: [], impossible: [cannot(['$patch', '$drop', '$retain', '$append'], unknown)] };
  }
  const named = nameItems(shape, live, target, writer);
  if (typeof named === 'string') {
    const unnamed = cannot(['$patch', '$drop', '$retain'], named);
    const append = onlyAppended(member, live, target, writer);
    if (append !== undefined) return { ways: [append], impossible: [unnamed] };
    const notAdded = cannot(['$append'], 'what is live is not the beginning of what is wanted');
    return { ways: [], impossible: [unnamed, notAdded] };
  }
  const ways = keepItems(shape, field, named, writer);
  const moved = 'no live item can keep its place, or one that stays cannot be changed by itself';
  return { ways, impossible: ways.length > 0 ? [] : [cannot(['$patch', '$drop', '$retain', '$append'], moved)] };
}

/**
 * The ways that keep the first items of the target in their order and append the others: for each number of items that
 * can be kept, beginning with the most. Not among them are those that keep fewer and write more.
 */
function keepItems(shape: Shape, field: string, named: NamedItems, writer: ItemWriter): readonly Candidate[] {
  const change = { shape, field, named, writer, patches: itemPatches(shape, named, writer) };
  const most = keepable(change);
  // Of distinct plain values, keeping more never costs more; an object can be shorter to append than to change.
  const fewest = named.identity.by === 'self' && named.distinct ? Math.max(most, 1) : 1;
  const found: Candidate[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let count = most; count >= fewest; count--) {
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
  readonly writer: ItemWriter;
  /** By position in the target: how an item that is on both sides is changed. Undefined: it cannot be. */
  readonly patches: readonly (Candidate | undefined)[];
}

function itemPatches(
  shape: Shape,
  { identity, live, target, positions }: NamedItems,
  writer: ItemWriter,
): ListChange['patches'] {
  return target.map(({ name, item }) => {
    const before = live[positions.get(name) ?? -1]?.item;
    if (before === undefined || sameJson(before, item)) return nothing;
    if (!isObject(before) || !isObject(item)) return undefined;
    const written = writer.changed(itemShape(shape), before, item);
    if (written === undefined) return undefined;
    const patch = together([address(shape, before), written]);
    return identity.ofPatch(objectOf(patch.entries)) === name ? patch : undefined;
  });
}

/** The fields that say which item it is. */
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

/** How many items at the start of the target can be there by keeping live ones in their order; no fewer where values repeat. */
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

/** The first `count` items of the target are kept, the others are appended. None: it cannot be done so. */
function keeping(count: number, { shape, field, named, writer, patches }: ListChange): readonly Candidate[] {
  const first = named.target.slice(0, count);
  const names = new Set(first.map(({ name }) => name));
  // Equal values go or stay together.
  const staying = named.live.filter(({ name }) => names.has(name));
  if (!named.distinct && !sameJson(itemsOf(staying), itemsOf(first))) return [];

  const append = appendItems(shape, field, itemsOf(named.target.slice(count)), writer);
  if (append === undefined) return [];
  const patch = patching(field, patches.slice(0, count));
  return namings(named, names, field).map((naming) => together([naming, patch, append]));
}

function itemsOf(named: readonly NamedItem[]): JsonArray {
  return named.map(({ item }) => item);
}

/** What goes is named, or what stays. */
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

/** `$append` alone, which needs no key; undefined unless the lists differ by new items at the end. */
function onlyAppended(
  { shape, name }: Member,
  live: JsonArray,
  target: JsonArray,
  writer: ItemWriter,
): Candidate | undefined {
  if (!live.every((item, index) => sameJson(item, target[index]))) return undefined;
  if (isTaken(shape, live, target, writer)) return undefined;
  return appendItems(shape, name, target.slice(live.length), writer);
}

/** `$append` leaves out what is in a set, and refuses an item whose key is there. */
function isTaken(shape: Shape, live: JsonArray, target: JsonArray, { context }: ItemWriter): boolean {
  if (isSet(shape)) return true;
  const identity = identityOf(shape, live, context);
  if (identity?.by !== 'key') return false;
  const keys = target.map(identity.ofItem);
  return keys.some((key, index) => index >= live.length && key !== undefined && keys.indexOf(key) < index);
}

/** Undefined: an item cannot be written. */
function appendItems(shape: Shape, field: string, items: JsonArray, writer: ItemWriter): Candidate | undefined {
  if (items.length === 0) return nothing;
  const value = writer.made(shape, items);
  return value === undefined
    ? undefined
    : { entries: [{ key: `$append/${field}`, value }], leaves: countLeaves(items) };
}

/** Both lists with the names of their items. */
interface NamedItems {
  readonly identity: Identity;
  readonly live: readonly NamedItem[];
  readonly target: readonly NamedItem[];
  /** By name, the position in `live`; of several the last. */
  readonly positions: ReadonlyMap<string, number>;
  /** Each name stands in `live` once: always, but for plain values that are not a set. */
  readonly distinct: boolean;
}

interface NamedItem {
  readonly name: string;
  /** What names it in `$drop` and `$retain`. */
  readonly text: string;
  readonly item: JsonValue;
}

/** A text says why items of the list cannot be named. */
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

/** The items that have a name. */
function named(identity: Identity, items: JsonArray): readonly NamedItem[] {
  return items.flatMap((item) => {
    const text = identity.textOf(item);
    return text === undefined ? [] : [{ name: identity.ofText(text), text, item }];
  });
}

function isSet(shape: Shape): boolean {
  return shape.facts.list?.class === 'set';
}

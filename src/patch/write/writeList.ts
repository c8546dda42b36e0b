import {
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
  put,
  sameJson,
} from '../../schema/json/json.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import { itemShape } from '../model/shapeInside.ts';
import { type Candidate, cheapest, countLeaves, type Entry } from './cost.ts';

/** How items are written; given by `writePatch`, which knows the rest of the language. */
export interface ListWriter {
  readonly context: RecordContext;
  readonly directives: 'all' | 'stated';
  /** The entries that lead from one item to the other; undefined when there is no way. The items differ. */
  readonly changed: (shape: Shape, live: JsonValue, target: JsonValue) => Candidate | undefined;
  /** A new item as it is written; undefined when it cannot be. */
  readonly made: (shape: Shape, target: JsonValue) => JsonValue | undefined;
}

/** The ways to lead one list to the other by directives; none where only the whole list will do. */
export function listCandidates(
  shape: Shape,
  field: string,
  live: JsonArray,
  target: JsonArray,
  writer: ListWriter,
): readonly Candidate[] {
  const identity = identityOf(shape, live, writer.context);
  const usable = identity === undefined || writer.directives === 'all' || identity.evidence === 'stated';
  const named = identity !== undefined && usable ? nameItems(identity, live, target) : undefined;
  if (named === undefined) return appended(shape, field, live, target, identity, writer);

  const best = cheapest(keepings(shape, field, named, writer).toReversed());
  return best === undefined ? [] : [best];
}

/** The ways that name items, for each number of them that can keep their place; those that keep fewer stand first. */
export function keepings(shape: Shape, field: string, named: NamedItems, writer: ListWriter): readonly Candidate[] {
  if (isSet(shape) && !named.targetDistinct) return [];
  const longest = keepable(named);
  // Of distinct plain values, keeping more never costs more; an object can be shorter to append than to change.
  const fewest = named.identity.by === 'self' && named.distinct ? Math.max(longest, 1) : 1;
  const change = { shape, field, named, writer, patches: itemPatches(shape, named, writer) };
  const found: Candidate[] = [];
  for (let kept = longest; kept >= fewest; kept--) {
    const candidate = keeping(kept, change);
    if (candidate !== undefined && candidate.leaves <= (found[0]?.leaves ?? candidate.leaves)) found.unshift(candidate);
  }
  return found;
}

/** Items are only added at the end: that needs no key. */
export function appended(
  shape: Shape,
  field: string,
  live: JsonArray,
  target: JsonArray,
  identity: Identity | undefined,
  writer: ListWriter,
): readonly Candidate[] {
  const added = target.slice(live.length);
  if (added.length === 0 || live.length === 0 || !live.every((item, index) => sameJson(item, target[index]))) return [];
  const taken = added.some((item, index) =>
    isTaken(shape, item, target.slice(0, live.length + index), identity, writer),
  );
  const entry = taken ? undefined : appendEntry(shape, field, added, writer);
  return entry === undefined ? [] : [{ entries: [entry], leaves: countLeaves(added) }];
}

/** `$append` refuses it, or leaves it out. */
function isTaken(
  shape: Shape,
  item: JsonValue,
  before: JsonArray,
  identity: Identity | undefined,
  writer: ListWriter,
): boolean {
  const key = identity?.ofItem(item);
  if (key === undefined)
    return isSet(shape) && before.some((each) => equalValues(itemShape(shape), each, item, writer.context));
  return (isSet(shape) || identity?.by === 'key') && before.some((each) => identity?.ofItem(each) === key);
}

function isSet(shape: Shape): boolean {
  return shape.type === 'list' && shape.facts.list?.class === 'set';
}

function appendEntry(shape: Shape, field: string, added: JsonArray, writer: ListWriter): Entry | undefined {
  const value: JsonValue[] = [];
  for (const item of added) {
    const made = writer.made(itemShape(shape), item);
    if (made === undefined) return undefined;
    value.push(made);
  }
  return { key: `$append/${field}`, value };
}

/** Both lists with the names of their items. */
export interface NamedItems {
  readonly identity: Identity;
  readonly live: readonly NamedItem[];
  readonly target: readonly NamedItem[];
  /** By name, the position in `live`; only of names that stand there once. */
  readonly positions: ReadonlyMap<string, number>;
  readonly distinct: boolean;
  readonly targetDistinct: boolean;
}

interface NamedItem {
  readonly name: string;
  readonly item: JsonValue;
}

/** Undefined: some item has no name, or its text does not lead back to it, or two of a keyed list have the same. */
export function nameItems(identity: Identity, live: JsonArray, target: JsonArray): NamedItems | undefined {
  const named = (items: JsonArray): readonly NamedItem[] | undefined => {
    const found = items.flatMap((item) => {
      const name = identity.ofItem(item);
      const text = identity.textOf(item);
      return name === undefined || text === undefined || identity.ofText(text) !== name ? [] : [{ name, item }];
    });
    return found.length === items.length ? found : undefined;
  };
  const [before, after] = [named(live), named(target)];
  if (before === undefined || after === undefined) return undefined;
  const positions = new Map(before.map(({ name }, position) => [name, position]));
  const distinct = positions.size === live.length;
  const targetDistinct = new Set(after.map(({ name }) => name)).size === target.length;
  if (identity.by === 'key' && !(distinct && targetDistinct)) return undefined;
  return { identity, live: before, target: after, positions, distinct, targetDistinct };
}

/** How many items at the start of `target` can be there by keeping items of `live` in their order. */
function keepable({ identity, live, target, positions, distinct }: NamedItems): number {
  if (!distinct) return target.length;
  let last = -1;
  for (const [count, { name, item }] of target.entries()) {
    const position = positions.get(name);
    if (position === undefined || position <= last) return count;
    if (identity.by === 'self' && !sameJson(live[position]?.item, item)) return count;
    last = position;
  }
  return target.length;
}

interface ListChange {
  readonly shape: Shape;
  readonly field: string;
  readonly named: NamedItems;
  readonly writer: ListWriter;
  /** By position in the target. */
  readonly patches: readonly ItemPatch[];
}

/** How an item that is on both sides is changed. */
type ItemPatch = 'same' | 'impossible' | { readonly item: JsonObject; readonly leaves: number };

function itemPatches(
  shape: Shape,
  { identity, live, target, positions }: NamedItems,
  writer: ListWriter,
): readonly ItemPatch[] {
  return target.map(({ name, item }) => {
    const before = live[positions.get(name) ?? -1]?.item;
    if (before === undefined || sameJson(before, item)) return 'same';
    const written = identity.by === 'key' ? writer.changed(itemShape(shape), before, item) : undefined;
    if (written === undefined || !isObject(before)) return 'impossible';
    const patch = addressed(shape, before, written);
    return identity.ofPatch(patch) === name ? { item: patch, leaves: written.leaves } : 'impossible';
  });
}

/** The changes of one item, and before them the fields that say which item it is. */
function addressed(shape: Shape, live: JsonObject, { entries }: Candidate): JsonObject {
  const patch: Record<string, JsonValue> = {};
  const list = shape.facts.list;
  for (const { fields } of list?.class === 'keyed' ? list.key.parts : []) {
    const field = fields.find((each) => isKeyText(own(live, each)));
    if (field !== undefined) put(patch, field, own(live, field) ?? null);
  }
  for (const { key, value } of entries) put(patch, key, value);
  return patch;
}

function isKeyText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** The first `count` items of the target are kept, the others are appended. Undefined: it cannot be done so. */
function keeping(count: number, { shape, field, named, writer, patches }: ListChange): Candidate | undefined {
  const kept = named.target.slice(0, count);
  const names = new Set(kept.map(({ name }) => name));
  const staying = named.live.filter(({ name }) => names.has(name));
  if (staying.length !== count) return undefined;
  const isKept = (item: NamedItem, before: NamedItem | undefined): boolean =>
    item.name === before?.name && (named.identity.by === 'key' || sameJson(item.item, before.item));
  if (!kept.every((item, index) => isKept(item, staying[index]))) return undefined;

  const changed: JsonObject[] = [];
  let leaves = 0;
  for (const patch of patches.slice(0, count)) {
    if (patch === 'impossible') return undefined;
    if (patch === 'same') continue;
    changed.push(patch.item);
    leaves += patch.leaves;
  }
  const added = named.target.slice(count).map(({ item }) => item);
  const append = appendEntry(shape, field, added, writer);
  if (append === undefined) return undefined;
  const naming = namingEntry(named, names, field);
  const entries: readonly (Entry | undefined)[] = [
    naming,
    changed.length === 0 ? undefined : { key: `$patch/${field}`, value: changed },
    added.length === 0 ? undefined : append,
  ];
  return {
    entries: entries.filter((entry) => entry !== undefined),
    leaves: leaves + (naming?.value.length ?? 0) + (added.length === 0 ? 0 : countLeaves(added)),
  };
}

/** Which items go: `$drop` or `$retain`, whichever names fewer. Undefined: none goes. */
function namingEntry(
  { identity, live }: NamedItems,
  names: ReadonlySet<string>,
  field: string,
): { readonly key: string; readonly value: readonly string[] } | undefined {
  const texts = new Map(live.map(({ name, item }) => [name, identity.textOf(item) ?? name]));
  const retained = [...texts].filter(([name]) => names.has(name)).map(([, text]) => text);
  const dropped = [...texts].filter(([name]) => !names.has(name)).map(([, text]) => text);
  if (dropped.length === 0) return undefined;
  const ways = [
    { key: `$drop/${field}`, value: dropped },
    { key: `$retain/${field}`, value: retained },
  ];
  const best = cheapest(ways.map((entry) => ({ entries: [entry], leaves: entry.value.length })));
  return ways.find((way) => way.key === best?.entries[0]?.key);
}

import { isObject, type JsonArray, type JsonObject, own, sameJson } from '../../base/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { itemShape } from '../model/shapeInside.ts';
import { appendItems } from './appendItems.ts';
import { type Candidate, type Entry, nothing, objectOf, together } from './cost.ts';
import type { NamedItem, NamedItems } from './nameItems.ts';
import type { ItemWriter } from './writeOptions.ts';

/**
 * The ways that keep the first items of the target in their order and append the others: for each number of items that
 * can be kept, beginning with the most. Not among them are those that keep fewer and write more.
 */
export function keepItems(shape: Shape, field: string, named: NamedItems, writer: ItemWriter): readonly Candidate[] {
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

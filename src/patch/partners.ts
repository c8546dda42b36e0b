import { isObject, type JsonArray, type JsonValue, sameJson } from '../base/json/json.ts';
import type { ListKey } from '../schema/facts/fieldFacts.ts';
import { effectiveList, identifyingKey } from '../schema/shape/listKey.ts';
import type { ListShape } from '../schema/shape/shape.ts';
import { type Identity, keyIdentity } from './place.ts';

/**
 * Whether a live item and a declared one mean the same. `index`: the position of the declared one, so that only fields
 * ignored in that item are skipped; without it, fields ignored in any item.
 */
export type IsSameItem = (live: JsonValue, desired: JsonValue, index?: number) => boolean;

/**
 * The live item for each declared item of an ordered list, by position; undefined if it is new. An item takes over live
 * values only if both are certainly the same, so the position alone is not enough: the key decides if it is unique on
 * both sides, else all declared values of the item. `sameness`: from the strictest to the least important.
 */
export function partnersOf(
  shape: ListShape,
  live: JsonArray,
  desired: JsonArray,
  sameness: readonly IsSameItem[],
): readonly (number | undefined)[] {
  const pairing = new Pairing(live, desired);
  const { list } = shape.facts;
  if (list?.class === 'keyed') pairByKey(pairing, list.key);
  for (const isSame of sameness) {
    if (shape.item.type === 'scalar') pairScalars(pairing, isSame);
    else pairByContent(pairing, isSame);
  }
  return pairing.partners;
}

class Pairing {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  readonly partners: (number | undefined)[];
  readonly #free: Set<number>;

  constructor(live: JsonArray, desired: JsonArray) {
    this.live = live;
    this.desired = desired;
    this.partners = desired.map(() => undefined);
    this.#free = new Set(live.keys());
  }

  /** The positions of live items without a partner. */
  get free(): readonly number[] {
    return [...this.#free];
  }

  /** The positions of declared items without a partner. */
  get open(): readonly number[] {
    return [...this.desired.keys()].filter((index) => this.partners[index] === undefined);
  }

  isFree(position: number): boolean {
    return this.#free.has(position);
  }

  pair(index: number, position: number): void {
    this.partners[index] = position;
    this.#free.delete(position);
  }
}

function pairByKey(pairing: Pairing, key: ListKey): void {
  const positions = uniqueKeys(key, pairing.live);
  for (const [name, index] of uniqueKeys(key, pairing.desired)) {
    const position = positions.get(name);
    if (position !== undefined) pairing.pair(index, position);
  }
}

/** The positions of items whose key is unique in the list. */
function uniqueKeys(key: ListKey, items: JsonArray): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, item] of items.entries()) {
    const name = isObject(item) ? identifyingKey(key, item) : undefined;
    if (name === undefined) continue;
    if (places.has(name)) repeated.add(name);
    places.set(name, place);
  }
  for (const name of repeated) places.delete(name);
  return places;
}

/** A plain value has no content, so equal ones are interchangeable. */
function pairScalars(pairing: Pairing, isSame: IsSameItem): void {
  const { live, desired } = pairing;
  const areSame = (index: number, position: number): boolean => isSame(live[position] ?? null, desired[index] ?? null);
  for (const index of pairing.open) {
    if (pairing.isFree(index) && areSame(index, index)) pairing.pair(index, index);
  }
  for (const index of pairing.open) {
    const position = pairing.free.find((each) => areSame(index, each));
    if (position !== undefined) pairing.pair(index, position);
  }
}

/**
 * Items that mean the same are partners if there are as many live as declared ones: then no value moves to another
 * item. If one side has more, the pairs are unknown, unless all choices have the same result.
 */
function pairByContent(pairing: Pairing, isSame: IsSameItem): void {
  const { live, desired, free, open } = pairing;
  const rows = open.map((index) => ({
    index,
    alike: free.filter((position) => isSame(live[position] ?? null, desired[index] ?? null)),
  }));
  const seen = new Set<number>();
  for (const { index, alike } of rows) {
    const [first] = alike;
    if (first === undefined || seen.has(index)) continue;
    const group = rows.filter((row) => row.alike.includes(first));
    for (const row of group) seen.add(row.index);
    const others = rows.filter((row) => row.alike.some((position) => alike.includes(position)));
    const isClear = others.length === group.length && group.every((row) => sameJson([...row.alike], [...alike]));
    const indexes = group.map((row) => row.index);
    const isCertain =
      isClear && (indexes.length === alike.length || (allEqual(live, alike) && allEqual(desired, indexes)));
    if (!isCertain) continue;
    for (const [place, position] of alike.entries()) {
      const partner = indexes[place];
      if (partner === undefined || !isSame(live[position] ?? null, desired[partner] ?? null, partner)) continue;
      pairing.pair(partner, position);
    }
  }
}

function allEqual(items: JsonArray, places: readonly number[]): boolean {
  const [first = 0] = places;
  return places.every((place) => sameJson(items[place], items[first]));
}

/** How the items of a list are matched with the declared ones. */
export type Matching =
  | { readonly by: 'membership' }
  /** `firstWith`: which item is the first with one of these fields matters. */
  | {
      readonly by: 'key';
      readonly key: ListKey;
      readonly identity: Identity;
      readonly firstWith: readonly string[] | undefined;
    }
  /** The order has a meaning: `partnersOf` pairs live and declared items. */
  | { readonly by: 'order' };

export function matchingOf(shape: ListShape, live: JsonArray, desired: JsonArray): Matching {
  const list = effectiveList(shape, live, desired);
  if (list.class === 'set') return { by: 'membership' };
  if (list.class === 'sequence') return { by: 'order' };
  return { by: 'key', key: list.key, identity: keyIdentity(list.key), firstWith: list.firstWith };
}

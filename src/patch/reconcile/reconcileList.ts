import type { JsonArray, JsonValue } from '../../schema/json/json.ts';
import { equalValues, memberKey } from '../../schema/normalForm/equal.ts';
import { holdsAny } from '../../schema/shape/listKey.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { type Matching, matchingOf } from '../judge/matching.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import { noPatterns, type Patterns, patternsBelow } from '../model/patterns.ts';
import { stepName, type Walk } from '../model/walk.ts';
import { withoutNulls } from '../model/withoutNulls.ts';
import { newItem } from './newValue.ts';

/**
 * The list that `live` should become: the items declared, in the live order and spelling where these mean the same.
 * Items that stay keep what the schema does not know of them, also where the list is written as a whole.
 */
export function reconcileList(
  shape: ListShape,
  live: JsonArray,
  desired: JsonArray,
  ignored: Patterns,
  walk: Walk,
): JsonArray {
  const list: List = { shape, ignored, walk };
  if (live.length === desired.length && isSameInPlace(list, live, desired)) return live;
  const wanted = desired.map((item) => withoutNulls(shape.item, item));
  if (equalValues(shape, live, wanted, walk.context)) return live;
  const matching = matchingOf(shape, live, wanted);
  switch (matching.by) {
    case 'membership':
      return reconcileSet(shape, live, wanted, walk);
    case 'key':
      return reconcileKeyed(list, live, wanted, matching);
    case 'position':
      return reconcileSequence(list, live, wanted);
  }
}

/** The list at the present place of a walk. */
interface List {
  readonly shape: ListShape;
  readonly ignored: Patterns;
  readonly walk: Walk;
}

/** The usual case, and the fast one: every item means what the live one at its position means. */
function isSameInPlace(list: List, live: JsonArray, desired: JsonArray): boolean {
  const { walk } = list;
  const notes = walk.notes.length;
  const { derivedDiffers } = walk;
  const same = live.every((item, index) => {
    const wanted = desired[index];
    return wanted !== undefined && reconcileItem(list, item, wanted, index) === item;
  });
  if (same) return true;
  walk.notes.length = notes;
  walk.derivedDiffers = derivedDiffers;
  return false;
}

function reconcileSet(shape: ListShape, live: JsonArray, desired: JsonArray, walk: Walk): JsonArray {
  const keyOf = (item: JsonValue): string => memberKey(shape, item, walk.context);
  const missing = new Map(desired.map((item) => [keyOf(item), item]));
  const common = live.filter((item) => missing.delete(keyOf(item)));
  return [...common, ...missing.values()];
}

function reconcileKeyed(
  list: List,
  live: JsonArray,
  desired: JsonArray,
  { identity: { ofItem }, firstWith }: Extract<Matching, { by: 'key' }>,
): JsonArray {
  const wanted = new Map(desired.map((item) => [ofItem(item), item]));
  const present = new Set(live.map(ofItem));
  const common = live.flatMap((item, position) => {
    const after = wanted.get(ofItem(item));
    return after === undefined ? [] : [reconcileItem(list, item, after, position)];
  });
  const added = desired.filter((item) => !present.has(ofItem(item)));
  const result = [...common, ...added.map((item) => newItem(list.shape, item, list.walk))];
  const ordered = firstWith === undefined ? result : withRightFirst(result, desired, ofItem, firstWith);
  return sameItems(ordered, live) ? live : ordered;
}

/**
 * The first item that has one of the fields must be the first one declared: those that stand before it move to the
 * end, so that nothing else has to be written.
 */
function withRightFirst(
  items: JsonArray,
  desired: JsonArray,
  keyOf: Identity['ofItem'],
  fields: readonly string[],
): JsonArray {
  const counts = (item: JsonValue): boolean => holdsAny(item, fields);
  const first = desired.find(counts);
  if (first === undefined) return items;
  const place = items.findIndex((item) => keyOf(item) === keyOf(first));
  const before = items.slice(0, place).filter(counts);
  return [...items.filter((item) => !before.includes(item)), ...before];
}

function sameItems(a: JsonArray, b: JsonArray): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function reconcileItem(
  { shape, ignored, walk }: List,
  live: JsonValue,
  desired: JsonValue,
  position: number,
): JsonValue {
  const step = { list: shape, item: desired, position };
  walk.trail.push(step);
  // The key of an item takes longer to find than most items to compare.
  const patterns = ignored.length === 0 ? noPatterns : patternsBelow(ignored, stepName(step), String(position));
  const after = walk.value(shape.item, live, desired, patterns, walk);
  walk.trail.pop();
  return after ?? desired;
}

/** What is declared in the place of each item: the live one that it takes over, else a new one. */
function reconcileSequence(list: List, live: JsonArray, desired: JsonArray): JsonArray {
  const partners = pairUp(list, live, desired);
  const result = desired.map((item, index) => {
    const partner = partners.get(index);
    if (partner === undefined) return newItem(list.shape, item, list.walk);
    return reconcileItem(list, partner.item, item, partner.position);
  });
  return sameItems(result, live) ? live : result;
}

/** A live item and where it is. */
interface Partner {
  readonly item: JsonValue;
  readonly position: number;
}

/**
 * For each item declared, by its position, its live partner: the one at its position if both mean the same, else one
 * with its key, else one that means the same, else whatever is at its position.
 */
function pairUp({ shape, walk }: List, live: JsonArray, desired: JsonArray): ReadonlyMap<number, Partner> {
  const free = new Map(live.entries());
  const partners = new Map<number, Partner>();
  const pair = (arePartners: (item: JsonValue, wanted: JsonValue, inPlace: boolean) => boolean): void => {
    for (const [index, wanted] of desired.entries()) {
      if (partners.has(index)) continue;
      const found = [...free].find(([position, item]) => arePartners(item, wanted, position === index));
      if (found === undefined) continue;
      const [position, item] = found;
      partners.set(index, { item, position });
      free.delete(position);
    }
  };
  const same = (item: JsonValue, wanted: JsonValue): boolean => equalValues(shape.item, item, wanted, walk.context);
  const identity = identityOf(shape, live, walk.context);

  pair((item, wanted, inPlace) => inPlace && same(item, wanted));
  pair((item, wanted) => {
    const key = identity?.ofItem(wanted);
    return key !== undefined && key === identity?.ofItem(item);
  });
  pair(same);
  pair((_item, _wanted, inPlace) => inPlace);
  return partners;
}

import type { JsonArray, JsonValue } from '../../schema/json/json.ts';
import { equalValues, memberKey } from '../../schema/normalForm/equal.ts';
import { holdsAny } from '../../schema/shape/listKey.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { type Matching, matchingOf } from '../judge/matching.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import { type Ignored, ignoredBelow, nothingIgnored } from '../model/ignored.ts';
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
  ignored: Ignored,
  walk: Walk,
): JsonArray {
  const list: List = { shape, ignored, walk };
  if (live.length === desired.length && isSameInPlace(list, live, desired)) return live;
  const wanted = desired.map((item) => withoutNulls(shape.item, item));
  if (shape.facts.byContent === true && equalValues(shape, live, wanted, walk.context)) return live;
  const matching = matchingOf(shape, live, wanted, walk.context);
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
  readonly ignored: Ignored;
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
  if (equalValues(shape, live, desired, walk.context)) return live;
  if (shape.item.type !== 'scalar') {
    const same = (a: JsonValue, b: JsonValue): boolean => equalValues(shape.item, a, b, walk.context);
    const kept = live.filter((item) => desired.some((each) => same(item, each)));
    const added = desired.filter((each) => !live.some((item) => same(item, each)));
    return [...kept, ...added.map((item) => newItem(shape, item, walk))];
  }
  const wanted = new Map(desired.map((item) => [memberKey(shape, item, walk.context), item]));
  const result = new Map<string, JsonValue>();
  for (const item of live) {
    const key = memberKey(shape, item, walk.context);
    if (wanted.has(key) && !result.has(key)) result.set(key, item);
  }
  for (const [key, item] of wanted) if (!result.has(key)) result.set(key, item);
  return [...result.values()];
}

function reconcileKeyed(
  list: List,
  live: JsonArray,
  desired: JsonArray,
  { identity, firstWith }: Extract<Matching, { by: 'key' }>,
): JsonArray {
  const wanted = new Map(desired.map((item) => [identity.ofItem(item), item]));
  const held = new Set(live.map(identity.ofItem));
  const result: JsonValue[] = [];
  let changed = live.length !== desired.length;
  for (const [position, item] of live.entries()) {
    const after = wanted.get(identity.ofItem(item));
    if (after === undefined) {
      changed = true;
      continue;
    }
    const next = reconcileItem(list, item, after, position);
    if (next !== item) changed = true;
    result.push(next);
  }
  for (const item of desired) if (!held.has(identity.ofItem(item))) result.push(newItem(list.shape, item, list.walk));
  const ordered = firstWith === undefined ? result : withRightFirst(result, desired, identity, firstWith);
  return changed || ordered !== result ? ordered : live;
}

/**
 * The first item that has one of the fields must be the first one declared: those that stand before it move to the
 * end, so that nothing else has to be written.
 */
function withRightFirst(
  items: readonly JsonValue[],
  desired: JsonArray,
  identity: Identity,
  fields: readonly string[],
): readonly JsonValue[] {
  const counts = (item: JsonValue): boolean => holdsAny(item, fields);
  const wanted = desired.find(counts);
  const key = wanted === undefined ? undefined : identity.ofItem(wanted);
  const place = items.findIndex((item) => identity.ofItem(item) === key);
  const before = items.slice(0, Math.max(place, 0)).filter(counts);
  if (before.length === 0) return items;
  return [...items.filter((item) => !before.includes(item)), ...before];
}

function reconcileItem(
  { shape, ignored, walk }: List,
  live: JsonValue,
  desired: JsonValue,
  position: number,
): JsonValue {
  const step = { list: shape, item: desired, position };
  const patterns = ignored.length === 0 ? nothingIgnored : ignoredBelow(ignored, stepName(step), position);
  walk.trail.push(step);
  const after = walk.value(shape.item, live, desired, patterns, walk);
  walk.trail.pop();
  return after ?? desired;
}

/** Each item declared takes over the live one with its key, else an equal one, else the one at its position. */
function reconcileSequence(list: List, live: JsonArray, desired: JsonArray): JsonArray {
  const { shape, walk } = list;
  const byKey = shape.facts.list?.class === 'keyed' ? identityOf(shape, live, walk.context) : undefined;
  const partners = pairUp(list, live, desired, byKey);
  const result = desired.map((item, index) => {
    const position = partners[index];
    const before = position === undefined ? undefined : live[position];
    if (position === undefined || before === undefined) return newItem(shape, item, walk);
    return reconcileItem(list, before, item, position);
  });
  return result.length === live.length && result.every((item, index) => item === live[index]) ? live : result;
}

/** For each item declared, the position of its live partner. */
function pairUp(
  { shape, walk }: List,
  live: JsonArray,
  desired: JsonArray,
  identity: Identity | undefined,
): readonly (number | undefined)[] {
  const free = new Set(live.keys());
  const partners: (number | undefined)[] = desired.map(() => undefined);
  const take = (index: number, position: number | undefined): void => {
    if (position === undefined || !free.delete(position)) return;
    partners[index] = position;
  };
  const unpaired = (): readonly number[] => [...partners.keys()].filter((index) => partners[index] === undefined);
  const find = (test: (item: JsonValue | undefined) => boolean): number | undefined =>
    [...free].find((position) => test(live[position]));

  for (const index of unpaired()) {
    if (equalValues(shape.item, live[index], desired[index], walk.context) && desired[index] !== undefined)
      take(index, index);
  }
  if (identity !== undefined) {
    for (const index of unpaired()) {
      const key = identity.ofItem(desired[index] ?? null);
      if (key !== undefined)
        take(
          index,
          find((item) => item !== undefined && identity.ofItem(item) === key),
        );
    }
  }
  for (const index of unpaired()) {
    take(
      index,
      find((item) => item !== undefined && equalValues(shape.item, item, desired[index], walk.context)),
    );
  }
  if (shape.item.type !== 'scalar') for (const index of unpaired()) if (index < live.length) take(index, index);
  return partners;
}

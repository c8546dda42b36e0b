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
import { onceForObject } from '../base/once.ts';
import { equalValues, memberKey } from '../kinds/equal.ts';
import { withoutNulls } from '../kinds/normalise.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { firstKeyWith, holdsAny, identifyingKey, keyFields } from '../schema/shape/listKey.ts';
import { itemName } from '../schema/shape/paths.ts';
import { fieldShape, type ListShape, type ObjectShape, type Shape } from '../schema/shape/shape.ts';
import { impliedByAbsence, isMergedList, isUnmentioned } from './omission.ts';
import { type IsSameItem, type Matching, matchingOf, partnersOf } from './partners.ts';
import { type Identity, isMatched, noPatterns, type Patterns, pathOf, patternsOfItem } from './place.ts';
import type { FieldReason, Recorder, Walk } from './recorder.ts';

/**
 * The list that `live` should become: the declared items, in live order and spelling where these mean the same.
 * Remaining items keep fields unknown to the schema, even if the list is written as a whole.
 */
export function reconcileList(shape: ListShape, live: JsonArray, declared: JsonArray, walk: Walk): JsonArray {
  const { recorder, ignored } = walk;
  const list: List = { shape, ignored, walk, declared };
  const used = withIgnoredInPlace(shape, declared, ignored, live);
  const desired = isMergedList(shape) ? withUnmentioned(list, live, used) : used;
  // Without recording: if all items are the same in place, each is recorded below.
  const quiet = recorder === undefined ? list : { ...list, walk: { ...walk, notes: [], recorder: undefined } };
  const isInPlace = live.length === desired.length && isSameInPlace(quiet, live, desired);
  if (isInPlace && recorder === undefined) return live;
  const wanted = desired.map((item) => withoutNulls(shape.item, item));
  const matching = matchingOf(shape, live, wanted);
  // Otherwise each item is compared: declaring a member unknown to the schema is not a difference of values.
  const isUnordered = matching.by === 'membership' || shape.facts.byContent === true;
  const isSame = isInPlace || (isUnordered && equalValues(shape, live, wanted, walk.context));
  if (isSame && recorder === undefined) return live;
  const length = recorder?.length ?? 0;
  const made = reconcileItems({ ...list, isInPlace, isSame }, live, wanted, matching);
  const after = isSame ? live : made;
  if (recorder !== undefined) recordAsWhole(list, matching, live, after, length, recorder);
  return after;
}

/** If the list is one value, one verdict replaces those of its items. */
function recordAsWhole(
  { shape, walk, declared }: List,
  { by }: Matching,
  live: JsonArray,
  after: JsonArray,
  length: number,
  recorder: Recorder,
): void {
  const isOneValue = live.length === 0 || (declared.length === 0 && !isMergedList(shape)) || by === 'membership';
  const isOfSeveral = walk.part && by !== 'key';
  if (!isOneValue && !isOfSeveral) return;
  const isSame = !isOfSeveral && sameJson(live, declared);
  recorder.replaceSince(length, walk, isSame ? 'same' : after === live ? 'set' : 'differs', {
    live,
    desired: declared,
  });
}

function reconcileItems(list: List, live: JsonArray, wanted: JsonArray, matching: Matching): JsonArray {
  if (matching.by === 'key') return reconcileKeyed(list, live, wanted, matching);
  if (list.walk.part) return withMissing(list, live, wanted);
  return matching.by === 'membership' ? reconcileSet(list, live, wanted) : reconcileSequence(list, live, wanted);
}

/** For a part, each declared item must exist; the others belong to other owners. */
function withMissing({ shape, walk }: List, live: JsonArray, wanted: JsonArray): JsonArray {
  const isThere = (item: JsonValue): boolean => live.some((each) => equalValues(shape.item, each, item, walk.context));
  const missing = wanted.filter((item) => !isThere(item));
  return missing.length === 0 ? live : [...live, ...missing];
}

/** Adds the items that stay although undeclared. */
function withUnmentioned({ shape, ignored, walk }: List, live: JsonArray, declared: JsonArray): JsonArray {
  const wanted = new Set(declared.map((item) => itemName(shape, item)));
  const around = { wasSet: walk.wasSet, ignored };
  const stay = live.filter(
    (item) => !wanted.has(itemName(shape, item)) && isUnmentioned(shape, item, () => pathOf(walk), around),
  );
  return stay.length === 0 ? declared : [...declared, ...stay];
}

/** The list at the current place. */
interface List {
  readonly shape: ListShape;
  readonly ignored: Patterns;
  readonly walk: Walk;
  /**
   * For a recorder: the declared list, and whether each live item means the same as the declared one at its position,
   * or in a list without an order as one anywhere.
   */
  readonly declared: JsonArray;
  readonly isInPlace?: boolean;
  readonly isSame?: boolean;
}

/**
 * The usual, fast case: each item means the same as the live one at its position, and has the same key, which may
 * differ by an ignored or derived field.
 */
function isSameInPlace(list: List, live: JsonArray, desired: JsonArray): boolean {
  const { shape, ignored, walk } = list;
  const { notes, derivedDiffers } = walk;
  const before = notes.length;
  const fields = ignored.length > 0 ? keyFields(shape) : filledKeyFields(shape);
  const same = live.every((item, index) => {
    const wanted = desired[index];
    if (wanted === undefined || reconcileItem(list, item, wanted, index) !== item) return false;
    return fields.every((field) => saysTheSame(field, item, wanted)) || haveSameKey(shape, item, wanted);
  });
  if (same) return true;
  notes.length = before;
  walk.derivedDiffers = derivedDiffers;
  return false;
}

/**
 * The key fields that the platform may fill in: two items may have different keys although nothing declared differs.
 */
const filledKeyFields = onceForObject((shape: ListShape): readonly string[] => {
  const { item } = shape;
  if (item.type !== 'object') return [];
  return keyFields(shape).filter((name) => (fieldShape(item, name)?.facts.fill ?? 'constant') !== 'constant');
});

/** Finding a key takes longer than comparing most items, and usually both are equal. */
function saysTheSame(field: string, a: JsonValue, b: JsonValue): boolean {
  return isObject(a) && isObject(b) && own(a, field) === own(b, field);
}

function haveSameKey({ facts: { list } }: ListShape, a: JsonValue, b: JsonValue): boolean {
  if (list?.class !== 'keyed' || !isObject(a) || !isObject(b)) return false;
  return identifyingKey(list.key, a) === identifyingKey(list.key, b);
}

function reconcileSet({ shape, walk }: List, live: JsonArray, desired: JsonArray): JsonArray {
  const keyOf = (item: JsonValue): string => memberKey(shape, item, walk.context);
  const missing = new Map(desired.map((item) => [keyOf(item), item]));
  const common = live.filter((item) => missing.delete(keyOf(item)));
  return [...common, ...missing.values()];
}

function reconcileKeyed(
  list: List,
  live: JsonArray,
  desired: JsonArray,
  { key: listKey, identity: { ofItem }, firstWith: counting }: Extract<Matching, { by: 'key' }>,
): JsonArray {
  const { shape, walk, declared } = list;
  // In a part, the first item may belong to another owner.
  const firstWith = walk.part ? undefined : counting;
  const wanted = new Map(desired.map((item) => [ofItem(item), item]));
  const present = new Set(live.map(ofItem));
  const places = walk.recorder && new Map(declared.map((item, place) => [ofItem(item), place]));
  if (places !== undefined && live.some((item, position) => (places.get(ofItem(item)) ?? position) !== position)) {
    const [has, wants] = [live, desired].map((items) => firstWith && firstKeyWith(listKey, items, firstWith));
    recordMoved(list, live, wants !== undefined && has !== wants);
  }
  const isIgnored = walk.recorder && ignoredAsWhole(shape, list.ignored);
  const common = live.flatMap((item, position) => {
    const key = ofItem(item);
    const [after, declaredAt] = [wanted.get(key), places?.get(key)];
    if (after !== undefined && (places === undefined || declaredAt !== undefined))
      return [reconcileItem(list, item, after, position, declaredAt)];
    const stays = after !== undefined || walk.part;
    const why = isIgnored?.(item) === true ? 'ignored' : 'unmentioned';
    recordItem(list, walk.part ? 'foreign' : stays ? why : 'differs', { live: item, position });
    return stays ? [item] : [];
  });
  const added = desired.filter((item) => !present.has(ofItem(item)));
  for (const [key, position] of places ?? []) {
    if (!present.has(key))
      recordItem(list, wanted.has(key) ? 'differs' : 'ignored', { desired: declared[position], position });
  }
  const result = [...common, ...added.map((item) => newItem(shape, item, walk))];
  const ordered = firstWith === undefined ? result : withRightFirst(result, desired, ofItem, firstWith);
  return sameItems(ordered, live) ? live : ordered;
}

/** The order of a keyed list has no meaning, except for the first item with a port. */
function recordMoved({ shape, walk, declared }: List, live: JsonArray, isAnotherFirst: boolean): void {
  const isOrder = isAnotherFirst || equalValues(shape, live, declared, walk.context);
  if (isOrder) walk.recorder?.add(walk, isAnotherFirst ? 'differs' : 'order', { live, desired: declared });
}

/** Records an item that only one side has, or that belongs to another owner. */
function recordItem(
  { shape, walk }: List,
  why: FieldReason,
  {
    live,
    desired,
    position,
  }: { readonly live?: JsonValue | undefined; readonly desired?: JsonValue | undefined; readonly position: number },
): void {
  if (walk.recorder === undefined) return;
  walk.trail.push({ list: shape, item: live ?? desired ?? null, position });
  walk.recorder.add(walk, why, { live, desired });
  walk.trail.pop();
}

/**
 * The declaration of an item whose key is ignored is used only to create the record, even if the item was removed
 * since. With `*` instead of the key, a new item is created once.
 */
export function withoutIgnoredItems(shape: ListShape, desired: JsonArray, ignored: Patterns): JsonArray {
  const isIgnored = ignoredAsWhole(shape, ignored);
  return isIgnored === undefined ? desired : desired.filter((item) => !isIgnored(item));
}

/** Returns whether an item is ignored as a whole, by its key. Undefined if none is. */
export function ignoredAsWhole(shape: ListShape, ignored: Patterns): ((item: JsonValue) => boolean) | undefined {
  const named = ignored.filter(([segment]) => segment?.any === false);
  return named.length === 0 ? undefined : (item) => isMatched(patternsOfItem(named, itemName(shape, item)));
}

/**
 * The same beside live items: an ignored live item keeps its position, whatever position the code gives it, even if the
 * code does not name it.
 */
function withIgnoredInPlace(shape: ListShape, desired: JsonArray, ignored: Patterns, live: JsonArray): JsonArray {
  const isIgnored = ignoredAsWhole(shape, ignored);
  if (isIgnored === undefined) return desired;
  const nameOf = (item: JsonValue): string | undefined => itemName(shape, item);
  const aside = new Map(desired.filter(isIgnored).map((item) => [nameOf(item), item]));
  const result = desired.filter((item) => !isIgnored(item));
  const places = new Map(live.map((item, place) => [nameOf(item), { item, place }]));
  for (const [name, { item, place }] of places) {
    if (!isIgnored(item)) continue;
    const others = result.map((each) => places.get(nameOf(each))?.place);
    result.splice(placeAmong(others, place), 0, aside.get(name) ?? item);
  }
  return result;
}

/** The position at which the fewest others, by live position, change sides; new items have no live position. */
function placeAmong(others: readonly (number | undefined)[], place: number): number {
  let [best, right, most] = [0, 0, 0];
  for (const [index, other = place] of others.entries()) {
    right += Math.sign(place - other);
    if (right > most) [best, most] = [index + 1, right];
  }
  return best;
}

/**
 * The first item with one of the fields must be the first declared one: those before it move to the end, so that
 * nothing else must be written.
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

export function sameItems(a: JsonArray, b: JsonArray): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function reconcileItem(
  { shape, ignored, walk }: List,
  live: JsonValue,
  desired: JsonValue,
  position: number,
  declaredAt?: number,
): JsonValue {
  const step = { list: shape, item: desired, position };
  walk.trail.push(walk.recorder === undefined ? step : { ...step, held: live, declaredAt: declaredAt ?? position });
  // Finding an item's key takes longer than comparing most items.
  walk.ignored = ignored.length === 0 ? noPatterns : patternsOfItem(ignored, itemName(shape, desired), position);
  const after = walk.value(shape.item, live, desired, walk);
  walk.ignored = ignored;
  walk.trail.pop();
  return after ?? desired;
}

/** For each declared item the live one that matches it, else a new one. */
function reconcileSequence(list: List, live: JsonArray, desired: JsonArray): JsonArray {
  const { shape, ignored, walk, declared } = list;
  // The second walk visits the result of the first one, in which each item has its final position.
  const isMade = list.isInPlace === true || (walk.settleDerived && live.length === desired.length);
  const partners = isMade ? [...live.keys()] : partnersOf(shape, live, desired, sameItem(shape, ignored, walk));
  const length = walk.recorder?.length ?? 0;
  const result = desired.map((item, index) => {
    const before = live[partners[index] ?? -1];
    return before === undefined ? newItem(shape, item, walk) : reconcileItem(list, before, item, index);
  });
  const after = list.isSame === true || sameItems(result, live) ? live : result;
  if (walk.recorder === undefined) return after;
  const isInPlace = live.length === declared.length && partners.every((position, index) => position === index);
  // A plain value contains nothing that could belong to another item.
  if (shape.item.type === 'scalar') recordPlaces(list, live, length, walk.recorder);
  else if (!isInPlace)
    walk.recorder.replaceSince(length, walk, after === live ? 'set' : 'differs', { live, desired: declared });
  return after;
}

/** Records each position of a list of plain values, whatever happens to the list. */
function recordPlaces(list: List, live: JsonArray, length: number, recorder: Recorder): void {
  recorder.forget(length);
  for (let position = 0; position < Math.max(live.length, list.declared.length); position += 1) {
    const [before, wanted] = [live[position], list.declared[position]];
    if (before !== undefined && wanted !== undefined) reconcileItem(list, before, wanted, position);
    else recordItem(list, 'differs', { live: before, desired: wanted, position });
  }
}

/**
 * Whether two items mean the same, so that nothing in the live one must change: completely, and without the fields that
 * are ignored in any item of the list.
 */
export function sameItem(
  shape: ListShape,
  ignored: Patterns,
  { context, enclosing, value }: Pick<Walk, 'context' | 'enclosing' | 'value'>,
): readonly IsSameItem[] {
  const walk: Walk = {
    context,
    wasSet: () => false,
    revertOperational: false,
    notes: [],
    recorder: undefined,
    part: false,
    enclosing,
    trail: [],
    ignored: noPatterns,
    settleDerived: false,
    derivedDiffers: false,
    value,
  };
  const areSame = (live: JsonValue, desired: JsonValue, patterns: Patterns): boolean => {
    walk.ignored = patterns;
    return value(shape.item, live, desired, walk) === live;
  };
  const whole: IsSameItem = (live, desired) => areSame(live, desired, noPatterns);
  const ofAny = patternsOfItem(ignored, undefined);
  if (ofAny.length === 0) return [whole];
  const aside: IsSameItem = (live, desired, index) =>
    areSame(live, desired, index === undefined ? ofAny : patternsOfItem(ignored, itemName(shape, desired), index));
  return [whole, aside];
}

/** The value to write if live has none: without nulls and values that equal their absence. */
export function newValue(shape: Shape, desired: JsonValue, walk: Walk): JsonValue {
  const value = withoutNulls(shape, desired);
  return walk.stored?.hasOtherDefaults === true ? value : withoutDefaults(shape, value, walk);
}

/** The same for a new list item, already without nulls; it keeps its identifying fields. */
function newItem(list: ListShape, item: JsonValue, walk: Walk): JsonValue {
  if (walk.stored?.hasOtherDefaults === true) return item;
  return withoutDefaults(list.item, item, walk, keyFields(list));
}

/** The objects around the value, starting with the record. */
interface Around {
  readonly enclosing: readonly JsonObject[];
  readonly context: RecordContext;
}

/**
 * A value that live lacks, without members that equal their absence: documented defaults, derived values, empty lists.
 * Identifying fields of list items stay.
 */
function withoutDefaults(shape: Shape, value: JsonValue, around: Around, keep: readonly string[] = []): JsonValue {
  if (shape.type === 'object' && isObject(value)) return leanObject(shape, value, around, keep);
  if (shape.type === 'list' && isArray(value)) {
    const keys = keyFields(shape);
    return value.map((item) => withoutDefaults(shape.item, item, around, keys));
  }
  return value;
}

function leanObject(shape: ObjectShape, object: JsonObject, around: Around, keep: readonly string[]): JsonObject {
  const inside: Around = { context: around.context, enclosing: [...around.enclosing, object] };
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    const member = keep.includes(name) ? undefined : shape.fields.get(name);
    const next = member === undefined ? value : leanMember(member, value, inside);
    if (next !== undefined) put(result, name, next);
  }
  return result;
}

/** Returns undefined if it can be omitted. */
function leanMember(shape: Shape, value: JsonValue, around: Around): JsonValue | undefined {
  const next = withoutDefaults(shape, value, around);
  return impliedByAbsence(shape, next, around) === undefined ? next : undefined;
}

import { type JsonArray, type JsonValue, sameJson } from '../../base/json/json.ts';
import { equalValues } from '../../kinds/normalForm/equal.ts';
import { type Matching, matchingOf } from '../../patch/judge/matching.ts';
import { isMergedList, isUnmentioned } from '../../patch/judge/omission.ts';
import { partnersOf } from '../../patch/judge/partners.ts';
import type { Identity } from '../../patch/model/identity.ts';
import { patternsOfItem } from '../../patch/model/patterns.ts';
import { stepName } from '../../patch/model/walk.ts';
import { samenessOf } from '../../patch/reconcile/reconcile.ts';
import { firstKeyWith } from '../../schema/shape/listKey.ts';
import { itemName } from '../../schema/shape/paths.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { below, type Spot, type Verdict, verdictAt, type Walk } from './verdict.ts';

/** A list against what is declared of it: sets as a whole, others item by item, as far as each one is known again. */
export function judgeList(
  shape: ListShape,
  held: JsonArray,
  declared: JsonArray,
  spot: Spot,
  walk: Walk,
): readonly Verdict[] {
  const matching = matchingOf(shape, held, declared);
  if (walk.part && matching.by !== 'key') return judgeMembership(shape, held, declared, spot, walk);
  if (held.length === 0 || (declared.length === 0 && !isMergedList(shape)) || matching.by === 'membership') {
    const equal = equalValues(shape, held, declared, walk.context);
    return verdictAt(spot, sameJson(held, declared) ? 'same' : equal ? 'set' : 'differs', held, declared);
  }
  if (matching.by === 'key') {
    const pairs = byKey(held, declared, matching.identity);
    return [
      ...(hasMoved(pairs) ? judgeOrder(shape, matching, { held, declared }, spot, walk) : []),
      ...pairs.flatMap((pair) => judgeItem(shape, pair, spot, walk)),
    ];
  }
  // A plain value has nothing inside that could be of another item.
  const isPlain = shape.item.type === 'scalar';
  const pairs = isPlain ? byPosition(held, declared) : inPlace(shape, held, declared, spot, walk);
  return pairs === undefined
    ? verdictAt(spot, equalValues(shape, held, declared, walk.context) ? 'set' : 'differs', held, declared)
    : pairs.flatMap((pair) => judgeItem(shape, pair, spot, walk));
}

/** Undefined: an item is new, has gone or has moved, so the list is written as a whole. */
function inPlace(
  shape: ListShape,
  held: JsonArray,
  declared: JsonArray,
  { ignored }: Spot,
  walk: Walk,
): readonly Pair[] | undefined {
  if (held.length !== declared.length) return undefined;
  const sameness = samenessOf(shape, ignored, walk);
  const [isSame] = sameness.slice(-1);
  const areSame = held.every((item, index) => isSame?.(item, declared[index] ?? null, index) === true);
  const partners = areSame ? [...held.keys()] : partnersOf(shape, held, declared, sameness);
  return partners.every((position, index) => position === index) ? byPosition(held, declared) : undefined;
}

function hasMoved(pairs: readonly Pair[]): boolean {
  return pairs.some(
    ({ heldAt, declaredAt }) => heldAt !== undefined && declaredAt !== undefined && heldAt !== declaredAt,
  );
}

/** Of a part it only counts that each declared item is there; the others are of somebody else. */
function judgeMembership(
  shape: ListShape,
  held: JsonArray,
  declared: JsonArray,
  spot: Spot,
  walk: Walk,
): readonly Verdict[] {
  const isThere = (item: JsonValue): boolean => held.some((each) => equalValues(shape.item, each, item, walk.context));
  return verdictAt(spot, declared.every(isThere) ? 'set' : 'differs', held, declared);
}

/** The order of a keyed list has no meaning, except for the first item with a port. */
function judgeOrder(
  shape: ListShape,
  { key, firstWith }: Extract<Matching, { by: 'key' }>,
  { held, declared }: { readonly held: JsonArray; readonly declared: JsonArray },
  spot: Spot,
  walk: Walk,
): readonly Verdict[] {
  if (firstWith !== undefined) {
    const [has, wants] = [held, declared].map((items) => firstKeyWith(key, items, firstWith));
    if (has !== wants) return verdictAt(spot, 'differs', held, declared);
  }
  return equalValues(shape, held, declared, walk.context) ? verdictAt(spot, 'order', held, declared) : [];
}

interface Pair {
  readonly held?: JsonValue;
  readonly heldAt?: number;
  readonly declared?: JsonValue;
  readonly declaredAt?: number;
}

function judgeItem(shape: ListShape, pair: Pair, spot: Spot, walk: Walk): readonly Verdict[] {
  const { held, declared } = pair;
  const [heldAt, declaredAt] = [pair.heldAt ?? pair.declaredAt ?? 0, pair.declaredAt ?? pair.heldAt ?? 0];
  const item = held ?? declared;
  if (item === undefined) return [];
  const name = stepName({ list: shape, item, position: heldAt });
  const ignored = patternsOfItem(spot.ignored, itemName(shape, item), declaredAt);
  const at = { ...below(spot, name, heldAt, declaredAt), ignored };
  if (walk.part && declared === undefined) return verdictAt(at, 'foreign', held, declared);
  const around = { wasSet: walk.wasSet, ignored: spot.ignored };
  const isLeft = declared === undefined && isMergedList(shape);
  if (isLeft && isUnmentioned(shape, item, () => spot.place.path, around))
    return verdictAt(at, 'unmentioned', held, declared);
  if (held === undefined || declared === undefined) return verdictAt(at, 'differs', held, declared);
  return walk.value(shape.item, held, declared, at, walk);
}

function byKey(held: JsonArray, declared: JsonArray, { ofItem }: Identity): readonly Pair[] {
  const wanted = new Map(declared.map((item, declaredAt) => [ofItem(item), { declared: item, declaredAt }]));
  const has = new Set(held.map(ofItem));
  const there = held.map((item, heldAt) => ({ held: item, heldAt, ...wanted.get(ofItem(item)) }));
  return [...there, ...[...wanted].flatMap(([key, pair]) => (has.has(key) ? [] : [pair]))];
}

function byPosition(held: JsonArray, declared: JsonArray): readonly Pair[] {
  return Array.from({ length: Math.max(held.length, declared.length) }, (_, index) => {
    const [has, wants] = [held[index], declared[index]];
    return {
      ...(has === undefined ? {} : { held: has, heldAt: index }),
      ...(wants === undefined ? {} : { declared: wants, declaredAt: index }),
    };
  });
}

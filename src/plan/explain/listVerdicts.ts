import { type Matching, matchingOf } from '../../patch/judge/matching.ts';
import type { Identity } from '../../patch/model/identity.ts';
import { stepName } from '../../patch/model/walk.ts';
import { type JsonArray, type JsonValue, sameJson } from '../../schema/json/json.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import { firstKeyWith } from '../../schema/shape/listKey.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { below, type Spot, type Verdict, verdictAt, type Walk } from './verdict.ts';

/** A list against what is declared of it: sets as a whole, keyed lists item by item, sequences by position. */
export function judgeList(
  shape: ListShape,
  held: JsonArray,
  declared: JsonArray,
  spot: Spot,
  walk: Walk,
): readonly Verdict[] {
  const matching = matchingOf(shape, held, declared);
  if (walk.part && matching.by !== 'key') return judgeMembership(shape, held, declared, spot, walk);
  if (held.length === 0 || declared.length === 0 || matching.by === 'membership') {
    const equal = equalValues(shape, held, declared, walk.context);
    return verdictAt(spot, sameJson(held, declared) ? 'same' : equal ? 'set' : 'differs', held, declared);
  }
  const pairs = matching.by === 'key' ? byKey(held, declared, matching.identity) : byPosition(held, declared);
  return [
    ...(matching.by === 'key' && hasMoved(pairs) ? judgeOrder(shape, matching, { held, declared }, spot, walk) : []),
    ...pairs.flatMap((pair) => judgeItem(shape, pair, spot, walk)),
  ];
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
  const at = below(spot, name, heldAt, declaredAt);
  if (walk.part && declared === undefined) return verdictAt(at, 'foreign', held, declared);
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

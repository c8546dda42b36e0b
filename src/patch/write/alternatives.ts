import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
  sameJson,
} from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { isReserved } from '../model/directive.ts';
import { identityOf } from '../model/identity.ts';
import { inside, type Place, root } from '../model/place.ts';
import { itemShape, memberShape } from '../model/shapeInside.ts';
import { bytesOf, type Candidate, cheapest } from './cost.ts';
import { type Impossible, listWays } from './listAlternatives.ts';
import { memberCandidates, type WriteOptions } from './writePatch.ts';

/** One way to write a change, and what it costs: changed leaves first, then bytes of JSON. */
export interface Way extends Candidate {
  readonly bytes: number;
}

/** A place where the planner could write its change in more than one way. */
export interface Choice {
  readonly path: string;
  readonly pointer: Pointer;
  readonly shape: Shape;
  readonly chosen: Way;
  /** The cheapest first. */
  readonly rejected: readonly Way[];
  readonly impossible: readonly Impossible[];
}

/**
 * What `writePatch` weighs on its way from `live` to `target`, place by place, the outermost first. Only the places
 * that the chosen patch goes through are listed; a field that is new, or plain, leaves no choice.
 */
export function alternatives(
  shape: ObjectShape,
  live: JsonObject,
  target: JsonObject,
  options: WriteOptions,
): readonly Choice[] {
  const run: Run = { options, found: [] };
  weighObject(shape, live, target, root, run);
  return run.found;
}

interface Run {
  readonly options: WriteOptions;
  readonly found: Choice[];
}

function weighObject(shape: Shape, live: JsonObject, target: JsonObject, place: Place, run: Run): void {
  for (const name of Object.keys(target)) {
    const [before, after] = [own(live, name), own(target, name)];
    if (before === undefined || after === undefined || isReserved(name) || sameJson(before, after)) continue;
    const at = { shape: memberShape(shape, name), name, place: inside(place, name) };
    if (isObject(before) && isObject(after)) weighMember(at, before, after, run);
    else if (isArray(before) && isArray(after)) weighList(at, before, after, run);
  }
}

interface Member {
  readonly shape: Shape;
  readonly name: string;
  readonly place: Place;
}

function weighMember({ shape, name, place }: Member, before: JsonObject, after: JsonObject, run: Run): void {
  const candidates = memberCandidates(shape, name, before, after, run.options);
  const best = cheapest(candidates);
  if (best === undefined) return;
  run.found.push(...choiceAt(shape, place, { best, candidates, impossible: [] }));
  if (best.entries[0]?.key === name) weighObject(shape, before, after, place, run);
}

function weighList({ shape, name, place }: Member, before: JsonArray, after: JsonArray, run: Run): void {
  const candidates = memberCandidates(shape, name, before, after, run.options);
  const best = cheapest(candidates);
  if (best === undefined) return;
  const { ways, impossible } = listWays(shape, name, before, after, run.options);
  run.found.push(...choiceAt(shape, place, { best, candidates: [...candidates, ...ways], impossible }));
  if (best.entries.some(({ key }) => key === `$patch/${name}`)) weighItems(shape, before, after, place, run);
}

/** The items that stay and change: each is an object of its own. */
function weighItems(shape: Shape, before: JsonArray, after: JsonArray, place: Place, run: Run): void {
  const identity = identityOf(shape, before, run.options.context);
  const held = new Map(before.map((item, index) => [identity?.ofItem(item), { item, index }]));
  for (const item of after) {
    const key = identity?.ofItem(item);
    const live = key === undefined ? undefined : held.get(key);
    if (key === undefined || live === undefined || !isObject(live.item) || !isObject(item)) continue;
    if (!sameJson(live.item, item)) weighObject(itemShape(shape), live.item, item, inside(place, live.index, key), run);
  }
}

interface Weighed {
  readonly best: Candidate;
  readonly candidates: readonly Candidate[];
  readonly impossible: readonly Impossible[];
}

/** Empty if there is no other way. */
function choiceAt(
  shape: Shape,
  { path, pointer }: Place,
  { best, candidates, impossible }: Weighed,
): readonly Choice[] {
  const others = new Map<string, Way>();
  for (const candidate of candidates.filter((each) => formOf(each) !== formOf(best)).map(wayOf)) {
    const known = others.get(formOf(candidate));
    if (known === undefined || compareCost(candidate, known) < 0) others.set(formOf(candidate), candidate);
  }
  const rejected = [...others.values()].sort(compareCost);
  if (rejected.length === 0 && impossible.length === 0) return [];
  return [{ path, pointer, shape, chosen: wayOf(best), rejected, impossible }];
}

function wayOf(candidate: Candidate): Way {
  return { ...candidate, bytes: bytesOf(candidate) };
}

function compareCost(a: Way, b: Way): number {
  return a.leaves - b.leaves || a.bytes - b.bytes;
}

/** Ways that use the same words are one: the cheapest of them counts. */
function formOf({
  entries,
}: {
  readonly entries: readonly { readonly key: string; readonly value: JsonValue }[];
}): string {
  return entries.map(({ key }) => key).join(' ');
}

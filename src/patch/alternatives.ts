import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  own,
  sameJson,
} from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';
import { identityOf, inside, itemShape, memberShape, type Place, root } from './place.ts';
import {
  bytesOf,
  type Candidate,
  cheapest,
  compareCost,
  type Impossible,
  listWays,
  type Member,
  memberCandidates,
  objectOf,
  type WriteOptions,
} from './writePatch.ts';

/** One way to write a change, with its cost: first changed leaves, then bytes of JSON. */
export interface Way extends Candidate {
  readonly bytes: number;
}

/** A place whose change can be written in more than one way. */
export interface Choice {
  readonly path: string;
  readonly pointer: Pointer;
  readonly shape: Shape;
  readonly chosen: Way;
  /** Cheapest first. */
  readonly rejected: readonly Way[];
  readonly impossible: readonly Impossible[];
}

/**
 * The choices of `writePatch` from `live` to `target`, by place, outermost first. Only places on the path of the chosen
 * patch are listed; new and plain fields have no choice.
 */
export function alternatives(
  shape: ObjectShape,
  live: JsonObject,
  target: JsonObject,
  options: WriteOptions,
): readonly Choice[] {
  const run: Run = { options, found: [] };
  weighObject({ shape, place: root }, { before: live, after: target }, run);
  return run.found;
}

interface Run {
  readonly options: WriteOptions;
  readonly found: Choice[];
}

/** A value before and after the change. */
interface Pair<Value extends JsonValue> {
  readonly before: Value;
  readonly after: Value;
}

function weighObject({ shape, place }: Omit<PlacedMember, 'name'>, of: Pair<JsonObject>, run: Run): void {
  for (const [name, after] of Object.entries(of.after)) {
    const before = own(of.before, name);
    if (sameJson(before, after)) continue;
    const at = { shape: memberShape(shape, name), name, place: inside(place, name) };
    if (isObject(before) && isObject(after)) weighMember(at, { before, after }, run);
    else if (isArray(before) && isArray(after)) weighList(at, { before, after }, run);
  }
}

interface PlacedMember extends Member {
  readonly place: Place;
}

function weighMember(at: PlacedMember, of: Pair<JsonObject>, run: Run): void {
  const chosen = weigh(at, of, [], run);
  if (Object.hasOwn(chosen, at.name)) weighObject(at, of, run);
}

function weighList(at: PlacedMember, of: Pair<JsonArray>, run: Run): void {
  const { impossible } = listWays(at, of.before, of.after, run.options);
  const chosen = weigh(at, of, impossible, run);
  weighItems(at, of, listAt(chosen, `$patch/${at.name}`), run);
}

/** Items changed in place: each is a separate object. */
function weighItems(
  { shape, place }: PlacedMember,
  { before, after }: Pair<JsonArray>,
  patches: JsonArray,
  run: Run,
): void {
  const identity = identityOf(shape, before, run.options.context);
  for (const patch of patches) {
    const key = identity?.ofPatch(patch);
    const isMeant = (item: JsonValue): boolean => identity?.ofItem(item) === key;
    const position = before.findIndex(isMeant);
    const [live, target] = [before[position], after.find(isMeant)];
    if (isObject(live) && isObject(target))
      weighObject(
        { shape: itemShape(shape), place: inside(place, position, key) },
        { before: live, after: target },
        run,
      );
  }
}

/** The patch entries for this member: none if it cannot be written. Listed if there is another way. */
function weigh(
  member: PlacedMember,
  { before, after }: Pair<JsonValue>,
  impossible: readonly Impossible[],
  { options, found }: Run,
): JsonObject {
  const {
    shape,
    place: { path, pointer },
  } = member;
  const candidates = memberCandidates(member, before, after, options);
  const best = cheapest(candidates);
  if (best === undefined) return {};
  const rejected = otherForms(candidates, best).map(wayOf);
  if (rejected.length > 0 || impossible.length > 0) {
    found.push({ path, pointer, shape, chosen: wayOf(best), rejected, impossible });
  }
  return objectOf(best.entries);
}

/** Ways with the same directives are one: the cheapest counts. */
function otherForms(candidates: readonly Candidate[], best: Candidate): readonly Candidate[] {
  const forms = new Set([formOf(best)]);
  return candidates.toSorted(compareCost).filter((each) => {
    const form = formOf(each);
    const isOther = !forms.has(form);
    forms.add(form);
    return isOther;
  });
}

function formOf({ entries }: Candidate): string {
  return entries.map(({ key }) => key).join(' ');
}

function wayOf(candidate: Candidate): Way {
  return { ...candidate, bytes: bytesOf(candidate) };
}

import { isArray, isObject, type JsonObject, type JsonValue, objectAt, own, sameJson } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact, present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { compareText } from '../../base/text/compareText.ts';
import { normalise } from '../../kinds/normalise.ts';
import { checkRecord, checkTags } from '../../kinds/registry.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { markedTexts, withoutMarked } from '../../manifest/model/marks.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { withoutSecretKey } from '../../manifest/secretKeys.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import { contextOf, type RecordContext, type ResourceId } from '../../schema/record/ref.ts';
import { childShape, formatPath, itemName, matchPath } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import { deletedBefore, type PlanContext, unreadFields } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { type ItemPath, itemsOf } from '../record/items.ts';
import { withoutFields, withValue } from '../record/shapeFacts.ts';

/**
 * Refuses a change whose result breaks a platform rule: a value that stays conflicts with a new one. A rule that the
 * live or the declared record already breaks is reported elsewhere and does not block other changes.
 */
export function refuseKept(draft: Draft, planning: PlanContext): Draft {
  const { result, desired, ref } = draft;
  if (result === undefined) return draft;
  const live = draft.live ?? draft.from;
  const check: Check = { kind: ref.kind, context: contextOf(ref, planning.org) };
  // A new record equals the declared one except for its tags, and the declared one was checked before.
  const isNew = live === undefined && desired !== undefined;
  const found = isNew ? checkTags(ref.kind, objectAt(result, 'tags'), check.context) : problemsOf(check, result);
  if (found.length === 0) return draft;

  const declared =
    desired === undefined || draft.part === true ? {} : normalise(ref.kind, desired.record, check.context);
  const known = new Set([live?.record ?? {}, declared].flatMap((record) => problemsOf(check, record)).map(keyOf));
  const made = found.filter((problem) => !known.has(keyOf(problem)));
  return withRefusals(
    draft,
    made.map((problem) =>
      refusalOf(
        problem,
        { ...check, result, live: live?.record ?? {}, declared },
        draft,
        ownerLookup(draft, live, planning),
      ),
    ),
  );
}

interface Check {
  readonly kind: Kind;
  readonly context: RecordContext;
}

interface RecordSides extends Check {
  readonly result: JsonObject;
  readonly live: JsonObject;
  readonly declared: JsonObject;
}

function problemsOf({ kind, context }: Check, record: JsonObject): readonly Problem[] {
  return checkRecord(kind, record, context).filter(({ severity }) => severity === 'error');
}

function keyOf({ rule, path, message }: Problem): string {
  return `${rule} ${path} ${message}`;
}

/** Returns the other stacks that own the value that stays at a path. */
type OwnerLookup = (path: ItemPath) => readonly string[];

function ownerLookup({ part }: Draft, live: LiveResource | undefined, planning: PlanContext): OwnerLookup {
  if (live === undefined) return () => [];
  const claims = planning.claims(live);
  return (path) => {
    for (let end = path.length; end > 0; end -= 1) {
      const { others } = claims.at(path.slice(0, end));
      if (others.length > 0) return others.map(({ stack }) => stack);
    }
    return part === true && claims.whole !== undefined ? [claims.whole] : [];
  };
}

function refusalOf(problem: Problem, sides: RecordSides, { desired, fields }: Draft, ownersAt: OwnerLookup): Refusal {
  const shape = shapeOf(sides.kind, sides.result);
  const isSpared = (changed: JsonObject): boolean =>
    !problemsOf(sides, changed).some(({ rule, path }) => rule === problem.rule && path === problem.path);
  const ours = ownTags(sides.result, desired);
  const kept = keptPlaces(shape, sides, []).filter(
    (place) =>
      !ours.some((tag) => place[0] === 'tags' && place[1] === tag) && isSpared(withoutFields(sides.result, [place])),
  );
  const changed = fields
    .flatMap(({ path }) => matchPath(path, shape, sides.result))
    .filter((place) => {
      const before = valueThere(sides.live, place);
      const { result } = sides;
      return isSpared(before === undefined ? withoutFields(result, [place]) : withValue(result, place, before));
    });
  const pathOf = (place: Pointer): string => formatPath(shape, sides.result, place);
  const [at] = changed;
  const said = desired === undefined ? problem : maskProblem(problem, desired, sides);
  const isOfOwnTags =
    kept.length === 0 &&
    ours.length > 0 &&
    isSpared(
      withoutFields(
        sides.result,
        ours.map((tag) => ['tags', tag]),
      ),
    );
  const owners = [...new Set(kept.flatMap((place) => ownersAt(itemPath(shape, sides, place))))];
  return {
    ...(isOfOwnTags
      ? refuse.ownTags(said, ours)
      : refuse.brokenRule(said, kept.map(pathOf), changed.map(pathOf), owners)),
    ...present({ place: at === undefined || desired === undefined ? undefined : desired.locate(at) }),
  };
}

/** The tags of a record that only this tool writes. */
function ownTags(record: JsonObject, desired: DesiredResource | undefined): readonly string[] {
  return Object.keys(objectAt(record, 'tags'))
    .filter((key) => key.startsWith(ownTagPrefix) || (key === protectedTag && desired?.lifecycle.protect === true))
    .sort(compareText);
}

/** The path of a place, with list items by key. */
function itemPath(shape: Shape | undefined, { result, context }: RecordSides, place: Pointer): ItemPath {
  const path: string[] = [];
  let [at, value]: [Shape | undefined, JsonValue | undefined] = [shape, result];
  for (const step of place) {
    const key = at?.type === 'list' && typeof step === 'number' ? itemsOf(at, value, context)[step]?.key : undefined;
    path.push(key ?? String(step));
    at = childShape(at, step);
    value = valueThere(value, [step]);
  }
  return path;
}

/** The problem without values that must not be shown: declared ones, and live ones that are kept. */
function maskProblem(problem: Problem, desired: DesiredResource, { result, live }: RecordSides): Problem {
  return [desired.record, result, live].reduce(
    (shown, record) => {
      const marked = { ...desired, record };
      return withoutMarked(shown, marked, markedTexts(marked));
    },
    withoutSecretKey(problem, desired),
  );
}

/** A value after the change, before it, and as declared. */
interface Sides {
  readonly result: JsonValue;
  readonly live: JsonValue | undefined;
  readonly declared: JsonValue | undefined;
}

/** The places that keep their live value although another one, or none, is declared there. */
function keptPlaces(shape: Shape | undefined, { result, live, declared }: Sides, place: Pointer): readonly Pointer[] {
  if (live === undefined || sameJson(result, declared) || shape?.facts.responseOnly === true) return [];
  if (isObject(result) && isObject(live)) {
    const names = Object.keys(result);
    const said = isObject(declared) ? declared : {};
    return names.flatMap((name) => {
      const inside = { result: own(result, name) ?? null, live: own(live, name), declared: own(said, name) };
      return keptPlaces(childShape(shape, name), inside, [...place, name]);
    });
  }
  if (shape?.type === 'list' && isArray(result) && isArray(live)) {
    const named = (items: JsonValue | undefined, name: string | undefined) =>
      isArray(items) && name !== undefined ? items.find((item) => itemName(shape, item) === name) : undefined;
    const holds = (items: JsonValue | undefined, item: JsonValue): boolean =>
      isArray(items) && items.some((other) => sameJson(other, item));
    const inside = result.flatMap((item, index): readonly Pointer[] => {
      if (shape.facts.byContent === true) {
        return holds(live, item) && !holds(declared, item) ? [[...place, index]] : [];
      }
      const name = itemName(shape, item);
      const sides = { result: item, live: named(live, name), declared: named(declared, name) };
      return keptPlaces(shape.item, sides, [...place, index]);
    });
    if (inside.length > 0) return inside;
  }
  return sameJson(result, live) ? [place] : [];
}

/** Refuses to create resources anew if values that they should keep cannot be read. */
export function refuseLostValues(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const lost = compact([...drafts.values()], (draft) => {
    const fields = lostValues(draft, planning);
    return fields.length === 0 ? undefined : { draft, fields };
  });
  if (lost.length === 0 || planning.options.allowLostValues === lost.length) return drafts;
  const refused = lost.map(({ draft, fields }) => {
    const refusal = refuse.lostValues(fields, draft.action === 'replace', lost.length);
    return [draft.id, withRefusals(draft, [refusal])] as const;
  });
  return new Map([...drafts, ...refused]);
}

function lostValues({ action, desired, live }: Draft, planning: PlanContext): readonly string[] {
  if (desired === undefined) return [];
  const from = action === 'replace' ? live : action === 'create' ? deletedBefore(desired, planning) : undefined;
  return from === undefined ? [] : unreadFields(desired, from);
}

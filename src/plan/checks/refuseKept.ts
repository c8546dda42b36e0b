import { withoutSecretKey } from '../../manifest/check/secretKeys.ts';
import { markedTexts, withoutMarked } from '../../manifest/model/marks.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own, sameJson } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import { normalise } from '../../schema/normalForm/normalise.ts';
import { contextOf, type RecordContext } from '../../schema/record/context.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { checkRecord } from '../../schema/rules/registry.ts';
import { childShape, formatPath, itemName, matchPath } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { valueAt, withoutFields, withValue } from '../record/shapeFacts.ts';

/**
 * A change whose result breaks a rule of the platform, although neither the live record nor what is declared does: a
 * value that stays does not go with a new one. Rules that are broken in either already are told elsewhere, and do not
 * keep anybody from another change.
 */
export function refuseKept(draft: Draft, { org }: PlanContext): Draft {
  const { result, live, desired, ref } = draft;
  if (result === undefined || live === undefined) return draft;
  const check: Check = { kind: ref.kind, context: contextOf(ref, org) };
  const found = problemsOf(check, result);
  if (found.length === 0) return draft;

  const declared =
    desired === undefined || draft.part === true ? {} : normalise(ref.kind, desired.record, check.context);
  const known = new Set([live.record, declared].flatMap((record) => problemsOf(check, record)).map(keyOf));
  const made = found.filter((problem) => !known.has(keyOf(problem)));
  return withRefusals(
    draft,
    made.map((problem) => refusalOf(problem, { ...check, result, live: live.record, declared }, draft)),
  );
}

interface Check {
  readonly kind: Kind;
  readonly context: RecordContext;
}

interface Meeting extends Check {
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

function refusalOf(problem: Problem, meeting: Meeting, { desired, fields }: Draft): Refusal {
  const shape = shapeOf(meeting.kind, meeting.result);
  const isSpared = (changed: JsonObject): boolean =>
    !problemsOf(meeting, changed).some(({ rule, path }) => rule === problem.rule && path === problem.path);
  const kept = keptPlaces(shape, meeting.result, meeting.live, meeting.declared, []).filter((place) =>
    isSpared(withoutFields(meeting.result, [place])),
  );
  const changed = fields
    .flatMap(({ path }) => matchPath(path, shape, meeting.result))
    .filter((place) => {
      const before = valueAt(meeting.live, place);
      const { result } = meeting;
      return isSpared(before === undefined ? withoutFields(result, [place]) : withValue(result, place, before));
    });
  const pathOf = (place: Pointer): string => formatPath(shape, meeting.result, place);
  const [at] = changed;
  const said = desired === undefined ? problem : shown(problem, desired);
  return {
    ...refuse.brokenRule(said, kept.map(pathOf), changed.map(pathOf)),
    ...(at === undefined || desired === undefined ? {} : { place: desired.locate(at) }),
  };
}

/** Without values that may not be seen. */
function shown(problem: Problem, desired: NonNullable<Draft['desired']>): Problem {
  return withoutMarked(withoutSecretKey(problem, desired), desired, markedTexts(desired));
}

/** The places whose live value stays although something else, or nothing, is declared there. */
function keptPlaces(
  shape: Shape | undefined,
  result: JsonValue,
  live: JsonValue | undefined,
  declared: JsonValue | undefined,
  place: Pointer,
): readonly Pointer[] {
  if (live === undefined || sameJson(result, declared) || shape?.facts.responseOnly === true) return [];
  if (isObject(result) && isObject(live)) {
    const names = Object.keys(result);
    const said = isObject(declared) ? declared : {};
    return names.flatMap((name) =>
      keptPlaces(childShape(shape, name), own(result, name) ?? null, own(live, name), own(said, name), [
        ...place,
        name,
      ]),
    );
  }
  if (shape?.type === 'list' && isArray(result) && isArray(live)) {
    const named = (items: JsonValue | undefined, name: string | undefined) =>
      isArray(items) && name !== undefined ? items.find((item) => itemName(shape, item) === name) : undefined;
    const inside = result.flatMap((item, index) => {
      const name = itemName(shape, item);
      return keptPlaces(shape.item, item, named(live, name), named(declared, name), [...place, index]);
    });
    if (inside.length > 0) return inside;
  }
  return sameJson(result, live) ? [place] : [];
}

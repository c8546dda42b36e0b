import { isArray, isObject, type JsonObject, type JsonValue, own, sameJson } from '../../base/json/json.ts';
import { alignShorthands } from '../../kinds/normalForm/alignShorthands.ts';
import { valueWhenOmitted } from '../../kinds/normalForm/derive.ts';
import { equalValues } from '../../kinds/normalForm/equal.ts';
import { comparisonOf, hasMembers } from '../../patch/judge/comparison.ts';
import { isEmptiedWhenOmitted, isMergedList, omissionOf, saidByAbsence } from '../../patch/judge/omission.ts';
import { isMatched, parsePatterns } from '../../patch/model/patterns.ts';
import { memberShape } from '../../patch/model/shapeInside.ts';
import { touches } from '../../schema/shape/paths.ts';
import {
  fieldShape,
  isLiteral,
  isMerged,
  isOpenEnded,
  type ObjectShape,
  type Shape,
} from '../../schema/shape/shape.ts';
import { judgeList } from './listVerdicts.ts';
import { meaningOf, type Reason } from './reasons.ts';
import {
  below,
  type JudgeOptions,
  type JudgeValue,
  type Spot,
  top,
  type Verdict,
  verdictAt,
  type Walk,
} from './verdict.ts';

/**
 * Each field of a record against what is declared of it: one verdict for each leaf, in the order of the record. What a
 * field means is decided in `patch/judge/`, as it is for the target. `tags` are judged elsewhere: they are three-way.
 */
export function judge(
  shape: ObjectShape,
  held: JsonObject,
  declared: JsonObject,
  options: JudgeOptions,
): readonly Verdict[] {
  const walk: Walk = { ...options, enclosing: [], value: judgeValue };
  const names = Object.keys({ ...held, ...declared }).filter((name) => name !== 'tags');
  const ignored = parsePatterns(options.ignore);
  return judgeMembers(shape, held, declared, names, { ...top, ignored }, walk);
}

/**
 * The verdicts on the live record, given the paths that the plan changes: a field that seemed to differ but is not
 * written follows from the change (a derived field), and is judged by its value after the change.
 */
export function settle(
  before: readonly Verdict[],
  after: readonly Verdict[],
  changed: readonly string[],
): readonly Verdict[] {
  const later = new Map(after.map((verdict) => [verdict.path, verdict]));
  return before.map((verdict) =>
    verdict.why !== 'differs' || isCovered(verdict.path, changed) ? verdict : (later.get(verdict.path) ?? verdict),
  );
}

/** Whether one of the paths is this one, or around or inside it. */
export function isCovered(path: string, paths: readonly string[]): boolean {
  return paths.some((each) => touches(each, path));
}

const judgeValue: JudgeValue = (shape, held, declared, spot, walk) => {
  const inside = judgeInside(shape, held, declared, spot, walk);
  if (shape.facts.sensitive !== true || inside.every(({ path }) => path === spot.place.path)) return inside;
  // What is in a secret is not for anybody to know: it is one value.
  const [first] = inside;
  const isOne = inside.every(({ why }) => why === first?.why);
  const why = inside.some((verdict) => verdict.why === 'differs') ? 'differs' : isOne ? (first?.why ?? 'same') : 'same';
  return verdictAt(spot, why, held, declared);
};

const judgeInside: JudgeValue = (shape, held, given, spot, walk) => {
  const declared = given === null && !isLiteral(shape) ? undefined : given;
  if (held === undefined && declared === undefined) return [];
  const comparison = comparisonOf(shape, held, declared, spot.ignored);
  switch (comparison.by) {
    case 'platform':
      return verdictAt(spot, 'platform', held, undefined);
    case 'ignored':
      return verdictAt(spot, 'ignored', held, declared);
    case 'absent':
      return [];
    case 'omitted':
      if (isMergedList(shape) && isArray(comparison.live) && comparison.live.length > 0)
        return judgeList(shape, comparison.live, [], spot, walk);
      return judgeOmitted(shape, comparison.live, spot, walk);
    case 'stated':
      return judgeStated(shape, held, comparison.desired, spot, walk);
    case 'members':
      return judgeObject(shape, comparison.live, comparison.desired, spot, walk);
    case 'items':
      return judgeList(comparison.list, comparison.live, comparison.desired, spot, walk);
    case 'value':
      break;
  }
  const equal = sameJson(held, declared) || equalValues(shape, held, declared, walk.context);
  if (!equal && declared !== undefined && walk.stored?.isForm(spot.place.path, shape, held, declared) === true) {
    return verdictAt(spot, 'own-form', held, declared);
  }
  // How a secret is spelled is not for anybody to know.
  const isSame = sameJson(held, declared) || shape.facts.sensitive === true;
  const why = !equal ? 'differs' : isSame ? 'same' : meaningOf(shape);
  return verdictAt(spot, why, held, declared);
};

function judgeObject(shape: Shape, held: JsonObject, given: JsonObject, spot: Spot, walk: Walk): readonly Verdict[] {
  const declared = shape.type === 'object' ? alignShorthands(held, shape, given, walk.context) : given;
  const names = Object.keys({ ...held, ...given });
  const reformed = declared === given ? [] : names.filter((name) => own(declared, name) !== own(given, name));
  const short = reformed.flatMap((name) =>
    verdictAt(below(spot, name), 'short-form', own(held, name), own(given, name)),
  );
  const rest = names.filter((name) => !reformed.includes(name));
  if (names.length === 0) return verdictAt(spot, 'same', held, given);
  return [...short, ...judgeMembers(shape, held, given, rest, spot, walk)];
}

function judgeMembers(
  shape: Shape,
  held: JsonObject,
  declared: JsonObject,
  names: readonly string[],
  spot: Spot,
  walk: Walk,
): readonly Verdict[] {
  // For an item that live lacks, its declared neighbours count.
  walk.enclosing.push(Object.keys(held).length === 0 ? declared : held);
  const found = names.flatMap((name) => {
    const [has, wants] = [own(held, name), own(declared, name)];
    const at = below(spot, name);
    const isKnown = shape.type !== 'object' || fieldShape(shape, name) !== undefined;
    const member = memberShape(shape, name);
    const isForeign = walk.part && wants === undefined && member.facts.responseOnly !== true;
    if (isForeign) return verdictAt(at, 'foreign', has, wants);
    if (!isKnown && wants === undefined)
      return verdictAt(at, isMatched(at.ignored) ? 'ignored' : 'unknown-field', has, wants);
    // In a map nothing is omitted: an absent member is absent.
    const isChosen = shape.type !== 'object' && !isMerged(shape) && !isMatched(at.ignored);
    if (isChosen && (has === undefined || wants === undefined)) return verdictAt(at, 'differs', has, wants);
    return walk.value(member, has, wants, at, walk);
  });
  walk.enclosing.pop();
  return found;
}

function judgeOmitted(shape: Shape, held: JsonValue, spot: Spot, walk: Walk): readonly Verdict[] {
  const omission = omissionOf(shape, held, () => spot.place.path, walk);
  switch (omission.decides) {
    case 'platform':
      if (isOpenEnded(shape) && isObject(held) && Object.keys(held).length > 0) {
        return judgeMembers(shape, held, {}, Object.keys(held), spot, walk);
      }
      if (omission.wasSet) return verdictAt(spot, 'differs', held, undefined);
      return verdictAt(spot, shape.facts.merged === true ? 'unmentioned' : 'service', held, undefined);
    case 'operator':
      return verdictAt(spot, 'operational', held, undefined, shape.facts.default);
    case 'record': {
      const { means, agrees, own: isOwn } = omission;
      if (isOwn === true) return verdictAt(spot, 'own-form', held, undefined, means);
      return verdictAt(spot, means === undefined || agrees ? 'derived' : 'differs', held, undefined, means);
    }
    case 'refill':
      return judgeRefill(shape, held, omission.means, spot, walk);
    case 'manifest':
      if (omission.own === true) return verdictAt(spot, 'own-form', held, undefined, shape.facts.default);
      return judgeAbsence(shape, held, omission.agrees, spot, walk);
  }
}

/** It comes back when it is removed, with what is documented: that is what is compared. */
function judgeRefill(shape: Shape, held: JsonValue, refill: JsonValue, spot: Spot, walk: Walk): readonly Verdict[] {
  const inside = judgeValue(shape, held, refill, spot, walk);
  return verdictAt(spot, inside.some(({ why }) => why === 'differs') ? 'differs' : 'refill', held, undefined, refill);
}

/** Absent means empty, or the default. */
function judgeAbsence(shape: Shape, held: JsonValue, agrees: boolean, spot: Spot, walk: Walk): readonly Verdict[] {
  if (isEmptiedWhenOmitted(shape, held) && Object.keys(held).length > 0) {
    return judgeMembers(shape, held, {}, Object.keys(held), spot, walk);
  }
  return verdictAt(spot, agrees ? emptyOrDefault(shape) : 'differs', held, undefined, shape.facts.default);
}

function emptyOrDefault({ facts }: Shape): Reason {
  return facts.default === undefined ? 'empty' : 'default';
}

/** Live does not have it. */
function judgeStated(
  shape: Shape,
  held: JsonValue | undefined,
  declared: JsonValue,
  spot: Spot,
  walk: Walk,
): readonly Verdict[] {
  const { facts } = shape;
  if (isObject(declared) && Object.keys(declared).length > 0 && hasMembers(shape, spot.ignored)) {
    const inside = judgeMembers(shape, {}, declared, Object.keys(declared), spot, walk);
    const isMissed = facts.presence === true && !inside.some(({ why }) => why === 'differs');
    return isMissed ? verdictAt(spot, 'differs', held, declared) : inside;
  }
  switch (saidByAbsence(shape, declared, walk)) {
    case 'derived':
      return verdictAt(spot, 'derived', held, declared, valueWhenOmitted(facts, walk.enclosing));
    case 'absent':
      return verdictAt(spot, emptyOrDefault(shape), held, declared, facts.default);
    case undefined: {
      const isForm = walk.stored?.isForm(spot.place.path, shape, held, declared) === true;
      return verdictAt(spot, isForm ? 'own-form' : 'differs', held, declared, facts.default);
    }
  }
}

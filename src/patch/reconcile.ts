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
import { alignShorthands, equalValues } from '../kinds/equal.ts';
import { isBlank, valueWhenOmitted, withoutNulls } from '../kinds/normalise.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { holdsAny } from '../schema/shape/listKey.ts';
import {
  fieldShape,
  isLiteral,
  isMerged,
  isOpenEnded,
  type ListShape,
  type ObjectShape,
  type Shape,
} from '../schema/shape/shape.ts';
import { impliedByAbsence, isEmptiedWhenOmitted, isMergedList, type Omission, omissionOf } from './omission.ts';
import type { IsSameItem } from './partners.ts';
import { isMatched, memberShape, type Patterns, parsePatterns, pathOf, patternsBelow } from './place.ts';
import { newValue, reconcileList, sameItem, withoutIgnoredItems } from './reconcileList.ts';
import { emptyOrDefault, meaningOf, type Recorder, type StoredForms, type Walk } from './recorder.ts';

export interface ReconcileOptions {
  readonly context: RecordContext;
  /** Path patterns that keep their live value (`lifecycle.ignore`). */
  readonly ignore?: readonly string[];
  /**
   * Whether an earlier write of this stack set the field at this path. Only called for fields of the class `service`.
   */
  readonly wasSet?: (path: string) => boolean;
  readonly revertOperational?: boolean;
  readonly stored?: StoredForms | undefined;
  /** Only declared fields are compared, and the rest stays: a part of another owner's resource. */
  readonly part?: boolean;
  /** Records why each field of `live` stays or changes; absent if not needed. */
  readonly recorder?: Recorder;
}

export interface Reconciled {
  /** The same object as `live` if nothing differs. */
  readonly target: JsonObject;
  /** Notes on operational fields that were switched and stay. */
  readonly notes: readonly string[];
}

/** Used instead of an object that live lacks, for a recorder: for its fields, the declared neighbours count. */
export const absent: JsonObject = {};

/**
 * The whole record that `live` should become: declared values on managed fields, live values elsewhere, and the live
 * spelling wherever both mean the same. Fields unknown to the schema stay.
 *
 * `tags` are taken as declared; without declared ones the live tags stay.
 */
export function reconcile(
  shape: ObjectShape,
  live: JsonObject,
  desired: JsonObject,
  options: ReconcileOptions,
): Reconciled {
  const notes: string[] = [];
  const wanted =
    Object.hasOwn(desired, 'tags') || !Object.hasOwn(live, 'tags')
      ? desired
      : { ...desired, tags: own(live, 'tags') ?? {} };
  const patterns = parsePatterns(options.ignore);
  const walk = (settleDerived: boolean, stored: StoredForms | undefined): Walk => ({
    context: options.context,
    wasSet: options.wasSet ?? (() => false),
    revertOperational: options.revertOperational === true,
    stored,
    notes: settleDerived ? [] : notes,
    recorder: settleDerived ? undefined : options.recorder,
    part: options.part === true,
    enclosing: [],
    trail: [],
    ignored: patterns,
    settleDerived,
    derivedDiffers: false,
    value: reconcileValue,
  });
  const filled = new Set<string>();
  const first = walk(false, options.stored && remembering(options.stored, filled));
  const target = reconcileObject(shape, live, wanted, first);
  const converged =
    target === live && !first.derivedDiffers
      ? target
      : reconcileObject(
          shape,
          target,
          wanted,
          walk(true, options.stored && { ...options.stored, isFilled: (path) => filled.has(path) }),
        );
  return { target: converged, notes };
}

/**
 * A derived value that only the change makes wrong is not the platform's default: the second walk uses the first one's
 * results.
 */
function remembering(stored: StoredForms, filled: Set<string>): StoredForms {
  return {
    ...stored,
    isFilled: (path, shape, live) => {
      const isFilled = stored.isFilled(path, shape, live);
      if (isFilled) filled.add(path);
      return isFilled;
    },
  };
}

/** For ordered lists: whether items mean the same, so that they can be partners (`partnersOf`). */
export function samenessOf(
  shape: ListShape,
  ignored: Patterns,
  around: { readonly context: RecordContext; readonly enclosing: JsonObject[] },
): readonly IsSameItem[] {
  return sameItem(shape, ignored, { ...around, value: reconcileValue });
}

/** Returns undefined if the field is to be absent. */
function reconcileValue(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  walk: Walk,
): JsonValue | undefined {
  const { recorder } = walk;
  if (recorder === undefined) return live === desired ? live : compared(shape, live, desired, walk);
  if (live === undefined && desired === undefined) return undefined;
  const { length } = recorder;
  const after = compared(shape, live, desired, walk);
  // The content of a secret must not be revealed, so it is one value.
  if (shape.facts.sensitive === true) recorder.asOne(length, walk, { live, desired });
  return after;
}

function compared(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  walk: Walk,
): JsonValue | undefined {
  const comparison = comparisonOf(shape, live, desired, walk.ignored);
  switch (comparison.by) {
    case 'platform':
      walk.recorder?.add(walk, 'platform', { live });
      return live;
    case 'ignored':
      walk.recorder?.add(walk, 'ignored', { live, desired });
      return live;
    case 'absent':
      return live;
    case 'omitted':
      return omitted(shape, comparison.live, walk);
    case 'stated':
      return stated(shape, live, comparison.desired, walk);
    case 'members':
      return reconcileObject(shape, comparison.live, comparison.desired, walk);
    case 'items':
      return reconcileList(comparison.list, comparison.live, comparison.desired, walk);
    case 'value':
      return reconcileScalar(shape, live, comparison.desired, walk);
  }
}

/** A value compared as a whole. */
function reconcileScalar(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue,
  walk: Walk,
): JsonValue | undefined {
  const isEqual = equalValues(shape, live, desired, walk.context);
  const isSame = isEqual || walk.stored?.isForm(pathOf(walk), shape, live, desired) === true;
  const { recorder } = walk;
  if (recorder !== undefined) {
    // The spelling of a secret must not be revealed.
    const isSpelled = !sameJson(live, desired) && shape.facts.sensitive !== true;
    const why = isEqual ? (isSpelled ? meaningOf(shape) : 'same') : isSame ? 'own-form' : 'differs';
    recorder.add(walk, why, { live, desired });
  }
  return isSame ? live : withoutNulls(shape, desired);
}

function reconcileObject(shape: Shape, live: JsonObject, declared: JsonObject, walk: Walk): JsonObject {
  const desired = shape.type === 'object' ? alignShorthands(live, shape, declared, walk.context) : declared;
  const shortened = recordShorthands(live, declared, desired, walk);
  let changed: Record<string, JsonValue> | undefined;
  walk.enclosing.push(live === absent ? desired : live);
  for (const name of Object.keys(live)) {
    const before = own(live, name);
    const wanted = declaredAt(shape, desired, name);
    // Most members are equal, so their shape need not be looked up.
    if (wanted === before && shortened?.has(name) !== false) continue;
    if (wanted === undefined && isForeign(shape, live, desired, name, walk)) continue;
    const after = reconcileMember(shape, name, before, wanted, walk);
    if (after === before) continue;
    changed ??= { ...live };
    if (after === undefined) delete changed[name];
    else put(changed, name, after);
  }
  for (const name of Object.keys(desired)) {
    const wanted = declaredAt(shape, desired, name);
    if (wanted === undefined || Object.hasOwn(live, name)) continue;
    const after = reconcileMember(shape, name, undefined, wanted, walk);
    if (after === undefined) continue;
    changed ??= { ...live };
    put(changed, name, after);
  }
  walk.enclosing.pop();
  return changed ?? live;
}

/** Whether an omitted member is outside the manifest's control: unknown to the schema, or of another owner. */
function isForeign(shape: Shape, live: JsonObject, desired: JsonObject, name: string, walk: Walk): boolean {
  const isUnknown = shape.type === 'object' && fieldShape(shape, name) === undefined;
  const isOfOthers = walk.part && !Object.hasOwn(desired, name) && memberShape(shape, name).facts.responseOnly !== true;
  if (!isUnknown && !isOfOthers) return false;
  if (walk.recorder !== undefined) {
    const why = isMatched(patternsBelow(walk.ignored, name)) ? 'ignored' : 'unknown-field';
    walk.trail.push(name);
    walk.recorder.add(walk, isOfOthers ? 'foreign' : why, { live: own(live, name) });
    walk.trail.pop();
  }
  return true;
}

/** The members that both sides state in different fields; undefined without a recorder. */
function recordShorthands(
  live: JsonObject,
  declared: JsonObject,
  desired: JsonObject,
  walk: Walk,
): ReadonlySet<string> | undefined {
  const { recorder } = walk;
  if (recorder === undefined) return undefined;
  const names = Object.keys({ ...live, ...declared });
  if (names.length === 0 && walk.trail.length > 0) recorder.add(walk, 'same', { live, desired });
  const shortened = names.filter((name) => own(desired, name) !== own(declared, name));
  for (const name of shortened) {
    walk.trail.push(name);
    recorder.add(walk, 'short-form', { live: own(live, name), desired: own(declared, name) });
    walk.trail.pop();
  }
  return new Set(shortened);
}

/** Null means absence, except in free-form JSON. */
function declaredAt(shape: Shape, desired: JsonObject, name: string): JsonValue | undefined {
  const value = own(desired, name);
  return value === null && !isLiteral(shape) ? undefined : value;
}

function reconcileMember(
  shape: Shape,
  name: string,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  walk: Walk,
): JsonValue | undefined {
  const member = memberShape(shape, name);
  const { ignored } = walk;
  walk.ignored = patternsBelow(ignored, name);
  walk.trail.push(name);
  // If users choose the keys, absence is literal: an absent member is absent, and an empty one exists.
  const isChosen = shape.type !== 'object' && !isMerged(shape) && walk.ignored.length === 0;
  const after =
    isChosen && (live === undefined || desired === undefined)
      ? chosen(member, live, desired, walk)
      : walk.value(member, live, desired, walk);
  walk.trail.pop();
  walk.ignored = ignored;
  return after;
}

/** A member of a map that only one side has. */
function chosen(
  member: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  walk: Walk,
): JsonValue | undefined {
  walk.recorder?.add(walk, 'differs', { live, desired });
  return desired === undefined ? undefined : withoutNulls(member, desired);
}

function omitted(shape: Shape, live: JsonValue, walk: Walk): JsonValue | undefined {
  if (isMergedList(shape) && isArray(live) && live.length > 0) {
    const left = reconcileList(shape, live, [], walk);
    return left.length === 0 ? undefined : left;
  }
  const { recorder } = walk;
  const omission = omissionOf(shape, live, () => pathOf(walk), walk);
  switch (omission.decides) {
    case 'platform':
      if (isOpenEnded(shape) && isObject(live) && Object.keys(live).length > 0) return leftInside(shape, live, walk);
      recorder?.add(walk, omission.wasSet ? 'differs' : shape.facts.merged === true ? 'unmentioned' : 'service', {
        live,
      });
      return omission.wasSet || isDisplaced(shape, live, walk) ? undefined : live;
    case 'operator':
      recorder?.add(walk, 'operational', { live, means: shape.facts.default });
      walk.notes.push(
        `${pathOf(walk)} is ${JSON.stringify(live)}: ` +
          'not declared, so operators decide (--revert-operational resets it)',
      );
      return live;
    case 'record': {
      const { means, agrees, own: isOwn } = omission;
      const why = isOwn === true ? 'own-form' : means === undefined || agrees ? 'derived' : 'differs';
      recorder?.add(walk, why, { live, means });
      if (agrees) return live;
      if (walk.settleDerived) return undefined;
      walk.derivedDiffers = true;
      return live;
    }
    case 'refill': {
      const length = recorder?.length ?? 0;
      const after = walk.value(shape, live, omission.means, walk);
      recorder?.replaceSince(length, walk, recorder.differsSince(length) ? 'differs' : 'refill', {
        live,
        means: omission.means,
      });
      return after;
    }
    case 'manifest':
      return leftWhenOmitted(shape, live, omission, walk);
  }
}

/** An object that the manifest omits: each value in it is ours or the platform's; an emptied one is removed. */
function leftInside(shape: Shape, live: JsonObject, walk: Walk): JsonObject | undefined {
  const left = reconcileObject(shape, live, {}, walk);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Whether the change adds a neighbour that excludes this choice of the platform. The platform then chooses again. */
function isDisplaced(shape: Shape, live: JsonValue, walk: Walk): boolean {
  const { notBeside } = shape.facts;
  if (!walk.settleDerived || notBeside === undefined || !holdsAny(walk.enclosing.at(-1) ?? null, notBeside))
    return false;
  return !equalValues(shape, live, valueWhenOmitted(shape.facts, walk.enclosing), walk.context);
}

/** The record lacks the field. A declared value equal to its absence is not written. */
function stated(shape: Shape, live: JsonValue | undefined, desired: JsonValue, walk: Walk): JsonValue | undefined {
  const recorder = recordMembers(shape, live, desired, walk) ? undefined : walk.recorder;
  const implied = impliedByAbsence(shape, desired, walk);
  if (implied !== undefined) {
    const isDerived = implied === 'derived';
    const means = isDerived ? valueWhenOmitted(shape.facts, walk.enclosing) : shape.facts.default;
    recorder?.add(walk, isDerived ? 'derived' : emptyOrDefault(shape), { live, desired, means });
    return live;
  }
  const items = shape.type === 'list' && isArray(desired) ? withoutIgnoredItems(shape, desired, walk.ignored) : desired;
  const isIgnored = items !== desired && isArray(items) && items.length === 0;
  const wanted = isIgnored ? undefined : withoutIgnored(items, walk.ignored);
  if (wanted === undefined) {
    recorder?.add(walk, 'ignored', { live, desired });
    return live;
  }
  const rest = newValue(shape, wanted, walk);
  const isEqual = equalValues(shape, live, rest, walk.context);
  const isSame = isEqual || walk.stored?.isForm(pathOf(walk), shape, live, rest) === true;
  const why = isEqual ? emptyOrDefault(shape) : isSame ? 'own-form' : 'differs';
  recorder?.add(walk, why, { live, desired, means: shape.facts.default });
  return isSame ? live : rest;
}

/** Records a new object member by member. False if the value is not such an object, or there is no recorder. */
function recordMembers(shape: Shape, live: JsonValue | undefined, desired: JsonValue, walk: Walk): boolean {
  const { recorder } = walk;
  if (
    recorder === undefined ||
    !isObject(desired) ||
    Object.keys(desired).length === 0 ||
    !hasMembers(shape, walk.ignored)
  )
    return false;
  const { length } = recorder;
  reconcileObject(shape, absent, desired, walk);
  const isPresent = shape.facts.presence === true && withoutIgnored(desired, walk.ignored) !== undefined;
  if (isPresent && !recorder.differsSince(length)) recorder.replaceSince(length, walk, 'differs', { live, desired });
  return true;
}

/** The value without its ignored parts; list items are added whole. Undefined if nothing else remains. */
function withoutIgnored(desired: JsonValue, ignored: Patterns): JsonValue | undefined {
  if (isMatched(ignored)) return undefined;
  if (ignored.length === 0 || !isObject(desired)) return desired;
  const rest: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(desired)) {
    const part = withoutIgnored(value, patternsBelow(ignored, name));
    if (part !== undefined) put(rest, name, part);
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/**
 * The rest of a value that the manifest omits, which means its absence or its default.
 *
 * If absent means empty, the object is emptied: the platform's choices, operators' switches and unknown fields stay.
 * Anything else was ours as a whole (a probe, a query, a map), so it is removed, except for ignored places.
 */
function leftWhenOmitted(
  shape: Shape,
  live: JsonValue,
  { agrees, own: isOwn }: Extract<Omission, { decides: 'manifest' }>,
  walk: Walk,
): JsonValue | undefined {
  const { recorder } = walk;
  const isEmptied = isEmptiedWhenOmitted(shape, live);
  const byMember = isEmptied && Object.keys(live).length > 0;
  if (!byMember) {
    const why = isOwn === true ? 'own-form' : agrees ? emptyOrDefault(shape) : 'differs';
    recorder?.add(walk, why, { live, means: shape.facts.default });
  }
  if (agrees && (recorder === undefined || !byMember)) return live;
  if (!isEmptied) return isObject(live) ? ignoredPart(live, walk.ignored) : undefined;
  const emptied = reconcileObject(shape, live, {}, walk);
  if (agrees) return live;
  return equalValues(shape, emptied, undefined, walk.context) ? undefined : emptied;
}

function ignoredPart(live: JsonObject, ignored: Patterns): JsonObject | undefined {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(live)) {
    const patterns = patternsBelow(ignored, name);
    const part = isMatched(patterns) ? value : isObject(value) ? ignoredPart(value, patterns) : undefined;
    if (part !== undefined) put(result, name, part);
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

/**
 * How a live field is compared with its declaration.
 *
 * - `platform`, `ignored`: not at all; the live value stays
 * - `absent`: neither side has it
 * - `omitted`: the manifest omits it (`omissionOf`)
 * - `stated`: live lacks it (`saidByAbsence`)
 * - `members`, `items`, `value`: name by name, item by item (`matchingOf`), or as one value
 */
type Comparison =
  | { readonly by: 'platform' | 'ignored' | 'absent' }
  | { readonly by: 'omitted'; readonly live: JsonValue }
  | { readonly by: 'stated' | 'value'; readonly desired: JsonValue }
  | { readonly by: 'members'; readonly live: JsonObject; readonly desired: JsonObject }
  | { readonly by: 'items'; readonly list: ListShape; readonly live: JsonArray; readonly desired: JsonArray };

/** `desired` is null only where null is a value: in unmerged free-form JSON. */
export function comparisonOf(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  ignored: Patterns,
): Comparison {
  if (shape.facts.responseOnly === true) return { by: 'platform' };
  if (isMatched(ignored)) return { by: 'ignored' };
  if (desired === undefined || isBlank(desired, shape.facts)) {
    return live === undefined ? { by: 'absent' } : { by: 'omitted', live };
  }
  if (live === undefined || live === null) return { by: 'stated', desired };
  if (shape.type === 'list' && isArray(live) && isArray(desired)) return { by: 'items', list: shape, live, desired };
  if (hasMembers(shape, ignored) && isObject(live) && isObject(desired)) return { by: 'members', live, desired };
  return { by: 'value', desired };
}

/** Free-form JSON is one value, unless it is merged or partly ignored. */
export function hasMembers(shape: Shape, ignored: Patterns): boolean {
  if (shape.type === 'object' || shape.type === 'map' || isMerged(shape)) return true;
  return shape.type === 'free' && ignored.length > 0;
}

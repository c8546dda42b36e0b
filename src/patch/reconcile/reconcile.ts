import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { alignShorthands } from '../../kinds/normalForm/alignShorthands.ts';
import { valueWhenOmitted } from '../../kinds/normalForm/derive.ts';
import { equalValues } from '../../kinds/normalForm/equal.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { holdsAny } from '../../schema/shape/listKey.ts';
import {
  fieldShape,
  isLiteral,
  isMerged,
  isOpenEnded,
  type ListShape,
  type ObjectShape,
  type Shape,
} from '../../schema/shape/shape.ts';
import { comparisonOf } from '../judge/comparison.ts';
import { isEmptiedWhenOmitted, isMergedList, omissionOf, saidByAbsence } from '../judge/omission.ts';
import type { IsSameItem } from '../judge/partners.ts';
import { isMatched, type Patterns, parsePatterns, patternsBelow } from '../model/patterns.ts';
import { memberShape } from '../model/shapeInside.ts';
import type { StoredForms } from '../model/storedForms.ts';
import { pathOf, type Walk } from '../model/walk.ts';
import { withoutNulls } from '../model/withoutNulls.ts';
import { newValue, reconcileList, sameItem, withoutIgnoredItems } from './reconcileList.ts';

export interface ReconcileOptions {
  readonly context: RecordContext;
  /** Path patterns that keep their live value (`lifecycle.ignore`). */
  readonly ignore?: readonly string[];
  /** Did this stack set the field at this path by an earlier write? Asked for fields of the class `service` only. */
  readonly wasSet?: (path: string) => boolean;
  readonly revertOperational?: boolean;
  readonly stored?: StoredForms | undefined;
}

export interface Reconciled {
  /** The same object as `live` when nothing differs. */
  readonly target: JsonObject;
  /** Operational fields that somebody switched and that stay as they are. */
  readonly notes: readonly string[];
}

/**
 * The whole record that `live` should become: what is declared on every managed field, the live value elsewhere, and
 * the live spelling wherever both mean the same. What the schema does not know stays.
 *
 * `tags` are taken as they are declared; a record without any leaves the live ones alone.
 */
export function reconcile(
  shape: ObjectShape,
  live: JsonObject,
  desired: JsonObject,
  options: ReconcileOptions,
): Reconciled {
  const notes: string[] = [];
  const ignored = parsePatterns(options.ignore);
  const wanted =
    Object.hasOwn(desired, 'tags') || !Object.hasOwn(live, 'tags')
      ? desired
      : { ...desired, tags: own(live, 'tags') ?? {} };
  const walk = (settleDerived: boolean, stored: StoredForms | undefined): Walk => ({
    context: options.context,
    wasSet: options.wasSet ?? (() => false),
    revertOperational: options.revertOperational === true,
    stored,
    notes: settleDerived ? [] : notes,
    enclosing: [],
    trail: [],
    settleDerived,
    derivedDiffers: false,
    value: reconcileValue,
  });
  const filled = new Set<string>();
  const first = walk(false, options.stored && remembering(options.stored, filled));
  const target = reconcileObject(shape, live, wanted, ignored, first);
  const converged =
    target === live && !first.derivedDiffers
      ? target
      : reconcileObject(
          shape,
          target,
          wanted,
          ignored,
          walk(true, options.stored && { ...options.stored, isFilled: (path) => filled.has(path) }),
        );
  return { target: converged, notes };
}

/** A derived value that only the change makes wrong is not the platform's default: the second walk asks the first. */
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

/** For items of an ordered list: do they mean the same, so that they can be partners (`partnersOf`)? */
export function samenessOf(
  shape: ListShape,
  ignored: Patterns,
  around: { readonly context: RecordContext; readonly enclosing: JsonObject[] },
): readonly IsSameItem[] {
  return sameItem(shape, ignored, { ...around, value: reconcileValue });
}

/** Undefined: the field is to be absent. */
function reconcileValue(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue | undefined,
  ignored: Patterns,
  walk: Walk,
): JsonValue | undefined {
  if (live === desired) return live;
  const comparison = comparisonOf(shape, live, desired, ignored);
  switch (comparison.by) {
    case 'platform':
    case 'ignored':
    case 'absent':
      return live;
    case 'omitted':
      return omitted(shape, comparison.live, ignored, walk);
    case 'stated':
      return stated(shape, live, comparison.desired, ignored, walk);
    case 'members':
      return reconcileObject(shape, comparison.live, comparison.desired, ignored, walk);
    case 'items':
      return reconcileList(comparison.list, comparison.live, comparison.desired, ignored, walk);
    case 'value': {
      const { desired: wanted } = comparison;
      const isSame =
        equalValues(shape, live, wanted, walk.context) ||
        walk.stored?.isForm(pathOf(walk), shape, live, wanted) === true;
      return isSame ? live : withoutNulls(shape, wanted);
    }
  }
}

function reconcileObject(
  shape: Shape,
  live: JsonObject,
  declared: JsonObject,
  ignored: Patterns,
  walk: Walk,
): JsonObject {
  const desired = shape.type === 'object' ? alignShorthands(live, shape, declared, walk.context) : declared;
  let changed: Record<string, JsonValue> | undefined;
  walk.enclosing.push(live);
  for (const name of Object.keys(live)) {
    const before = own(live, name);
    const wanted = declaredAt(shape, desired, name);
    if (wanted === before) continue; // most members are: their shape need not be looked up
    if (wanted === undefined && shape.type === 'object' && fieldShape(shape, name) === undefined) continue;
    const after = reconcileMember(shape, name, before, wanted, ignored, walk);
    if (after === before) continue;
    changed ??= { ...live };
    if (after === undefined) delete changed[name];
    else put(changed, name, after);
  }
  for (const name of Object.keys(desired)) {
    const wanted = declaredAt(shape, desired, name);
    if (wanted === undefined || Object.hasOwn(live, name)) continue;
    const after = reconcileMember(shape, name, undefined, wanted, ignored, walk);
    if (after === undefined) continue;
    changed ??= { ...live };
    put(changed, name, after);
  }
  walk.enclosing.pop();
  return changed ?? live;
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
  ignored: Patterns,
  walk: Walk,
): JsonValue | undefined {
  const member = memberShape(shape, name);
  const patterns = patternsBelow(ignored, name);
  // Where users choose the keys nothing is left out: an absent member is absent, and an empty one is there.
  if (shape.type !== 'object' && !isMerged(shape) && patterns.length === 0) {
    if (desired === undefined) return undefined;
    if (live === undefined) return withoutNulls(member, desired);
  }
  walk.trail.push(name);
  const after = walk.value(member, live, desired, patterns, walk);
  walk.trail.pop();
  return after;
}

function omitted(shape: Shape, live: JsonValue, ignored: Patterns, walk: Walk): JsonValue | undefined {
  if (isMergedList(shape) && isArray(live) && live.length > 0) {
    const left = reconcileList(shape, live, [], ignored, walk);
    return left.length === 0 ? undefined : left;
  }
  const omission = omissionOf(shape, live, () => pathOf(walk), walk);
  switch (omission.decides) {
    case 'platform':
      if (isOpenEnded(shape) && isObject(live) && Object.keys(live).length > 0)
        return leftInside(shape, live, ignored, walk);
      return omission.wasSet || isDisplaced(shape, live, walk) ? undefined : live;
    case 'operator':
      walk.notes.push(
        `${pathOf(walk)} is ${JSON.stringify(live)}: ` +
          'not declared, so operators decide (--revert-operational resets it)',
      );
      return live;
    case 'record':
      if (omission.agrees) return live;
      if (walk.settleDerived) return undefined;
      walk.derivedDiffers = true;
      return live;
    case 'refill':
      return walk.value(shape, live, omission.means, ignored, walk);
    case 'manifest':
      return omission.agrees ? live : leftWhenOmitted(shape, live, ignored, walk);
  }
}

/** An object that the manifest leaves out: each value in it is ours or the platform's; an emptied one goes. */
function leftInside(shape: Shape, live: JsonObject, ignored: Patterns, walk: Walk): JsonObject | undefined {
  const left = reconcileObject(shape, live, {}, ignored, walk);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** A choice of the platform that a neighbour excludes, which the change brings. The platform chooses again. */
function isDisplaced(shape: Shape, live: JsonValue, walk: Walk): boolean {
  const { notBeside } = shape.facts;
  if (!walk.settleDerived || notBeside === undefined || !holdsAny(walk.enclosing.at(-1) ?? null, notBeside))
    return false;
  return !equalValues(shape, live, valueWhenOmitted(shape.facts, walk.enclosing), walk.context);
}

/** The record does not hold the field. What means nothing new is not written. */
function stated(
  shape: Shape,
  live: JsonValue | undefined,
  desired: JsonValue,
  ignored: Patterns,
  walk: Walk,
): JsonValue | undefined {
  if (saidByAbsence(shape, desired, walk) !== undefined) return live;
  const items = shape.type === 'list' && isArray(desired) ? withoutIgnoredItems(shape, desired, ignored) : desired;
  if (items !== desired && isArray(items) && items.length === 0) return live;
  const wanted = withoutIgnored(items, ignored);
  if (wanted === undefined) return live;
  const rest = newValue(shape, wanted, walk);
  if (equalValues(shape, live, rest, walk.context)) return live;
  return walk.stored?.isForm(pathOf(walk), shape, live, rest) === true ? live : rest;
}

/** The value without what is ignored in it; items of lists are added whole. Undefined: nothing else is in it. */
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
 * What stays of a value that the manifest leaves out although live holds it.
 *
 * An object of which absent means empty is emptied: what the platform chose, operators' switches and unknown fields
 * stay. Anything else was ours as a whole (a probe, a query, a map), so it goes, but for ignored places.
 */
function leftWhenOmitted(shape: Shape, live: JsonValue, ignored: Patterns, walk: Walk): JsonValue | undefined {
  if (!isEmptiedWhenOmitted(shape, live)) return isObject(live) ? ignoredPart(live, ignored) : undefined;
  const emptied = walk.value(shape, live, {}, ignored, walk);
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

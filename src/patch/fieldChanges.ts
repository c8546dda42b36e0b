import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  mapMembers,
  own,
  put,
  sameJson,
} from '../base/json/json.ts';
import { isMasked, masked } from '../base/json/mask.ts';
import { textsIn } from '../base/json/textsIn.ts';
import { shortLink } from '../kinds/equal.ts';
import { holdsMask } from '../kinds/fillMasks.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { holdsSensitive } from '../schema/shape/anywhere.ts';
import { effectiveList } from '../schema/shape/listKey.ts';
import { childShape } from '../schema/shape/paths.ts';
import { isLiteral, type ListShape, type Shape } from '../schema/shape/shape.ts';
import { isReserved, parseDirective } from './directive.ts';
import { identityOf, itemShape, pathInside } from './place.ts';
import {
  mayMask,
  repeatsMarked,
  type Sensitivity,
  sensitivityOfItem,
  sensitivityOfMember,
  shouldMask,
} from './shouldMask.ts';

/** Shown instead of a sensitive value in a change. */
export type SensitiveValue = {
  readonly sensitive: true;
  readonly changed: boolean;
};

/** One field that will change. `old` is absent if it is added; `new` is absent if it is removed. */
export interface FieldChange {
  readonly path: string;
  readonly old?: JsonValue | SensitiveValue;
  readonly new?: JsonValue | SensitiveValue;
}

const noContext: RecordContext = { org: '' };

/** The differences between two records, for display: one entry for each leaf, items of keyed lists by key. */
export function fieldChanges(
  of: Sensitivity,
  live: JsonObject,
  target: JsonObject,
  context: RecordContext = noContext,
): readonly FieldChange[] {
  const found: FieldChange[] = [];
  compareObjects({ of, path: '' }, live, target, { found, context });
  return found;
}

interface Run {
  readonly found: FieldChange[];
  readonly context: RecordContext;
}

/** A place with its sensitivity. */
interface Spot {
  readonly of: Sensitivity;
  readonly path: string;
}

function compareObjects({ of, path }: Spot, live: JsonObject, target: JsonObject, run: Run): void {
  const isNew = Object.keys(live).length === 0;
  for (const name of Object.keys(isNew ? target : { ...live, ...target })) {
    const before = own(live, name);
    const after = own(target, name);
    if (sameJson(before, after)) continue;
    compare({ of: sensitivityOfMember(of, name), path: pathInside(path, name) }, before, after, run);
  }
}

/** Compares two values that differ. */
function compare(spot: Spot, live: JsonValue | undefined, target: JsonValue | undefined, run: Run): void {
  const { of, path } = spot;
  const { shape } = of;
  if (shape.facts.responseOnly === true) return;
  if (!shouldMask(of) && !isMasked(live) && !isMasked(target)) {
    const [before, after] = [live ?? {}, target ?? {}];
    if (isObject(before) && isObject(after) && !isLiteral(shape) && !bothEmpty(before, after)) {
      compareObjects(spot, before, after, run);
      return;
    }
    if (compareKeyed(spot, live ?? [], target ?? [], run)) return;
  }
  run.found.push(shownChange(of, path, { old: live, new: target }, run.context));
}

function bothEmpty(before: JsonObject, after: JsonObject): boolean {
  return Object.keys({ ...before, ...after }).length === 0;
}

/** Returns false if the value must be shown as a whole. */
function compareKeyed({ of, path }: Spot, live: JsonValue, target: JsonValue, run: Run): boolean {
  const { shape } = of;
  if (shape.type !== 'list' || !isArray(live) || !isArray(target)) return false;
  if (effectiveList(shape, live, target).class !== 'keyed') return false;
  const before = byKey(shape, live, run.context);
  const after = byKey(shape, target, run.context);
  const orderBefore = [...before.keys()].filter((key) => after.has(key));
  const orderAfter = [...after.keys()].filter((key) => before.has(key));
  if (!sameJson(orderBefore, orderAfter)) return false;

  const all = new Map([...before, ...after]);
  for (const [key, item] of all) {
    const [old, next] = [before.get(key), after.get(key)];
    if (sameJson(old, next)) continue;
    compare({ of: sensitivityOfItem(of, item), path: pathInside(path, key) }, old, next, run);
  }
  return all.size > 0;
}

function byKey(shape: ListShape, items: JsonArray, context: RecordContext): ReadonlyMap<string, JsonValue> {
  const identity = identityOf(shape, items, context);
  return new Map(items.map((item) => [identity?.ofItem(item) ?? '', item]));
}

/** The change of one value, without hidden values, and with links in one spelling. */
export function shownChange(
  of: Sensitivity,
  path: string,
  { old, new: next }: { readonly old?: JsonValue | undefined; readonly new?: JsonValue | undefined },
  context = noContext,
): FieldChange {
  const values = [old, next].filter((value) => value !== undefined);
  const hidden = holdsSensitive(of.shape) || values.some((value) => isMarked(of, value));
  const shown = (value: JsonValue): JsonValue | SensitiveValue =>
    hidden ? { sensitive: true, changed: true } : inShortLinks(of.shape, value, context);
  return {
    path,
    ...(old === undefined ? {} : { old: shown(old) }),
    ...(next === undefined ? {} : { new: shown(next) }),
  };
}

/** The platform returns long links for short ones, so the same link would be shown in two forms. */
function inShortLinks(shape: Shape | undefined, value: JsonValue, context: RecordContext): JsonValue {
  if (shape === undefined) return value;
  if (isArray(value)) return value.map((item, index) => inShortLinks(childShape(shape, index), item, context));
  if (isObject(value)) return mapMembers(value, (item, name) => inShortLinks(childShape(shape, name), item, context));
  return shape.type === 'scalar' && typeof value === 'string' ? shortLink(shape, value, context) : value;
}

/** A saved plan contains masks instead of marked values. */
function isMarked(of: Sensitivity, value: JsonValue): boolean {
  return holdsMask(value) || !sameJson(maskValue(of, value), value);
}

/**
 * The record or patch document with `{"sensitive": true}` instead of every sensitive value: also in values of
 * directives, and in the strings by which they name sensitive items.
 */
export function maskSensitive(of: Sensitivity, document: JsonObject): JsonObject {
  return mayMask(of) ? maskObject(of, document) : document;
}

/** The same for a value inside a record. */
export function maskValue(of: Sensitivity, value: JsonValue): JsonValue {
  if (value === null) return value;
  if (shouldMask(of)) return masked;
  if (!mayMask(of)) return value; // most values: no copy needed
  if (isArray(value)) return value.map((item) => maskValue(sensitivityOfItem(of, item), item));
  if (isObject(value)) return maskObject(of, value);
  return holdsSensitive(of.shape) || repeatsMarked(of, value) ? masked : value;
}

function maskObject(of: Sensitivity, object: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    put(copy, name, isReserved(name) ? maskDirective(of, name, value) : maskMember(of, name, value));
  }
  return copy;
}

/** A member unknown to the schema is hidden beside a sensitive one, because it may be sensitive too. */
function maskMember(of: Sensitivity, name: string, value: JsonValue): JsonValue {
  const { shape } = of;
  const hidden = shape.type === 'object' && !shape.fields.has(name) && [...shape.fields.values()].some(isHidden);
  return hidden ? masked : maskValue(sensitivityOfMember(of, name), value);
}

function isHidden(shape: Shape): boolean {
  return shape.facts.sensitive === true;
}

function maskDirective(of: Sensitivity, name: string, value: JsonValue): JsonValue {
  const directive = parseDirective(name);
  if (directive === undefined) return mayMask(of) ? masked : value;
  if (directive.name === '$drop-fields') return value;
  if (directive.name === '$replace') return maskMember(of, directive.field, value);

  const list = sensitivityOfMember(of, directive.field);
  const naming = directive.name === '$drop' || directive.name === '$retain';
  return naming ? maskNames(list, value) : maskValue(list, value);
}

/** The names are keys, which are shown, or the items themselves. */
function maskNames(list: Sensitivity, names: JsonValue): JsonValue {
  const hidden = shouldMask(list) || (isKeyed(list) ? isHidden(itemShape(list.shape)) : areHidden(list, names));
  return hidden ? masked : names;
}

function isKeyed({ shape }: Sensitivity): boolean {
  return shape.facts.list?.class === 'keyed';
}

function areHidden(list: Sensitivity, items: JsonValue): boolean {
  return shouldMask(sensitivityOfItem(list, null)) || textsIn(items).some((text) => repeatsMarked(list, text));
}

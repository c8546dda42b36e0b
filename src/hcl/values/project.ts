import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
  sameJson,
} from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { compact } from '../../base/json/present.ts';
import { equalValues, memberKey, shortLink } from '../../kinds/equal.ts';
import { valueWhenOmitted } from '../../kinds/normalise.ts';
import { matchingOf } from '../../patch/partners.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { keyFields } from '../../schema/shape/listKey.ts';
import {
  type ChoiceForm,
  type EntriesForm,
  type Form,
  isLeaf,
  type LeafForm,
  type ListForm,
  type MapForm,
  type Member,
  type ObjectForm,
} from '../schema/form.ts';
import {
  attributeOf,
  holdsUnknown,
  isListValue,
  isObjectValue,
  type ObjectValue,
  unknown,
  type Value,
} from '../value.ts';
import { jsonOfForm } from './manifestOf.ts';

const noMembers: JsonObject = {};

export function objectValue(form: ObjectForm, live: JsonObject, place: Omit<Place, 'live'>, view: View): ObjectValue {
  const target = isObject(place.target) ? place.target : noMembers;
  const hint = isObjectValue(place.hint) ? place.hint : undefined;
  const values: Record<string, Value> = {};
  view.enclosing.push(live);
  for (const member of form.members) {
    const inside: Place = {
      live: own(live, member.field),
      target: own(target, member.field),
      hint: hint === undefined ? undefined : attributeOf(hint, member.name),
    };
    values[member.name] = member.isAlternative
      ? alternativeValue(member, inside, hint)
      : isExcluded(form, member, hint, view)
        ? unknown
        : formValue(member.form, member.presence === 'filled', inside, view);
  }
  view.enclosing.pop();
  if (form.others !== undefined) {
    values[form.others] = othersOf(form, live, target, hint === undefined ? undefined : attributeOf(hint, form.others));
  }
  return values;
}

/** Whether an unknown neighbour, or an unknown change, may remove the platform's choice. */
function isExcluded({ members }: ObjectForm, member: Member, hint: ObjectValue | undefined, view: View): boolean {
  const { notBeside } = member.form.shape.facts;
  if (view.mode !== 'plan' || view.unknown === 'nothing' || notBeside === undefined || hint === undefined) return false;
  if (attributeOf(hint, member.name) !== null) return false;
  return members.some(({ name, field }) => notBeside.includes(field) && attributeOf(hint, name) !== null);
}

/** One of several attributes of a field: the written one, otherwise the one of the value's type. */
function alternativeValue(member: Member, place: Place, hint: ObjectValue | undefined): Value {
  const { live, target } = place;
  if (hint !== undefined && live === target) return place.hint ?? null;
  if (live === undefined || live === null || !isLeaf(member.form)) return null;
  return fitsAlternative(member.form, live) ? leafValue(member.form, live) : null;
}

function formValue(form: Form, isFilled: boolean, place: Place, view: View): Value {
  const knownPlace = place.hint === unknown && view.mode === 'read' ? { ...place, hint: undefined } : place;
  if (knownPlace.hint === unknown) return unknown;
  switch (form.is) {
    case 'object':
      return nestedValue(form, knownPlace, view);
    case 'list':
      return isLeaf(form.item)
        ? leafList(form, isFilled, knownPlace, view)
        : objectList({ ...form, item: form.item }, isFilled, knownPlace, view);
    case 'entries':
      return entriesValue(form, knownPlace, view);
    case 'map':
      return mapValue(form, knownPlace, view);
    case 'choice':
      return choiceValue(form, knownPlace, view);
    default:
      return scalarValue(form, isFilled, knownPlace, view);
  }
}

function scalarValue(form: LeafForm, isFilled: boolean, { live, target, hint }: Place, view: View): Value {
  if (hint !== undefined && hint !== null && (view.mode === 'plan' || live === target)) return hint;
  if (hint === null && !isFilled && (view.mode === 'plan' || live === target)) return null;
  if (view.mode === 'plan' && isFilled) return filledValue(form, live, view);
  if (live !== undefined && live !== null) return shownLeaf(form, live, view);
  if (view.mode === 'write') return null;
  const omittedValue = whenAbsent(form, view);
  return omittedValue === unknown
    ? unknown
    : isFilled && omittedValue !== undefined
      ? leafValue(form, omittedValue)
      : null;
}

/** The planned value of an omitted attribute. One that does not mean its default comes from the platform. */
function filledValue(form: LeafForm, live: JsonValue | undefined, view: View): Value {
  if (isOpen(form, live, view)) return unknown;
  const stays = live === undefined || live === null ? whenAbsent(form, view) : live;
  return stays === unknown ? unknown : stays === undefined ? null : leafValue(form, stays);
}

/** Whether omitting it means the same in every record. */
function isDefault({ shape: { facts } }: Form): boolean {
  return (facts.fill === 'constant' || facts.fill === 'irremovable') && facts.derive === undefined;
}

/** Whether it may depend on unknown values. */
function isOpen(form: Form, live: JsonValue | undefined, { unknown: open, isMatched }: View): boolean {
  const { facts } = form.shape;
  if (!isMatched && !isDefault(form)) return true;
  if (facts.fill !== 'derived' || open === 'nothing') return false;
  if (facts.derive === 'name') return open === 'name';
  return facts.immutable !== true || live === undefined;
}

/** The meaning of an omitted optional field; the platform's own choice is not known in advance. */
function whenAbsent({ shape: { facts } }: Form, { mode, enclosing }: View): JsonValue | undefined | typeof unknown {
  if (facts.fill === 'service') return mode === 'plan' ? unknown : undefined;
  return valueWhenOmitted(facts, enclosing);
}

function nestedValue(form: ObjectForm, { live, target, hint }: Place, view: View): Value {
  if (isObjectValue(hint)) {
    if (isObject(live)) return objectValue(form, live, { target, hint }, view);
    return view.mode === 'plan' || live === target
      ? objectValue(form, noMembers, { target: noMembers, hint }, view)
      : null;
  }
  if (hint === null && (view.mode === 'plan' || live === target)) return null;
  if (!isObject(live)) return null;
  const { shape } = form;
  if (view.mode === 'write') return objectValue(form, live, { target: live, hint: undefined }, view);
  const isLikeOmitted = shape.facts.presence !== true && equalValues(shape, undefined, live, view.context);
  return hint === undefined && isLikeOmitted ? null : objectValue(form, live, { target: live, hint: undefined }, view);
}

function leafList(form: ListForm, isFilled: boolean, place: Place, view: View): Value {
  const { live, target, hint } = place;
  if (isListValue(hint)) {
    if (view.mode === 'plan') return hint;
    return isArray(live) || live === target
      ? alignedTexts(form, { live: isArray(live) ? live : [], hint, isSame: live === target }, view.context)
      : null;
  }
  if (hint === null && !isFilled && (view.mode === 'plan' || live === target)) return null;
  if (view.mode === 'plan' && isOpen(form, live, view)) return unknown;
  if (isArray(live) && !(view.mode === 'plan' && isDefault(form)))
    return !isFilled && isUnknownIfWritten(hint, live.length, view) ? null : leaves(form, live, view);
  if (view.mode === 'write') return null;
  const omittedValue = isFilled ? whenAbsent(form, view) : undefined;
  if (omittedValue === unknown) return unknown;
  return isArray(omittedValue) ? leaves(form, omittedValue, view) : null;
}

/** Whether it is unknown if an empty list or map was written. */
function isUnknownIfWritten(hint: Value | undefined, size: number, { mode }: View): boolean {
  return hint === undefined && size === 0 && mode !== 'write';
}

function leaves({ item }: ListForm, items: JsonArray, view: View): readonly Value[] {
  return items.map((each) => (isLeaf(item) ? shownLeaf(item, each, view) : null));
}

function shownLeaf(form: LeafForm, json: JsonValue, { shortLinks, context }: View): Value {
  const { shape } = form;
  const isShort = shortLinks && shape.type === 'scalar' && shape.facts.link !== undefined && typeof json === 'string';
  return leafValue(form, isShort ? shortLink(shape, json, context) : json);
}

type ObjectListForm = ListForm & { readonly item: ObjectForm };

function objectList(form: ObjectListForm, isFilled: boolean, place: Place, view: View): Value {
  const { item } = form;
  const { live, target, hint } = place;
  const items = isArray(live) ? live : [];
  if (isListValue(hint)) {
    if (view.mode === 'read' && !isArray(live)) {
      const said: Omit<Place, 'hint'> = { live: noMembers, target: noMembers };
      return live === target ? hint.map((each) => itemValue(item, { ...said, hint: each }, view)) : null;
    }
    const wanted = isArray(target) ? target : [];
    const inside = view.mode === 'plan' && !areMatched(form, hint) ? { ...view, isMatched: false } : view;
    return alignedItems(form, { live: items, target: wanted, hint }, view).map((each) => itemValue(item, each, inside));
  }
  if (hint === null && (view.mode === 'plan' || live === target)) return null;
  if (!isArray(live) || (!isFilled && isUnknownIfWritten(hint, items.length, view))) return null;
  return items.map((each) => itemValue(item, { live: each, target: each, hint: undefined }, view));
}

function itemValue(form: ObjectForm, { live, target, hint }: Place, view: View): Value {
  if (hint === unknown && view.mode === 'plan') return unknown;
  if (hint === null) return null;
  return objectValue(
    form,
    isObject(live) ? live : noMembers,
    { target, hint: hint === unknown ? undefined : hint },
    view,
  );
}

function mapValue({ value: form }: MapForm, { live, target, hint }: Place, view: View): Value {
  const map = isObject(live) ? live : noMembers;
  const wanted = isObject(target) ? target : noMembers;
  if (hint === null && (view.mode === 'plan' || live === target)) return null;
  if (isObjectValue(hint) && view.mode === 'read' && !isObject(live) && live !== target) return null;
  if (!isObjectValue(hint) && (!isObject(live) || isUnknownIfWritten(hint, Object.keys(map).length, view))) return null;
  const hints = isObjectValue(hint) ? hint : {};
  const names = [...Object.keys(hints), ...Object.keys(map).filter((name) => !Object.hasOwn(hints, name))];
  return Object.fromEntries(
    names.flatMap((name): readonly (readonly [string, Value])[] => {
      const each = own(map, name);
      const said = Object.hasOwn(hints, name) ? hints[name] : undefined;
      if (view.mode === 'plan' && said === undefined) return [];
      if (each === undefined && said !== null && view.mode === 'read' && live !== target) return [];
      const place: Place = { live: each, target: own(wanted, name), hint: said };
      return [
        [
          name,
          isLeaf(form) ? scalarValue(form, false, withoutUnknownHint(place, view), view) : itemValue(form, place, view),
        ],
      ];
    }),
  );
}

/** A list of named texts. The written form of an item is kept if the record means the same. */
function entriesValue(form: EntriesForm, { live, target, hint }: Place, view: View): Value {
  const [items, omittedValue] = [byName(form, live), byName(form, target)];
  if (hint === null && (view.mode === 'plan' || live === target)) return null;
  if (!isObjectValue(hint) && (!isArray(live) || isUnknownIfWritten(hint, items.size, view))) return null;
  if (isObjectValue(hint) && view.mode === 'plan') return hint;
  if (isObjectValue(hint) && !isArray(live) && live !== target) return null;
  const hints = isObjectValue(hint) ? hint : {};
  const names = new Set([...Object.keys(hints), ...items.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name): readonly (readonly [string, Value])[] => {
      const item = items.get(name);
      const said = Object.hasOwn(hints, name) ? hints[name] : undefined;
      if (said !== undefined && said !== unknown && item === omittedValue.get(name)) return [[name, said]];
      if (item === undefined) return said === unknown ? [[name, null]] : [];
      return [[name, shownLeaf(form.value, own(item, form.field) ?? '', view)]];
    }),
  );
}

function byName({ key }: EntriesForm, list: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const items = isArray(list) ? list.filter(isObject) : [];
  return new Map(items.map((item) => [String(own(item, key)), item]));
}

function withoutUnknownHint(place: Place, { mode }: View): Place {
  return place.hint === unknown && mode === 'read' ? { ...place, hint: undefined } : place;
}

/** The data of a secret, under the name of its type. */
function choiceValue(form: ChoiceForm, { live, target, hint }: Place, view: View): Value {
  if (hint === null) return null;
  const enclosingObject = view.enclosing.at(-1) ?? noMembers;
  const hints = isObjectValue(hint) ? hint : undefined;
  const written = form.choices.find(({ name }) => hints && attributeOf(hints, name) !== null);
  if (live === undefined && view.mode === 'read') return withoutUnknown(hint);
  const choice = written ?? form.choices.find(({ value }) => value === own(enclosingObject, form.by));
  if (choice === undefined) return view.mode === 'read' ? withoutUnknown(hint) : (hint ?? null);
  const inside: Place = { live, target, hint: hints === undefined ? undefined : attributeOf(hints, choice.name) };
  return Object.fromEntries(
    form.choices.map((each) => [each.name, each === choice ? formValue(choice.form, false, inside, view) : null]),
  );
}

/** The planned value if the platform does not show it: its choice is not known, so it is null. */
function withoutUnknown(value: Value = null): Value {
  if (value === unknown) return null;
  if (isListValue(value)) return value.map(withoutUnknown);
  if (!isObjectValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutUnknown(member)]));
}

/**
 * The items of a list of values in the order in which they were written, if the platform does not keep one. `isSame`:
 * the list means the same as what was written.
 */
function alignedTexts(
  form: ListForm,
  { live, hint, isSame }: { readonly live: JsonArray; readonly hint: readonly Value[]; readonly isSame: boolean },
  context: RecordContext,
): readonly Value[] {
  const { shape, item } = form;
  const show = (each: JsonValue): Value => (isLeaf(item) ? leafValue(item, each) : null);
  if (isSame && !hint.includes(unknown)) return hint;
  const written = hint.map((each) => (each === unknown ? undefined : jsonOfForm(item, each)));
  if (shape.facts.list?.class !== 'set') {
    return live.map((each, index) => {
      const said = written[index];
      const isMeant = said !== undefined && equalValues(shape.item, said, each, context);
      return isMeant ? (hint[index] ?? null) : show(each);
    });
  }
  const unmatchedItems = new Map(live.map((each) => [memberKey(shape, each, context), each]));
  const matched = written.map((said, index): Value | undefined => {
    const key = said === undefined ? undefined : memberKey(shape, said, context);
    return key !== undefined && unmatchedItems.delete(key) ? (hint[index] ?? null) : undefined;
  });
  const rest = [...unmatchedItems.values()];
  const filled = compact(matched, (value, index): Value | undefined => {
    if (value !== undefined) return value;
    const next = hint[index] === unknown ? rest.shift() : undefined;
    return next === undefined ? undefined : show(next);
  });
  return [...filled, ...rest.map(show)];
}

/**
 * The items of a list of objects in their written form, and in their written order if the platform does not keep one.
 * If something differs, the unwritten items follow.
 */
function alignedItems(
  form: ListForm,
  { live, target, hint }: { readonly live: JsonArray; readonly target: JsonArray; readonly hint: readonly Value[] },
  { context, mode }: View,
): readonly Place[] {
  const { shape, item } = form;
  const written = hint.map((each) => jsonOfForm(item, each) ?? {});
  // After an apply, unknown keys are only those that were omitted: then they have their default.
  const isOpen = (index: number): boolean => mode === 'plan' && isNameless(form, hint[index]);
  const named = written.filter((_, index) => !isOpen(index));
  const matching = matchingOf(shape, live, named);
  const key = matching.by === 'key' ? matching.identity.ofItem : undefined;
  const isSame = (a: JsonValue, b: JsonValue): boolean => equalValues(shape.item, a, b, context);
  const unmatched = new Set(live.keys());
  const places = new Map(key === undefined ? [] : live.map((each, index) => [key(each), index]));
  const targets = new Set(target);
  const takeIndex = (index: number): number | undefined => (index >= 0 && unmatched.delete(index) ? index : undefined);

  const found = written.map((said, index): number | undefined => {
    if (isOpen(index)) return undefined;
    if (key !== undefined) return takeIndex(places.get(key(said)) ?? -1);
    if (shape.facts.byContent !== true) return index < live.length ? takeIndex(index) : undefined;
    return takeIndex([...unmatched].find((each) => isSame(live[each] ?? null, said)) ?? -1);
  });
  // Changed items that are identified only by their content are matched in order.
  const rest = [...unmatched];
  const filled = found.map((index) =>
    index === undefined && key === undefined && shape.facts.byContent === true ? rest.shift() : index,
  );

  const targetOf = (each: JsonValue | undefined, index: number): JsonValue | undefined => {
    if (each === undefined || targets.has(each)) return each;
    return key === undefined ? target[index] : target.find((other) => key(other) === key(each));
  };
  const aligned = filled.flatMap((index, position): readonly Place[] => {
    const each = index === undefined ? undefined : live[index];
    if (each === undefined && mode === 'read') return [];
    return [{ live: each, target: targetOf(each, index ?? 0), hint: hint[position] }];
  });
  if (mode === 'plan' || live === target) return aligned;
  const used = new Set(filled);
  const others = [...live.keys()].filter((index) => !used.has(index));
  return [...aligned, ...others.map((index) => ({ live: live[index], target: live[index], hint: undefined }))];
}

/** Whether each item of a configuration can be matched with an item of the last state. */
function areMatched(form: ListForm, items: readonly Value[]): boolean {
  if (!items.some(holdsUnknown)) return true;
  const { list } = form.shape.facts;
  const others = list?.class === 'keyed' ? (list.sequenceIfAny ?? []) : [];
  const written = items.map((each) => jsonOfForm(form.item, each) ?? {});
  return !items.some((each) => isNameless(form, each, others)) && matchingOf(form.shape, [], written).by === 'key';
}

/** Whether the key of an item is unknown. `others`: further fields that are part of it. */
function isNameless({ shape, item }: ListForm, value: Value | undefined, others: readonly string[] = []): boolean {
  const { list } = shape.facts;
  if (list?.class !== 'keyed' || item.is !== 'object') return false;
  if (!isObjectValue(value)) return value === unknown;
  const fields = new Set([...keyFields(shape), ...others]);
  return item.members.some(({ field, name }) => fields.has(field) && holdsUnknown(attributeOf(value, name)));
}

/**
 * The members of an object that the schema does not declare, as JSON text: the existing ones of those that were
 * written; without a hint all of them. The text is kept if it means the current value.
 */
function othersOf({ shape }: ObjectForm, live: JsonObject, target: JsonObject, hint: Value | undefined): Value {
  if (hint !== undefined && typeof hint !== 'string') return hint === null ? null : hint;
  const names = Object.keys(hint === undefined ? live : parsed(hint)).filter((name) => !shape.fields.has(name));
  if (hint !== undefined && names.every((name) => own(live, name) === own(target, name))) return hint;
  const found = compact(names, (name): readonly [string, JsonValue] | undefined => {
    const value = own(live, name);
    return value === undefined ? undefined : [name, value];
  });
  return found.length === 0 ? null : JSON.stringify(Object.fromEntries(found));
}

function parsed(text: string): JsonObject {
  const value = jsonIn(text);
  return isObject(value) ? value : {}; // from a configuration that is refused
}

/** One value of a record; null if its type does not match the schema. */
function leafValue({ is }: LeafForm, json: JsonValue): Value {
  switch (is) {
    case 'json':
      return JSON.stringify(json);
    case 'number':
      return typeof json === 'number' ? json : null;
    case 'bool':
      return typeof json === 'boolean' ? json : null;
    case 'text':
      return json === null || isObject(json) || isArray(json) ? null : String(json);
  }
}

/** The same, in the text of the last state if that is JSON for the same value. */
export function answeredLeaf(form: LeafForm, json: JsonValue | undefined, hint: Value | undefined): Value {
  if (json === undefined || json === null) return null;
  if (form.is === 'json' && typeof hint === 'string' && isTextOf(hint, json)) return hint;
  return leafValue(form, json);
}

function isTextOf(text: string, json: JsonValue): boolean {
  try {
    const value: JsonValue = JSON.parse(text);
    return sameJson(value, json);
  } catch {
    return false; // from an older version of the provider
  }
}

/** Whether a value of the record has the type of this alternative. */
function fitsAlternative({ is }: LeafForm, json: JsonValue): boolean {
  if (is === 'json') return typeof json !== 'string';
  return typeof json === (is === 'text' ? 'string' : is === 'bool' ? 'boolean' : 'number');
}

/** The settings for showing a record. */
export interface View {
  readonly context: RecordContext;
  /**
   * `read`: the record is live, and `hint` is the last state or the plan: a value that means the same keeps its written
   * form. `plan`: the record is the desired one, and `hint` is the configuration, which is shown as it is: unknown
   * values stay unknown, and so do those that the platform will choose. `write`: the record is a manifest, and there is
   * no hint: omitted fields stay omitted.
   */
  readonly mode: 'read' | 'plan' | 'write';
  /** Something in the configuration is unknown, so that nothing can be derived from it; `name`: including the name. */
  readonly unknown: 'nothing' | 'something' | 'name';
  /** For a plan: whether every surrounding item was matched with one of the last state. */
  readonly isMatched: boolean;
  /** Links of the own org are in short form, as users write them; otherwise as they are in the record. */
  readonly shortLinks: boolean;
  /** The record's objects around the current place. */
  readonly enclosing: JsonObject[];
}

/**
 * One place of the record. `target`: its desired value according to the hint; the same value as `live` if both mean the
 * same. If there is no hint, nothing is known of how it was written, so everything is shown.
 */
interface Place {
  readonly live: JsonValue | undefined;
  readonly target: JsonValue | undefined;
  readonly hint: Value | undefined;
}

import type { JsonArray, JsonValue } from '../../base/json/json.ts';
import { matchingOf } from '../../patch/judge/matching.ts';
import { equalValues, memberKey } from '../../schema/normalForm/equal.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { isLeaf, type ListForm } from '../schema/form.ts';
import { attributeOf, holdsUnknown, isObjectValue, unknown, type Value } from '../value.ts';
import { leafValue } from './leaf.ts';
import { jsonOfForm } from './manifestOf.ts';
import type { Place, View } from './view.ts';

/**
 * The items of a list of values in the order in which they were written, where the platform does not keep one.
 * `isSame`: the list means what was written.
 */
export function alignedTexts(
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
  const left = new Map(live.map((each) => [memberKey(shape, each, context), each]));
  const matched = written.map((said, index): Value | undefined => {
    const key = said === undefined ? undefined : memberKey(shape, said, context);
    return key !== undefined && left.delete(key) ? (hint[index] ?? null) : undefined;
  });
  const rest = [...left.values()];
  const filled = matched.flatMap((value, index): readonly Value[] => {
    if (value !== undefined) return [value];
    const next = hint[index] === unknown ? rest.shift() : undefined;
    return next === undefined ? [] : [show(next)];
  });
  return [...filled, ...rest.map(show)];
}

/**
 * The items of a list of objects with what was written of each: in the order in which they were written where the
 * platform does not keep one, then, where something differs, those that nobody wrote here.
 */
export function alignedItems(
  form: ListForm,
  { live, target, hint }: { readonly live: JsonArray; readonly target: JsonArray; readonly hint: readonly Value[] },
  { context, mode }: View,
): readonly Place[] {
  const { shape, item } = form;
  const written = hint.map((each) => jsonOfForm(item, each) ?? {});
  // A plan that was applied has unknown keys only where they are left out: then they have their default.
  const isOpen = (index: number): boolean => mode === 'plan' && isNameless(form, hint[index]);
  const named = written.filter((_, index) => !isOpen(index));
  const matching = matchingOf(shape, live, named);
  const key = matching.by === 'key' ? matching.identity.ofItem : undefined;
  const isSame = (a: JsonValue, b: JsonValue): boolean => equalValues(shape.item, a, b, context);
  const free = new Set(live.keys());
  const places = new Map(key === undefined ? [] : live.map((each, index) => [key(each), index]));
  const targets = new Set(target);
  const take = (index: number): number | undefined => (index >= 0 && free.delete(index) ? index : undefined);

  const found = written.map((said, index): number | undefined => {
    if (isOpen(index)) return undefined;
    if (key !== undefined) return take(places.get(key(said)) ?? -1);
    if (shape.facts.byContent !== true) return index < live.length ? take(index) : undefined;
    return take([...free].find((each) => isSame(live[each] ?? null, said)) ?? -1);
  });
  // Items that are identified by their content alone and have changed: one for one, in order.
  const rest = [...free];
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

/** Is it known of each item in a configuration which one of the last state it is? */
export function areMatched(form: ListForm, items: readonly Value[]): boolean {
  if (!items.some(holdsUnknown)) return true;
  const { list } = form.shape.facts;
  const others = list?.class === 'keyed' ? (list.sequenceIfAny ?? []) : [];
  const written = items.map((each) => jsonOfForm(form.item, each) ?? {});
  return !items.some((each) => isNameless(form, each, others)) && matchingOf(form.shape, [], written).by === 'key';
}

/** Is it not known which item of a keyed list it is? `others`: further fields that decide it. */
function isNameless({ shape, item }: ListForm, value: Value | undefined, others: readonly string[] = []): boolean {
  const { list } = shape.facts;
  if (list?.class !== 'keyed' || item.is !== 'object') return false;
  if (!isObjectValue(value)) return value === unknown;
  const fields = new Set([...list.key.parts.flatMap((part) => part.fields), ...others]);
  return item.members.some(({ field, name }) => fields.has(field) && holdsUnknown(attributeOf(value, name)));
}

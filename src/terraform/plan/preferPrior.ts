import { matchingOf } from '../../patch/judge/matching.ts';
import { isArray, isObject, type JsonValue, own } from '../../schema/json/json.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import {
  attributeOf,
  holdsUnknown,
  isListValue,
  isObjectValue,
  type ObjectValue,
  unknown,
  type Value,
} from '../model/value.ts';
import type { Form, ListForm, ObjectForm } from '../schema/form.ts';
import { isNameless } from '../values/aligned.ts';
import { jsonOfForm } from '../values/manifestOf.ts';

/** One place of a plan. */
export interface Compared {
  /** What is planned without regard to the last state. */
  readonly planned: Value;
  readonly config: Value;
  readonly prior: Value;
  /** The record by the last state, and what it is to become: the same value where both mean the same. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** What the whole comparison goes by. */
export interface Comparison {
  readonly context: RecordContext;
  /** Nothing is written: what the platform had not chosen before, it does not choose now. */
  readonly isQuiet: boolean;
}

/**
 * The plan with the last state wherever both mean the same, so that nothing is shown that is not changed. Terraform
 * allows it where the configuration is set; elsewhere only of what the platform fills in. It is decided value by value,
 * so that a plan made again when more is known decides the same of what was known before.
 */
export function preferPrior(form: ObjectForm, place: Compared, by: Comparison): ObjectValue {
  const { planned, config, prior } = place;
  const [plan, wanted, old] = [asObject(planned), asObject(config), asObject(prior)];
  const values: Record<string, Value> = { ...plan };
  for (const { name, field, form: inner, presence } of form.members) {
    const inside: Compared = {
      planned: attributeOf(plan, name),
      config: attributeOf(wanted, name),
      prior: attributeOf(old, name),
      before: isObject(place.before) ? own(place.before, field) : undefined,
      after: isObject(place.after) ? own(place.after, field) : undefined,
    };
    values[name] = preferred(inner, presence === 'filled', inside, by);
  }
  return values;
}

function preferred(form: Form, isFilled: boolean, place: Compared, by: Comparison): Value {
  const { planned, config, prior, before, after } = place;
  const isSame = before === after && !holdsUnknown(config);
  if (config === null) {
    if (isFilled && isSame && isChosen(form, place, by)) return prior;
    return isFilled && isDerivedAnew(form, place) ? unknown : planned;
  }
  if (planned === unknown || planned === null) return planned;
  // Of what was left out before, nothing was shown.
  if (prior === null) return form.is === 'object' ? preferPrior(form, place, { ...by, isQuiet: false }) : planned;
  switch (form.is) {
    case 'object':
      return preferPrior(form, place, by);
    case 'list':
      if (form.item.is !== 'object') return isSame ? prior : planned;
      return isSame && isReordered(form, place, by) ? prior : itemsOf(form, form.item, place, by);
    case 'map':
      return membersOf(form.value, place, by);
    default:
      return isSame ? prior : planned;
  }
}

/** A platform that does not show what it derived may hold the old value for one more write. */
function isDerivedAnew({ shape: { facts } }: Form, { planned, prior }: Compared): boolean {
  return facts.fill === 'derived' && facts.immutable !== true && facts.derive !== 'name' && planned !== prior;
}

/** Are they the same items in another order, which the platform does not keep? */
function isReordered({ shape, item }: ListForm, { config, before }: Compared, { context }: Comparison): boolean {
  if (!isListValue(config) || !isArray(before)) return false;
  const written = config.map((each) => jsonOfForm(item, each) ?? {});
  const matching = matchingOf(shape, before, written, context);
  if (matching.by !== 'key') return shape.facts.byContent === true;
  const { ofItem } = matching.identity;
  return (
    written.length === before.length && written.some((each, index) => ofItem(each) !== ofItem(before[index] ?? null))
  );
}

/** Has the platform made its choice? */
function isChosen(form: Form, { prior, planned }: Compared, { isQuiet }: Comparison): boolean {
  if (prior !== null) return planned !== unknown || form.shape.facts.fill === 'service';
  return isQuiet && planned === unknown && form.shape.facts.fill === 'service';
}

/** An item is compared with the one that stood at the same position, which is all that Terraform allows. */
function itemsOf(form: ListForm, item: ObjectForm, place: Compared, by: Comparison): Value {
  const { planned, config, prior, before, after } = place;
  if (!isListValue(planned) || !isListValue(config) || !isListValue(prior)) return planned;
  if (!isArray(before) || !isArray(after)) return planned;
  const written = config.map((each) => jsonOfForm(item, each) ?? {});
  const { shape } = form;
  const named = written.filter((said, index) => !isNameless(shape, said, config[index]));
  const matching = matchingOf(shape, before, named, by.context);
  const afterOf = (index: number): JsonValue | undefined => {
    const [was, said] = [before[index], written[index]];
    if (was === undefined || said === undefined || isNameless(shape, said, config[index])) return undefined;
    if (matching.by === 'key') {
      const key = matching.identity.ofItem(was);
      return key === matching.identity.ofItem(said)
        ? after.find((each) => matching.identity.ofItem(each) === key)
        : undefined;
    }
    if (shape.facts.byContent !== true) return after[index];
    return after.includes(was) && equalValues(item.shape, was, said, by.context) ? was : undefined;
  };
  return planned.map((each, index) => {
    const old: Value | undefined = prior[index];
    const wanted: Value | undefined = config[index];
    const is = afterOf(index);
    if (!isObjectValue(each) || !isObjectValue(old) || !isObjectValue(wanted) || is === undefined) return each;
    return preferPrior(item, { planned: each, config: wanted, prior: old, before: before[index], after: is }, by);
  });
}

function membersOf(form: Form, { planned, config, prior, before, after }: Compared, by: Comparison): Value {
  if (!isObjectValue(planned) || !isObjectValue(config) || !isObjectValue(prior)) return planned;
  return Object.fromEntries(
    Object.entries(planned).map(([name, member]) => {
      const place: Compared = {
        planned: member,
        config: attributeOf(config, name),
        prior: attributeOf(prior, name),
        before: isObject(before) ? own(before, name) : undefined,
        after: isObject(after) ? own(after, name) : undefined,
      };
      return [name, preferred(form, false, place, by)];
    }),
  );
}

function asObject(value: Value): ObjectValue {
  return isObjectValue(value) ? value : {};
}

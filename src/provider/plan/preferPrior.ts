import { fieldIn, isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import { type Choice, type Form, isLeaf, type ListForm, type ObjectForm } from '../../hcl/schema/form.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  sameValue,
  unknown,
  type Value,
} from '../../hcl/value.ts';
import { jsonOfForm } from '../../hcl/values/manifestOf.ts';
import { equalValues } from '../../kinds/equal.ts';
import { matchingOf } from '../../patch/partners.ts';
import type { RecordContext } from '../../schema/record/ref.ts';

/** One place of a plan. */
export interface Compared {
  /** The planned value without regard to the last state. */
  readonly planned: Value;
  readonly config: Value;
  readonly prior: Value;
  /** The record in the last state, and the desired one: the same value if both mean the same. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** The rules of the whole comparison. */
export interface Comparison {
  readonly context: RecordContext;
  /**
   * True if nothing is written, and the last state has the surrounding value: then the platform chooses no value that
   * it had not chosen before.
   */
  readonly isQuiet: boolean;
  /** The position of the surrounding item in the last state: the same, another one, or none. */
  readonly item: 'same' | 'moved' | 'new';
}

/**
 * The plan with the text of the last state wherever both mean the same, so that only real changes are shown.
 *
 * Terraform plans again in the apply, when everything is known, and does not report the first plan. For both plans to
 * agree, a written text is only compared with the text at the same place. The order is always that of the
 * configuration: whether all items of a list mean the same is unknown while one of them is unknown.
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
  const { planned, config, prior } = place;
  if (config === null) return isFilled ? filled(form, place, by) : planned;
  if (planned === unknown || planned === null) return planned;
  // The last state shows nothing inside a value that was omitted before.
  const inside = prior === null ? { ...by, isQuiet: false } : by;
  switch (form.is) {
    case 'object':
      return preferPrior(form, place, inside);
    case 'list':
      if (form.item.is === 'object') return itemsOf(form, form.item, place, by);
      return isSingle(planned) && isSingle(prior) && meansPrior(form, place, by) ? prior : planned;
    case 'map':
      return form.value.is === 'object' ? membersOf(form.value, place, by) : planned;
    case 'choice':
      return isObjectValue(planned) ? chosen(form.choices, planned, place, by) : planned;
    default:
      return meansPrior(form, place, by) ? prior : planned;
  }
}

/** The value that the platform, or the schema, fills in if the configuration omits it. */
function filled(form: Form, place: Compared, by: Comparison): Value {
  const { planned, prior } = place;
  if (!isLeaf(form) && !(form.is === 'list' && isLeaf(form.item))) return planned; // a block is not computed
  if (planned === unknown) return by.isQuiet && prior === null && form.shape.facts.fill === 'service' ? null : unknown;
  if (by.item !== 'new' && isDerivedAnew(form, place, by)) return unknown;
  return meansPrior(form, place, by) ? prior : planned;
}

/** Whether a derived value may change: a platform that does not show it may keep the old one for one more write. */
function isDerivedAnew(form: Form, { planned, before }: Compared, { context }: Comparison): boolean {
  const { facts } = form.shape;
  if (facts.fill !== 'derived' || facts.immutable === true || facts.derive === 'name') return false;
  const now = jsonOfForm(form, planned);
  return before === undefined || now === undefined ? before !== now : !equalValues(form.shape, before, now, context);
}

/** Whether the plan means the same as the last state at this place. */
function meansPrior(form: Form, { planned, prior }: Compared, { context }: Comparison): boolean {
  if (prior === null || sameValue(planned, prior)) return prior !== null;
  const [now, then] = [jsonOfForm(form, planned), jsonOfForm(form, prior)];
  return now !== undefined && then !== undefined && equalValues(form.shape, now, then, context);
}

/** An item is compared with the one that was at the same position, which is all that Terraform allows. */
function itemsOf(form: ListForm, item: ObjectForm, place: Compared, by: Comparison): Value {
  const { planned, config, prior } = place;
  if (!isListValue(planned) || !isListValue(config) || !isListValue(prior)) return planned;
  const [before, after] = [listIn(place.before), listIn(place.after)];
  const written = config.map((each) => jsonOfForm(item, each) ?? {});
  const matching = matchingOf(form.shape, before, written);
  return planned.map((each, index) => {
    const wanted: Value | undefined = config[index];
    const old: Value | undefined = prior[index];
    if (!isObjectValue(each) || !isObjectValue(wanted)) return each;
    const key = matching.by === 'key' ? matching.identity.ofItem(written[index] ?? null) : undefined;
    const isIt = (other: JsonValue): boolean =>
      matching.by === 'key' && key !== undefined && matching.identity.ofItem(other) === key;
    const position = before.findIndex(isIt);
    const was = position === index ? 'same' : position === -1 ? 'new' : 'moved';
    const inside: Compared = {
      planned: each,
      config: wanted,
      prior: old ?? null,
      before: before[position],
      after: after.find(isIt),
    };
    const isQuiet = by.isQuiet && was === 'same';
    return preferPrior(item, inside, { ...by, isQuiet, item: by.item === 'same' ? was : by.item });
  });
}

function membersOf(form: ObjectForm, { planned, config, prior, before, after }: Compared, by: Comparison): Value {
  if (!isObjectValue(planned) || !isObjectValue(config) || !isObjectValue(prior)) return planned;
  return Object.fromEntries(
    Object.entries(planned).map(([name, member]) => {
      const place: Compared = {
        planned: member,
        config: attributeOf(config, name),
        prior: attributeOf(prior, name),
        before: fieldIn(before, name),
        after: fieldIn(after, name),
      };
      return [name, preferred(form, false, place, by)];
    }),
  );
}

/** A list of texts is one value to Terraform: only a single text can be compared without the others. */
function isSingle(list: Value): boolean {
  return isListValue(list) && list.length === 1 && list[0] !== unknown;
}

/** A value with alternative attributes, one of which is written. */
function chosen(choices: readonly Choice[], planned: ObjectValue, place: Compared, by: Comparison): ObjectValue {
  const [config, prior] = [asObject(place.config), asObject(place.prior)];
  return Object.fromEntries(
    choices.map(({ name, form }) => {
      const of = (value: ObjectValue): Value => attributeOf(value, name);
      return [
        name,
        preferred(form, false, { ...place, planned: of(planned), config: of(config), prior: of(prior) }, by),
      ];
    }),
  );
}

function asObject(value: Value): ObjectValue {
  return isObjectValue(value) ? value : {};
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import { namesOfPath } from '../../schema/shape/paths.ts';
import type { AttributePath } from '../diagnostic.ts';
import { type Form, isLeaf, isSetForm, type Member, type ObjectForm } from '../schema/form.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { ownNames, writeOnly } from '../schema/ownAttributes.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../value.ts';

/**
 * The attribute for a place in a record. `config` decides between several attributes of one field, and gives the
 * position of an item whose unknown neighbours were omitted. A place without an attribute gets the closest one around
 * it.
 */
export function attributePathOf(kind: KnownKind, pointer: Pointer, config: ObjectValue): AttributePath {
  const { record, lastingAnswers } = layoutOf(kind);
  const [first, ...rest] = pointer;
  if (first === 'gvc') return [ownNames.gvc];
  const only = lastingAnswers.find(({ field }) => field === first);
  if (only !== undefined) return [only.name];
  const hidden = record.members.find(({ field, form }) => field === first && form.is === 'choice');
  if (hidden !== undefined && attributeOf(config, hidden.name) === null) {
    const secret = attributeOf(config, writeOnly.data);
    if (secret !== null) return [writeOnly.data, ...below(hidden.form, rest, secret)];
  }
  return belowObject(record, pointer, config);
}

function belowObject(
  { members, others }: ObjectForm,
  [field, ...rest]: Pointer,
  value: Value | undefined,
): AttributePath {
  if (field === undefined) return [];
  const object = isObjectValue(value) ? value : {};
  const candidates = members.filter((member) => member.field === field);
  const isSet = ({ name }: Member): boolean => attributeOf(object, name) !== null;
  const member = candidates.find(isSet) ?? candidates[0];
  if (member !== undefined) return [member.name, ...below(member.form, rest, attributeOf(object, member.name))];
  return compact([others]);
}

function below(form: Form, pointer: Pointer, value: Value | undefined): AttributePath {
  const [step, ...rest] = pointer;
  if (step === undefined || isLeaf(form)) return [];
  switch (form.is) {
    case 'object':
      return belowObject(form, pointer, value);
    case 'list': {
      if (typeof step !== 'number' || isSetForm(form)) return [];
      const index = isLeaf(form.item) ? knownIndex(value, step) : step;
      return [index, ...below(form.item, rest, isListValue(value) ? value[index] : undefined)];
    }
    case 'entries': {
      const names = isObjectValue(value) ? Object.keys(value).filter((name) => attributeOf(value, name) !== null) : [];
      const name = typeof step === 'number' ? names[step] : undefined;
      return compact([name]);
    }
    case 'map':
      return [String(step), ...below(form.value, rest, isObjectValue(value) ? value[String(step)] : undefined)];
    case 'choice': {
      const object = isObjectValue(value) ? value : {};
      const choice = form.choices.find(({ name }) => attributeOf(object, name) !== null);
      return choice === undefined
        ? []
        : [choice.name, ...below(choice.form, pointer, attributeOf(object, choice.name))];
    }
  }
}

/** The position in the configuration of an item, given its position among the known ones. */
function knownIndex(value: Value | undefined, position: number): number {
  if (!isListValue(value)) return position;
  const known = [...value.keys()].filter((index) => value[index] !== unknown);
  return known[position] ?? position;
}

/** A path of a record for messages, with attribute names: `spec.containers["main"].min_cpu`. */
export function pathInAttributes(kind: KnownKind, path: string): string {
  let form: Form | undefined = layoutOf(kind).record;
  let text = '';
  for (const name of namesOfPath(path)) {
    if (form?.is === 'entries') return `${text}[${JSON.stringify(name)}]`;
    const member: Member | undefined =
      form?.is === 'object' ? form.members.find(({ field }) => field === name) : undefined;
    text += member === undefined ? `[${JSON.stringify(name)}]` : `${text === '' ? '' : '.'}${member.name}`;
    form = member?.form ?? inside(form);
  }
  return text;
}

function inside(form: Form | undefined): Form | undefined {
  if (form?.is === 'list') return form.item;
  return form?.is === 'map' ? form.value : undefined;
}

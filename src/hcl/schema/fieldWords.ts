import { onceFor } from '../../base/once.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { Form, Member } from './form.ts';
import { layoutOf } from './kindLayout.ts';
import { inAttributeNames } from './names.ts';

/** A message about a record of the kind, with attribute names for fields: `maxCapacity` becomes `max_capacity`. */
export function inAttributesOf(kind: KnownKind, message: string): string {
  const names = namesOf(kind);
  return inAttributeNames(message).replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => names.get(word) ?? word);
}

/** The attribute names of its fields, at any depth. */
const namesOf = onceFor((kind: KnownKind): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { field, name } of membersIn(layoutOf(kind).record)) if (!names.has(field)) names.set(field, name);
  return names;
});

function membersIn(form: Form): readonly Member[] {
  if (form.is === 'object') return form.members.flatMap((member) => [member, ...membersIn(member.form)]);
  if (form.is === 'list') return membersIn(form.item);
  if (form.is === 'map') return membersIn(form.value);
  return form.is === 'choice' ? form.choices.flatMap((choice) => membersIn(choice.form)) : [];
}

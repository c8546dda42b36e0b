import { attributeOf, isListValue, isObjectValue, type ObjectValue, type Value } from '../model/value.ts';
import type { Form, ObjectForm } from '../schema/form.ts';

/**
 * The configuration of what is imported: what an import reads, so that nothing differs. `said`, the same record with
 * the fewest fields, decides what is left out of it: what has its value all the same.
 */
export function importedConfig(form: ObjectForm, read: ObjectValue, said: ObjectValue): ObjectValue {
  const members = form.members.map(({ name, form: member, presence }) => {
    const meant = attributeOf(said, name);
    const isLeftOut = presence === 'filled' && meant === null;
    return [name, isLeftOut ? null : imported(member, attributeOf(read, name), meant)] as const;
  });
  const { others } = form;
  return Object.fromEntries(
    others === undefined ? members : [...members, [others, attributeOf(read, others)] as const],
  );
}

function imported(form: Form, read: Value, said: Value): Value {
  switch (form.is) {
    case 'object':
      return isObjectValue(read) && isObjectValue(said) ? importedConfig(form, read, said) : read;
    case 'list': {
      const isSameList = isListValue(read) && isListValue(said) && read.length === said.length;
      return isSameList ? read.map((each, index) => imported(form.item, each, said[index] ?? null)) : read;
    }
    case 'map':
      return isObjectValue(read) && isObjectValue(said)
        ? Object.fromEntries(
            Object.entries(read).map(([key, each]) => [key, imported(form.value, each, attributeOf(said, key))]),
          )
        : read;
    default:
      return read;
  }
}

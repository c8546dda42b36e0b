import { type Form, isBlockForm, type ObjectForm } from '../schema/form.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, type Value } from '../value.ts';

/**
 * The configuration of what is imported: what an import reads, so that nothing differs. `said`, the same record with
 * the fewest fields, decides what is left out of it: what has its value all the same.
 */
export function importedConfig(form: ObjectForm, read: ObjectValue, said: ObjectValue): ObjectValue {
  return leftOut(form, read, said, () => true);
}

/** The state of what is imported: Terraform computes no block, so one that a configuration leaves out is not there. */
export function importedState(form: ObjectForm, read: ObjectValue, said: ObjectValue): ObjectValue {
  return { ...read, ...leftOut(form, read, said, isBlockForm) };
}

function leftOut(form: ObjectForm, read: ObjectValue, said: ObjectValue, mayBe: (form: Form) => boolean): ObjectValue {
  const imported = (of: Form, value: Value, meant: Value): Value => {
    switch (of.is) {
      case 'object':
        return isObjectValue(value) && isObjectValue(meant) ? leftOut(of, value, meant, mayBe) : value;
      case 'list': {
        const isSameList = isListValue(value) && isListValue(meant) && value.length === meant.length;
        return isSameList ? value.map((each, index) => imported(of.item, each, meant[index] ?? null)) : value;
      }
      case 'map':
        return isObjectValue(value) && isObjectValue(meant)
          ? Object.fromEntries(
              Object.entries(value).map(([key, each]) => [key, imported(of.value, each, attributeOf(meant, key))]),
            )
          : value;
      default:
        return value;
    }
  };
  const members = form.members.map(({ name, form: member, presence }) => {
    const meant = attributeOf(said, name);
    const isLeftOut = presence === 'filled' && meant === null && mayBe(member);
    return [name, isLeftOut ? null : imported(member, attributeOf(read, name), meant)] as const;
  });
  const { others } = form;
  return Object.fromEntries(
    others === undefined ? members : [...members, [others, attributeOf(read, others)] as const],
  );
}

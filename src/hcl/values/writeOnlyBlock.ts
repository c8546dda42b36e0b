import { type Form, isBlockForm } from '../schema/form.ts';
import { attributeOf, isObjectValue, unknown, type Value } from '../value.ts';

/** A block of write-only values as a plan and a state have it: it is there, and its values are not. */
export function withoutValues(form: Form | undefined, block: Value): Value {
  if (block === unknown && form !== undefined) return unknown;
  if (!isObjectValue(block)) return null;
  const inside = form?.is === 'object' ? form.members : form?.is === 'choice' ? form.choices : undefined;
  if (inside === undefined) return null;
  return Object.fromEntries(
    inside.map((each) => {
      const value = attributeOf(block, each.name);
      return [each.name, isBlockForm(each.form) ? withoutValues(each.form, value) : null];
    }),
  );
}

/** Does it have no value, as in a plan and in a state? */
export function isEmptyBlock(block: Value): boolean {
  return block === null || (isObjectValue(block) && Object.values(block).every(isEmptyBlock));
}

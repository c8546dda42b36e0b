import type { ListShape, MapShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';

/** The form of a record's value in Terraform. */
export type Form = LeafForm | ObjectForm | ListForm | EntriesForm | MapForm | ChoiceForm;

/** `text` also accepts numbers and booleans if they are compared as text; `json` is JSON text, compared by meaning. */
export interface LeafForm {
  readonly is: 'text' | 'number' | 'bool' | 'json';
  readonly shape: Shape;
}

export interface ObjectForm {
  readonly is: 'object';
  readonly shape: ObjectShape;
  readonly members: readonly Member[];
  /** The attribute with the undeclared members as JSON text; absent if there cannot be any. */
  readonly others?: string;
}

/** Its items are leaves or objects. */
export interface ListForm {
  readonly is: 'list';
  readonly shape: ListShape;
  readonly item: LeafForm | ObjectForm;
}

/** A list of named texts, as a map by their names: `env = { LOG_LEVEL = "info" }`. */
export interface EntriesForm {
  readonly is: 'entries';
  readonly shape: ListShape;
  /** The fields of an item: its name, and its text. */
  readonly key: string;
  readonly field: string;
  readonly value: LeafForm;
}

/** Its keys are those of the record; its values are leaves or objects. */
export interface MapForm {
  readonly is: 'map';
  readonly shape: MapShape;
  readonly value: LeafForm | ObjectForm;
}

/** A value whose form depends on another field of the record: one attribute for each form, one of which is set. */
export interface ChoiceForm {
  readonly is: 'choice';
  readonly shape: Shape;
  /** The deciding field. */
  readonly by: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  /** The value of the deciding field. */
  readonly value: string;
  readonly name: string;
  readonly form: Form;
}

/** One attribute of an object, and its field of the record. */
export interface Member {
  readonly name: string;
  readonly field: string;
  readonly form: Form;
  /** `filled`: it may be omitted, and then has a value (`optional` and `computed` in Terraform). */
  readonly presence: 'required' | 'optional' | 'filled' | 'answered';
  /** A description, if the field itself has none. */
  readonly about?: string;
  /** For values that only the platform sets: the only fields of the record that change it. */
  readonly follows?: readonly string[];
  /** It is only in the answer to the creation. */
  readonly isShownOnce?: true;
  /** Several attributes represent this one field: the one with the fitting form has the value. */
  readonly isAlternative?: true;
}

/** Whether it is written as blocks. */
export function isBlockForm(form: Form): boolean {
  if (form.is === 'list') return !isLeaf(form.item);
  return form.is === 'map' ? !isLeaf(form.value) : form.is !== 'entries' && !isLeaf(form);
}

/** Whether the order of a list of values is irrelevant. Blocks are ordered: Terraform cannot address one in a set. */
export function isSetForm({ shape, item }: ListForm): boolean {
  return isLeaf(item) && shape.facts.list?.class === 'set';
}

export function isLeaf(form: Form): form is LeafForm {
  return form.is === 'text' || form.is === 'number' || form.is === 'bool' || form.is === 'json';
}

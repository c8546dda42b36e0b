import type { ListShape, MapShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';

/** How a value of a record is written in Terraform. */
export type Form = LeafForm | ObjectForm | ListForm | EntriesForm | MapForm | ChoiceForm;

/** `text` takes numbers and booleans too where they are compared as text; `json` is JSON text, compared by meaning. */
export interface LeafForm {
  readonly is: 'text' | 'number' | 'bool' | 'json';
  readonly shape: Shape;
}

export interface ObjectForm {
  readonly is: 'object';
  readonly shape: ObjectShape;
  readonly members: readonly Member[];
  /** The attribute with the members that the schema does not declare, as JSON text; absent: there may be none. */
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

/** A value whose form depends on another field of the record: one attribute for each, of which one is set. */
export interface ChoiceForm {
  readonly is: 'choice';
  readonly shape: Shape;
  /** The field that decides. */
  readonly by: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  /** The value of the deciding field. */
  readonly value: string;
  readonly name: string;
  readonly form: Form;
}

/** One attribute of an object, and the field of the record that it is. */
export interface Member {
  readonly name: string;
  readonly field: string;
  readonly form: Form;
  /** `filled`: it may be left out, and has a value then (`optional` and `computed` in Terraform). */
  readonly presence: 'required' | 'optional' | 'filled' | 'answered';
  /** A description, where the words of the fields have none. */
  readonly about?: string;
  /** Of what only the platform sets: the fields of the record that it changes with, and nothing else. */
  readonly follows?: readonly string[];
  /** It is in the answer to the creation, and never again. */
  readonly isShownOnce?: true;
  /** Several attributes are this one field: the one whose form fits has the value. */
  readonly isAlternative?: true;
}

/** Is it written as blocks? */
export function isBlockForm(form: Form): boolean {
  if (form.is === 'list') return !isLeaf(form.item);
  return form.is === 'map' ? !isLeaf(form.value) : form.is !== 'entries' && !isLeaf(form);
}

/** Is it a list of values whose order means nothing? Blocks are in order: Terraform points at none in a set of them. */
export function isSetForm({ shape, item }: ListForm): boolean {
  return isLeaf(item) && shape.facts.list?.class === 'set';
}

export function isLeaf(form: Form): form is LeafForm {
  return form.is === 'text' || form.is === 'number' || form.is === 'bool' || form.is === 'json';
}

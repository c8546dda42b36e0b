import type { FieldFacts } from '../facts/fieldFacts.ts';

/** The schema of a record as a tree to walk, with the facts of each field. */
export type Shape = ScalarShape | ObjectShape | MapShape | ListShape | FreeShape;

export interface ScalarShape {
  readonly type: 'scalar';
  /** For coercion and comparison; `any` takes every scalar. */
  readonly of: 'string' | 'number' | 'boolean' | 'any';
  /** One of these: an installation may spell them in another case (assumption `value.case`). */
  readonly words?: readonly string[];
  readonly facts: FieldFacts;
}

/** Declared fields. A live field that is not among them is preserved, never compared. */
export interface ObjectShape {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Shape>;
  /** Fields that a record must not leave out. Absent: none. */
  readonly required?: ReadonlySet<string>;
  /** Fields that are not declared are legal too. */
  readonly open?: true;
  /** The shape of such fields, where something is known of them. */
  readonly rest?: Shape;
  readonly facts: FieldFacts;
}

/** Keys chosen by users (tags, env maps, regions): every key is managed. */
export interface MapShape {
  readonly type: 'map';
  readonly value: Shape;
  readonly facts: FieldFacts;
}

export interface ListShape {
  readonly type: 'list';
  readonly item: Shape;
  readonly facts: FieldFacts;
}

/** Free-form JSON: nothing in it is coerced, defaulted or re-ordered; compared as a whole tree, unless it is `merged`. */
export interface FreeShape {
  readonly type: 'free';
  readonly facts: FieldFacts;
}

/** The shape of a field; undefined where nothing is known of it. */
export function fieldShape({ fields, rest }: ObjectShape, name: string): Shape | undefined {
  return fields.get(name) ?? rest;
}

/** Free-form JSON whose objects are merged key by key: what is inside it is of the same shape. */
export function isMerged(shape: Shape): boolean {
  return shape.type === 'free' && shape.facts.merged === true;
}

/** An object of which nothing or little is known: what a manifest leaves out in it may be of somebody else. */
export function isOpenEnded(shape: Shape): boolean {
  return isMerged(shape) || (shape.type === 'object' && shape.rest !== undefined);
}

/** Free-form JSON that is one value: a null in it is a null. */
export function isLiteral(shape: Shape): boolean {
  return shape.type === 'free' && shape.facts.merged !== true;
}

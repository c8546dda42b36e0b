import type { FieldFacts } from '../facts/fieldFacts.ts';

/** The schema of a record as a tree, with the facts of each field. */
export type Shape = ScalarShape | ObjectShape | MapShape | ListShape | FreeShape;

export interface ScalarShape {
  readonly type: 'scalar';
  /** The type for coercion and comparison; `any` accepts every scalar. */
  readonly of: 'string' | 'number' | 'boolean' | 'any';
  /** The allowed words: an installation may spell them in another case (assumption `value.case`). */
  readonly words?: readonly string[];
  readonly facts: FieldFacts;
}

/** Declared fields. Other live fields are preserved, never compared. */
export interface ObjectShape {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Shape>;
  /** Fields that a record must have; absent without any. */
  readonly required?: ReadonlySet<string>;
  /** Whether undeclared fields are allowed. */
  readonly open?: true;
  /** The shape of undeclared fields, if known. */
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

/** Free-form JSON: nothing in it is coerced, defaulted or re-ordered; compared as a whole, unless it is `merged`. */
export interface FreeShape {
  readonly type: 'free';
  readonly facts: FieldFacts;
}

/** The shape of a field; undefined if unknown. */
export function fieldShape({ fields, rest }: ObjectShape, name: string): Shape | undefined {
  return fields.get(name) ?? rest;
}

/** Free-form JSON whose objects are merged key by key; everything inside has the same shape. */
export function isMerged(shape: Shape): boolean {
  return shape.type === 'free' && shape.facts.merged === true;
}

/** Whether little is known of an object: members that a manifest omits may belong to other owners. */
export function isOpenEnded(shape: Shape): boolean {
  return isMerged(shape) || (shape.type === 'object' && shape.rest !== undefined);
}

/** Free-form JSON that is one value: a null in it is a value. */
export function isLiteral(shape: Shape): boolean {
  return shape.type === 'free' && shape.facts.merged !== true;
}

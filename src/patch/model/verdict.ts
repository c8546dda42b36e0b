import type { JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import type { Shape } from '../../schema/shape/shape.ts';

/** Why `reconcile` leaves a field as it is, or changes it (`differs`). */
export type FieldReason =
  | 'differs'
  | 'same'
  | 'default'
  | 'derived'
  | 'refill'
  | 'empty'
  | 'quantity'
  | 'link'
  | 'set'
  | 'order'
  | 'json-text'
  | 'spelling'
  | 'as-text'
  | 'short-form'
  | 'own-form'
  | 'service'
  | 'operational'
  | 'ignored'
  | 'platform'
  | 'unknown-field'
  | 'unmentioned'
  | 'foreign';

/** The verdict on one field of a record: whether it is what is declared, and why. */
export interface Verdict<Reason extends string = FieldReason> {
  /** Dotted, list items by key. */
  readonly path: string;
  readonly why: Reason;
  /** The path in the live and in the declared record; absent if that side has no such field. */
  readonly heldAt?: Pointer;
  readonly declaredAt?: Pointer;
  /** The meaning of leaving the field out. */
  readonly means?: JsonValue;
}

/** Why two scalars that are written differently are equal, from the facts of the field. */
export function meaningOf({ facts }: Shape): FieldReason {
  if (facts.quantity !== undefined) return 'quantity';
  if (facts.asText === true) return 'as-text';
  if (facts.jsonText === true) return 'json-text';
  if (facts.link !== undefined) return 'link';
  return 'spelling';
}

/** Why a value and its absence mean the same. */
export function emptyOrDefault({ facts }: Shape): FieldReason {
  return facts.default === undefined ? 'empty' : 'default';
}

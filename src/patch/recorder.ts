import type { JsonObject, JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import type { Shape } from '../schema/shape/shape.ts';
import { type ItemStep, type Patterns, pathOf, type Trail } from './place.ts';

/** The two sides of a field, and what leaving it out means. */
interface Sides {
  readonly live?: JsonValue | undefined;
  readonly desired?: JsonValue | undefined;
  readonly means?: JsonValue | undefined;
}

/** Takes down why `reconcile` leaves each field as it is or changes it: one verdict for each leaf. */
export class Recorder {
  readonly #verdicts: Verdict[] = [];

  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** How many verdicts there are so far, for `asOne`, `instead` and `forget`. */
  get length(): number {
    return this.#verdicts.length;
  }

  /** One verdict for the present place. */
  say(walk: Trail, why: FieldReason, { live, desired, means }: Sides): void {
    const { trail } = walk;
    this.#verdicts.push({
      path: heldPath(walk),
      why,
      ...(live === undefined ? {} : { heldAt: trail.map((step) => (typeof step === 'string' ? step : step.position)) }),
      ...(desired === undefined
        ? {}
        : { declaredAt: trail.map((step) => (typeof step === 'string' ? step : (step.declaredAt ?? step.position))) }),
      ...(means === undefined ? {} : { means }),
    });
  }

  /** Does any field differ of those since there were `length` verdicts? */
  differsSince(length: number): boolean {
    return this.#verdicts.slice(length).some(({ why }) => why === 'differs');
  }

  /** The verdicts since then on fields inside the present place become one. */
  asOne(length: number, walk: Trail, sides: Sides): void {
    const inside = this.#verdicts.slice(length);
    const path = heldPath(walk);
    if (inside.every((verdict) => verdict.path === path)) return;
    const [first, ...others] = new Set(inside.map(({ why }) => why));
    const isMixed = others.length > 0;
    this.instead(length, walk, this.differsSince(length) ? 'differs' : isMixed ? 'same' : (first ?? 'same'), sides);
  }

  /** One verdict for the present place takes the place of those since there were `length`. */
  instead(length: number, walk: Trail, why: FieldReason, sides: Sides): void {
    this.forget(length);
    this.say(walk, why, sides);
  }

  forget(length: number): void {
    this.#verdicts.length = length;
  }
}

/** The path in the spelling of the live record. */
function heldPath({ trail }: Trail): string {
  return pathOf({
    trail: trail.map((step) =>
      typeof step === 'string' || step.held === undefined ? step : { ...step, item: step.held },
    ),
  });
}

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

/** The state of one walk over a live record and what is declared of it. */
export interface Walk {
  readonly context: RecordContext;
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  readonly notes: string[];
  /** Undefined, as in every plan: nobody asks why, and nothing is taken down. */
  readonly recorder: Recorder | undefined;
  /** Only what is declared is compared: a part of a resource of somebody else. */
  readonly part: boolean;
  /** The live objects around the present place, the record first. */
  readonly enclosing: JsonObject[];
  /** The names and items that lead to the present place. */
  readonly trail: (string | ItemStep)[];
  /** The patterns of `lifecycle.ignore` at the present place. */
  ignored: Patterns;
  /** A first walk leaves derived fields alone, because what they depend on may change; it says that it met some. */
  readonly settleDerived: boolean;
  derivedDiffers: boolean;
  /** Undefined: the field is to be absent. */
  readonly value: (
    shape: Shape,
    live: JsonValue | undefined,
    desired: JsonValue | undefined,
    walk: Walk,
  ) => JsonValue | undefined;
}

/** How the platform stores what a stack writes, where it does it in its own way and that is known. */
export interface StoredForms {
  /** Nothing is declared at this path: is the live value the platform's own default? */
  readonly isFilled: (path: string, shape: Shape, live: JsonValue) => boolean;
  /** Is this what the platform makes of the declared value? `live` is undefined where it stored nothing. */
  readonly isForm: (path: string, shape: Shape, live: JsonValue | undefined, declared: JsonValue) => boolean;
  /** Does the platform have other defaults than those documented? Then a declared default is sent like any value. */
  readonly hasOtherDefaults?: boolean;
}

import type { JsonObject, JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import type { Shape } from '../schema/shape/shape.ts';
import { type ItemStep, type Patterns, pathOf, type Trail } from './place.ts';

/** The two sides of a field, and the meaning of its omission. */
interface Sides {
  readonly live?: JsonValue | undefined;
  readonly desired?: JsonValue | undefined;
  readonly means?: JsonValue | undefined;
}

/** Records why `reconcile` keeps or changes each field: one verdict for each leaf. */
export class Recorder {
  readonly #verdicts: Verdict[] = [];

  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** The number of verdicts so far, for `asOne`, `instead` and `forget`. */
  get length(): number {
    return this.#verdicts.length;
  }

  /** Adds a verdict for the current place. */
  add(walk: Trail, why: FieldReason, { live, desired, means }: Sides): void {
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

  /** Whether a field differs in the verdicts after the first `length`. */
  differsSince(length: number): boolean {
    return this.#verdicts.slice(length).some(({ why }) => why === 'differs');
  }

  /** Combines the later verdicts inside the current place into one. */
  asOne(length: number, walk: Trail, sides: Sides): void {
    const inside = this.#verdicts.slice(length);
    const path = heldPath(walk);
    if (inside.every((verdict) => verdict.path === path)) return;
    const [first, ...others] = new Set(inside.map(({ why }) => why));
    const isMixed = others.length > 0;
    this.replaceSince(
      length,
      walk,
      this.differsSince(length) ? 'differs' : isMixed ? 'same' : (first ?? 'same'),
      sides,
    );
  }

  /** Replaces the verdicts after the first `length` by one for the current place. */
  replaceSince(length: number, walk: Trail, why: FieldReason, sides: Sides): void {
    this.forget(length);
    this.add(walk, why, sides);
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

/** Why `reconcile` keeps a field, or changes it (`differs`). */
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

/** The verdict on one field: whether it equals the declaration, and why. */
export interface Verdict<Reason extends string = FieldReason> {
  /** Dotted, list items by key. */
  readonly path: string;
  readonly why: Reason;
  /** The path in the live and in the declared record; absent if that side has no such field. */
  readonly heldAt?: Pointer;
  readonly declaredAt?: Pointer;
  /** The meaning of omitting the field. */
  readonly means?: JsonValue;
}

/** Why two scalars of different spelling are equal, from the facts of the field. */
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

/** The state while comparing a live record with its declaration. */
export interface Walk {
  readonly context: RecordContext;
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  readonly notes: string[];
  /** Undefined in every plan: no verdicts are recorded. */
  readonly recorder: Recorder | undefined;
  /** Only declared fields are compared: a part of another owner's resource. */
  readonly part: boolean;
  /** The live objects around the current place, starting with the record. */
  readonly enclosing: JsonObject[];
  /** The names and items on the path to the current place. */
  readonly trail: (string | ItemStep)[];
  /** The patterns of `lifecycle.ignore` at the current place. */
  ignored: Patterns;
  /** The first walk skips derived fields, because their inputs may change; it notes if there are any. */
  readonly settleDerived: boolean;
  derivedDiffers: boolean;
  /** Returns undefined if the field is to be absent. */
  readonly value: (
    shape: Shape,
    live: JsonValue | undefined,
    desired: JsonValue | undefined,
    walk: Walk,
  ) => JsonValue | undefined;
}

/** How the platform stores what a stack writes, if known and different. */
export interface StoredForms {
  /** Whether the live value at this undeclared path is the platform's own default. */
  readonly isFilled: (path: string, shape: Shape, live: JsonValue) => boolean;
  /** Whether live is the platform's form of the declared value. `live` is undefined if nothing was stored. */
  readonly isForm: (path: string, shape: Shape, live: JsonValue | undefined, declared: JsonValue) => boolean;
  /**
   * Whether the platform's defaults differ from the documented ones. Then declared defaults are sent like other values.
   */
  readonly hasOtherDefaults?: boolean;
}

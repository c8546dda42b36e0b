import type { JsonValue } from '../../base/json/json.ts';
import { pathOf, type Trail } from './place.ts';
import type { FieldReason, Verdict } from './verdict.ts';

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

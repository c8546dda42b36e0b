import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { noPatterns, type Patterns, patternsBelow } from '../../patch/model/patterns.ts';
import { inside, type Place, root } from '../../patch/model/place.ts';
import type { StoredForms } from '../../patch/model/storedForms.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { Reason } from './reasons.ts';

/** What is to be said of one field of a record: whether it is what is declared, and why. */
export interface Verdict {
  /** Dotted, list items by key. */
  readonly path: string;
  readonly why: Reason;
  /** The path in the live and in the declared record; absent if that side has no such field. */
  readonly heldAt?: Pointer;
  readonly declaredAt?: Pointer;
  /** What leaving the field out means. */
  readonly means?: JsonValue;
}

export interface JudgeOptions {
  readonly context: RecordContext;
  readonly ignore: readonly string[];
  /** Did this stack set the field at this path by an earlier write? */
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  /** Only what is declared is judged: a part of a resource of somebody else. */
  readonly part: boolean;
}

/** Where the walk is, in both records. */
export interface Spot {
  readonly place: Place;
  readonly held: Pointer;
  readonly declared: Pointer;
  /** The patterns of `lifecycle.ignore` for this place. */
  readonly ignored: Patterns;
}

export interface Walk extends JudgeOptions {
  readonly enclosing: JsonObject[];
  readonly value: JudgeValue;
}

export type JudgeValue = (
  shape: Shape,
  held: JsonValue | undefined,
  declared: JsonValue | undefined,
  spot: Spot,
  walk: Walk,
) => readonly Verdict[];

/** The records themselves. */
export const top: Spot = { place: root, held: [], declared: [], ignored: noPatterns };

/** `label`: what the path says; `held` and `declared`: the steps where they differ from it. */
export function below(spot: Spot, label: string, held: string | number = label, declared = held): Spot {
  return {
    place: inside(spot.place, held, label),
    held: [...spot.held, held],
    declared: [...spot.declared, declared],
    ignored: patternsBelow(spot.ignored, label),
  };
}

/** One verdict at the present spot. */
export function verdictAt(
  spot: Spot,
  why: Reason,
  held: JsonValue | undefined,
  declared: JsonValue | undefined,
  means?: JsonValue,
): readonly Verdict[] {
  const verdict: Verdict = {
    path: spot.place.path,
    why,
    ...(held === undefined ? {} : { heldAt: spot.held }),
    ...(declared === undefined ? {} : { declaredAt: spot.declared }),
    ...(means === undefined ? {} : { means }),
  };
  return [verdict];
}

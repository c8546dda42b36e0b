import type { JsonValue } from '../../base/json/json.ts';
import type { PolicySeverity } from './policy.ts';

/** A demand on a value; all members have to hold. An absent value meets `exists: false` alone. */
export interface Condition {
  readonly exists?: boolean;
  /** Any JSON; a quantity in any spelling: `500m` is `0.5`. */
  readonly equals?: JsonValue;
  readonly in?: readonly JsonValue[];
  /** A regular expression of JavaScript that some part of the text matches. */
  readonly matches?: string;
  /** A number, or a quantity of CPU or memory. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly not?: Condition;
  /** At least one of them. */
  readonly any?: readonly Condition[];
}

/** A condition on the values at a path. */
export interface PathCondition extends Condition {
  /** Dotted, list items by key or position, `*` for each: `spec.containers.*.image`. */
  readonly path: string;
  /** Of several values that the path names: `every` one, or at least one. @default 'every' */
  readonly of?: 'every' | 'any';
}

/** A policy as data, in `gantry.yaml`. */
export interface Rule extends PathCondition {
  readonly id: string;
  readonly kind: readonly string[];
  /** It is asked about a resource only where all of these are so. */
  readonly when?: readonly PathCondition[];
  readonly severity?: PolicySeverity;
  /** Absent: what the condition says, in words. */
  readonly message?: string;
  readonly fix?: string;
}

export const operators = ['exists', 'equals', 'in', 'matches', 'min', 'max', 'not', 'any'] as const;

/** Does a regular expression belong to it? One can need longer than anybody waits. */
export function hasPattern({ when = [], ...rule }: Rule): boolean {
  return [rule, ...when].some(matchesText);
}

function matchesText({ matches, not, any = [] }: Condition): boolean {
  return matches !== undefined || [...(not === undefined ? [] : [not]), ...any].some(matchesText);
}

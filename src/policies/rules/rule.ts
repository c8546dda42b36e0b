import type { JsonValue } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import type { PolicySeverity } from './policy.ts';

/** A demand on a value; all members must be true. An absent value satisfies only `exists: false`. */
export interface Condition {
  readonly exists?: boolean;
  /** Any JSON; a quantity in any spelling: `500m` equals `0.5`. */
  readonly equals?: JsonValue;
  readonly in?: readonly JsonValue[];
  /** A regular expression of JavaScript that matches any part of the text. */
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
  /** Whether `every` value at the path must satisfy it, or at least one. @default 'every' */
  readonly of?: 'every' | 'any';
}

/** A policy as data, in `gantry.yaml`. */
export interface Rule extends PathCondition {
  readonly id: string;
  readonly kind: readonly string[];
  /** The rule only applies to a resource if all of these are true. */
  readonly when?: readonly PathCondition[];
  readonly severity?: PolicySeverity;
  /** If absent, the condition in words. */
  readonly message?: string;
  readonly fix?: string;
}

export const operators = ['exists', 'equals', 'in', 'matches', 'min', 'max', 'not', 'any'] as const;

/** Whether it has a regular expression, which may take very long. */
export function hasPattern({ when = [], ...rule }: Rule): boolean {
  return [rule, ...when].some(matchesText);
}

function matchesText({ matches, not, any = [] }: Condition): boolean {
  return matches !== undefined || compact([not, ...any]).some(matchesText);
}

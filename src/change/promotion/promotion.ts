import type { JsonValue } from '../../base/json/json.ts';
import { isHidden } from '../../plan/model/change.ts';
import type { PromotionDifference } from './comparePromotion.ts';
import type { PromotionPattern } from './pattern.ts';

/** `promotion` of `gantry.yaml`. */
export interface PromotionRules {
  readonly mayDiffer: readonly PromotionPattern[];
  /** Paths of values, without `values`; undefined: those that images are made of. */
  readonly carry: readonly (readonly string[])[] | undefined;
}

/** A value that is to be the same in the environment that is promoted to. */
export interface CarriedValue {
  readonly path: readonly string[];
  /** Undefined where it is not shown, as a secret is made of it. */
  readonly from: JsonValue | undefined;
  /** Undefined: there is none yet, or it is not shown. */
  readonly to: JsonValue | undefined;
}

export interface Promotion {
  readonly from: string;
  readonly to: string;
  /** The values that are carried over, or would be. */
  readonly carried: readonly CarriedValue[];
  readonly isWritten: boolean;
  /** After what was written; else as they are now. */
  readonly differences: readonly PromotionDifference[];
}

/** The values that are carried over: those that the rules name, else those that images are made of. */
export function carriedPaths(
  differences: readonly PromotionDifference[],
  { carry }: PromotionRules,
): readonly (readonly string[])[] {
  if (carry !== undefined) return carry;
  const made = differences
    .filter(({ path, mayDiffer }) => !mayDiffer && /(?:^|\.)image$/.test(path))
    .flatMap(({ from }) => from?.values ?? []);
  return [...new Map(made.map((path) => [JSON.stringify(path), path])).values()];
}

/** Whether something secret is made of a value. */
export function isSecretValue(path: readonly string[], differences: readonly PromotionDifference[]): boolean {
  return differences.some(({ from, to }) =>
    [from, to].some(
      (side) => side !== undefined && isHidden(side.value) && side.values.some((each) => touches(each, path)),
    ),
  );
}

function touches(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((each, index) => each === b[index]);
}

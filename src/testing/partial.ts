import { isArray, isObject } from '../schema/json/json.ts';
import type { Asymmetric } from './partialManifest.ts';

/** One value that is not as it was expected. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly expected: unknown;
  readonly found: unknown;
  /** How many expected values it stands for, at least 1. */
  readonly weight: number;
}

/**
 * Where a value lacks what is expected of it. Of objects the fields that are named are compared, `undefined` for one
 * that must not be there; of lists every item in its place, and their length.
 */
export function differences(expected: unknown, found: unknown, path: Difference['path'] = []): readonly Difference[] {
  const here = (weight = 1): readonly Difference[] => [{ path, expected, found, weight }];
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found) ? [] : here();
  if (isArray(expected)) {
    if (!isArray(found) || found.length !== expected.length) return here(weightOf(expected));
    return expected.flatMap((item, index) => differences(item, found[index], [...path, index]));
  }
  if (isObject(expected)) {
    if (!isObject(found) || isArray(found)) return here(weightOf(expected));
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, Object.hasOwn(found, key) ? found[key] : undefined, [...path, key]),
    );
  }
  return Object.is(expected, found) ? [] : here();
}

export function isAsymmetric(value: unknown): value is Asymmetric {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value;
}

/** How many values are in it. */
function weightOf(value: unknown): number {
  if (isAsymmetric(value) || typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + weightOf(each), 1);
}

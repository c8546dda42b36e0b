/** CI, and GANTRY_TEST_ALL=1, run in full what a test run samples. */
export const isInFull = process.env['GANTRY_TEST_ALL'] === '1';

/** All items, or in a test run those at the given places. */
export function sampled<T>(all: readonly T[], ...places: readonly number[]): readonly T[] {
  return isInFull ? all : all.filter((_, index) => places.includes(index));
}

/** How often a property is tried; a third of that in a test run. */
export function runs(inFull: number): number {
  return isInFull ? inFull : Math.ceil(inFull / 3);
}

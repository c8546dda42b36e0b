/** CI, and GANTRY_TEST_ALL=1, try in full what a test run takes a sample of. */
export const isInFull = process.env['GANTRY_TEST_ALL'] === '1';

/** All of them, or in a test run the ones named by their places. */
export function sampled<T>(all: readonly T[], ...places: readonly number[]): readonly T[] {
  return isInFull ? all : all.filter((_, index) => places.includes(index));
}

/** How often a property is tried; in a test run a third of that. */
export function runs(inFull: number): number {
  return isInFull ? inFull : Math.ceil(inFull / 3);
}

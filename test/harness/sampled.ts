/** Whether property tests try every number of runs: in CI, by GANTRY_TEST_ALL=1. A test run tries a third. */
export const isInFull = process.env['GANTRY_TEST_ALL'] === '1';

/** Whether sweeps have every item, by GANTRY_SAMPLES=all. CI and a test run take one of each kind of case. */
export const isEverySample = process.env['GANTRY_SAMPLES'] === 'all';

/** All items, or the sample at the given places. */
export function sampled<T>(all: readonly T[], ...places: readonly number[]): readonly T[] {
  return isEverySample ? all : all.filter((_, index) => places.includes(index));
}

/** How often a property is tried; a third of that in a test run. */
export function runs(inFull: number): number {
  return isInFull ? inFull : Math.ceil(inFull / 3);
}

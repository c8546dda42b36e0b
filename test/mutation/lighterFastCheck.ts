import * as fc from 'fast-check';

/** A mutant that 25 generated cases miss has to be found by an example. */
const mostRuns = 25;

function assert<T>(property: fc.IRawProperty<T>, parameters: fc.Parameters<T> = {}): Promise<void> | void {
  const numRuns = Math.min(parameters.numRuns ?? mostRuns, mostRuns);
  return fc.assert(property, { ...parameters, numRuns, endOnFailure: true });
}

/** The package as tests import it for mutation: fewer runs, and no search for the smallest counterexample. */
export const lighterFastCheck = { ...fc, assert, default: { ...fc, assert } };

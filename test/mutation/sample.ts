/** The variable by which the script tells the tests' runner which mutants to run. */
export const sampleName = 'GANTRY_MUTATION_EVERY';

/** One mutant of so many is run. */
export function sampleOf(text: string | undefined): number {
  return text === undefined ? 1 : Number(text);
}

/** Stryker counts mutants from file to file, so that a sample has some of each, and equal sources give the same. */
export function isInSample({ id }: { readonly id: string }, every: number): boolean {
  return Number(id) % every === 0;
}

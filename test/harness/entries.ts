/** The entries of this package as sources: what is built is not what a test of the sources, or of a mutant, is about. */
export const entries: ReadonlyMap<string, string> = new Map([
  ['gantry', 'src/index.ts'],
  ['gantry/automation', 'src/automation.ts'],
  ['gantry/policies', 'src/policies.ts'],
  ['gantry/testing', 'src/testing.ts'],
  ['gantry/testing/vitest', 'src/runners/vitest.ts'],
]);

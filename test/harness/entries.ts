/** The entries of this package as sources, because a test of sources or of a mutant must not load the built files. */
export const entries: ReadonlyMap<string, string> = new Map([
  ['gantry', 'src/index.ts'],
  ['gantry/automation', 'src/automation.ts'],
  ['gantry/policies', 'src/policies.ts'],
  ['gantry/testing', 'src/testing.ts'],
  ['gantry/testing/vitest', 'src/runners/vitest.ts'],
]);

import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;

/** The tests of one area by themselves (scripts/mutation.ts says which): a run for each mutant has to be short. */
export default defineConfig({
  root,
  resolve: { alias: { gantry: `${root}src/index.ts` } },
  test: {
    include: [`test/${process.env['GANTRY_MUTATION_AREA']}/**/*.test.ts`],
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 1,
  },
});

import { defineConfig } from 'vitest/config';

/** Runs only the conformance table, on the sources, so that nothing must be built first. */
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    testTimeout: 60_000,
    globalSetup: ['test/postgres-once.ts'],
    root: new URL('../..', import.meta.url).pathname,
  },
});

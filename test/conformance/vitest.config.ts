import { defineConfig } from 'vitest/config';

/** The conformance table by itself: it runs on the sources, so nothing is built first. */
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    testTimeout: 60_000,
    globalSetup: ['test/postgres-once.ts'],
    root: new URL('../..', import.meta.url).pathname,
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { gantry: new URL('./src/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests wait for processes of their own much of the time: one worker leaves half of two cores idle.
    maxWorkers: 2,
    // Files share what they import: a graph of its own for each takes more time than most of their tests.
    isolate: false,
    globalSetup: ['test/build-once.ts', 'test/postgres-once.ts'],
  },
});

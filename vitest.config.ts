import { defineConfig } from 'vitest/config';
import { FailedTests } from './test/harness/failedTests.ts';
import { LongestFirst } from './test/harness/longestFirst.ts';

/** Folders whose tests start no process, no server and no build: `npm run test:unit`. */
const unit = [
  'test/*.test.ts',
  ...[
    'apply',
    'base',
    'capabilities',
    'change',
    'client',
    'constructs',
    'dialect',
    'hcl',
    'kinds/{published,rules}',
    'layering',
    'manifest',
    'patch',
    'plan',
    'policies',
    'provider/plan',
    'provider/platform',
    'provider/protocol',
    'provider/services',
    'schema',
  ].map((folder) => `test/${folder}/**/*.test.ts`),
];

/** With `GANTRY_TEST_STORE=postgres`: what tests a store of its own. `--exclude` does not reach the projects. */
const ownStore =
  process.env['GANTRY_TEST_STORE'] === 'postgres' ? ['test/server/{durability,postgres,storage,store}/**'] : [];
/** One more pattern that is left out (.ci/run). */
const leftOut = process.env['GANTRY_TEST_EXCLUDE'];

const root = new URL('.', import.meta.url).pathname;
/** Of `constructs`, beside the newest one: the peer range begins with the first of them (package.json has them as aliases). */
const olderConstructs = ['constructs-10.6', 'constructs-10.7'];

export default defineConfig({
  resolve: {
    alias: {
      'gantry/automation': new URL('./src/automation.ts', import.meta.url).pathname,
      'gantry/policies': new URL('./src/policies.ts', import.meta.url).pathname,
      'gantry/testing/vitest': new URL('./src/runners/vitest.ts', import.meta.url).pathname,
      'gantry/testing': new URL('./src/testing.ts', import.meta.url).pathname,
      gantry: new URL('./src/index.ts', import.meta.url).pathname,
    },
  },
  test: {
    // They end what hangs. Nothing is measured with them: a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    // Files share what they import: a graph of its own for each takes more time than most of their tests.
    isolate: false,
    // Later runs of the same configuration read what this one has transformed.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new FailedTests()],
    setupFiles: ['test/property-seed.ts', 'test/forgetKinds.ts'],
    globalSetup: ['test/property-seed.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: unit } },
      {
        extends: true,
        test: {
          name: 'system',
          // They wait for processes of their own, and for what happens later, half of the time: as many workers as cores leave one idle.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          exclude: [...unit, ...ownStore, ...(leftOut === undefined ? [] : [leftOut])],
          globalSetup: ['test/build-once.ts', 'test/postgres-once.ts', 'test/run-folder.ts'],
        },
        resolve: {
          alias: [
            { find: /^.*\/stackProgram\.ts$/, replacement: `${root}test/builtStackProgram.ts` },
            { find: /^.*\/workerFile\.ts$/, replacement: `${root}test/builtWorkerFile.ts` },
          ],
        },
      },
      ...olderConstructs.map((name) => ({
        extends: true as const,
        resolve: { alias: { constructs: `${root}node_modules/${name}/lib/index.js` } },
        test: {
          name,
          provide: { constructs: name.replace('constructs-', '') },
          include: ['test/constructs/**/*.test.ts', 'test/types/thrown.test.ts'],
        },
      })),
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { FailedTests } from './test/harness/failedTests.ts';
import { LongestFirst } from './test/harness/longestFirst.ts';
import { leftToCi } from './test/harness/slowTests.ts';

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
  process.env['GANTRY_TEST_STORE'] === 'postgres'
    ? ['test/server/{durability,postgres,storage,store}/**', 'test/server/clock/twoServers.test.ts']
    : [];
/** One more pattern that is left out (.ci/run). */
const leftOut = process.env['GANTRY_TEST_EXCLUDE'];

/** `GANTRY_TEST_ALL=1 npm test`, as CI does, or `npx vitest run test/…` with a path: slow files run too. */
const isWhole = process.env['GANTRY_TEST_ALL'] === '1' || process.argv.some((word) => word.startsWith('test/'));
if (!isWhole)
  process.stderr.write('Slow files are left out (test/slow.txt). GANTRY_TEST_ALL=1 npm test runs them too.\n');

/** Of `constructs`, beside the newest one: the peer range begins with the first of them (package.json has them as aliases). */
const olderConstructs = ['constructs-10.6', 'constructs-10.7'];

export default defineConfig({
  test: {
    // They end what hangs. Nothing is measured with them: a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    // Files share what they import: a graph of its own for each takes more time than most of their tests.
    isolate: false,
    // Node runs the sources as they are. Vitest would transform them first, and each name that is imported would be a getter.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Names of tests are whole in a log.
    chaiConfig: { truncateThreshold: 0 },
    reporters: ['default', new FailedTests()],
    setupFiles: ['test/keepCompiled.ts', 'test/property-seed.ts', 'test/setup.ts'],
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
          exclude: [...unit, ...ownStore, ...(leftOut === undefined ? [] : [leftOut]), ...(isWhole ? [] : leftToCi)],
          globalSetup: ['test/build-once.ts', 'test/postgres-once.ts', 'test/run-folder.ts'],
          // As it is built: from their sources programs and threads take several times as long to start.
          provide: {
            inPlace: {
              '/stackProgram.ts': 'test/builtStackProgram.ts',
              '/workerFile.ts': 'test/builtWorkerFile.ts',
              '/runStack.ts': 'test/e2e/harness/rememberedStacks.ts',
            },
          },
        },
      },
      ...olderConstructs.map((name) => ({
        extends: true as const,
        test: {
          name,
          provide: {
            constructs: name.replace('constructs-', ''),
            inPlace: { constructs: `node_modules/${name}/lib/index.js` },
          },
          include: ['test/constructs/**/*.test.ts', 'test/types/thrown.test.ts'],
        },
      })),
    ],
  },
});

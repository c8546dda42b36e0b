/** Mutation testing: `npm run mutation` (scripts/mutation.ts) says what is mutated. */
export default {
  testRunner: 'in-process',
  plugins: ['./test/mutation/runner.ts'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Only what runs for ever takes so long, however busy the machine is. Most of that is found without the clock (runner.ts).
  timeoutMS: 240_000,
  timeoutFactor: 10,
  // A busy machine takes longer than the five minutes that Stryker gives it.
  dryRunTimeoutMinutes: 60,
  // A mutant that only says `never` in a type, or a text that people read, is no fault that a test has to find.
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: '.mutation/report.json' },
  tempDirName: '.mutation/tmp',
  ignorePatterns: ['bench', '.mutation', 'generated/schemas'],
  disableTypeChecks: false,
  warnings: { slow: false },
  // Stryker would rewrite it by an interface that TypeScript 7 does not have; nothing here needs it.
  tsconfigFile: '.mutation/none.json',
};

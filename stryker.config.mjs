/** Mutation testing: `npm run mutation` (scripts/mutation.ts) says what is mutated. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A mutant that only says `never` in a type, or a text that people read, is no fault that a test has to find.
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['json'],
  jsonReporter: { fileName: '.mutation/report.json' },
  tempDirName: '.mutation/tmp',
  ignorePatterns: ['dist', 'docs', 'bench', 'examples', '.mutation', 'generated/schemas'],
  // Stryker would rewrite it by an interface that TypeScript 7 does not have; nothing here needs it.
  tsconfigFile: '.mutation/none.json',
};

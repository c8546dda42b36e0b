import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../src/base/json/json.ts';
import { type LawRun, lawsDocument, titles } from '../test/laws/document.ts';
import { type Figures, sumOf } from '../test/laws/figures.ts';
import { filesOf, laws, swept } from '../test/laws/laws.ts';
import { readReport, root, runTests, type TestReport, type TestRun } from './testReport.ts';

/**
 * Runs the tests of the laws, prints what each ran, and compares it with test/laws.md: exits with 1 if a test fails, if
 * a law has none, or if the file differs. `--write` writes the file. `--whole` runs the sweeps and the soak in full
 * (for about half an hour), and then uses that section of the file. `--from FILE` takes the report of a run of all
 * tests with test/laws/vitest.config.ts (`--reporter=json`), so that nothing is run twice.
 */
const path = join(root, 'test/laws.md');
const whole = process.argv.includes('--whole');
const files = filesOf(laws).filter((file) => !whole || swept.has(file));
const from = process.argv[process.argv.indexOf('--from') + 1] ?? '';
const report = process.argv.includes('--from')
  ? readReport(from, true)
  : runTests('test/laws/vitest.config.ts', files, {
      GANTRY_TEST_ALL: '1',
      ...(whole ? { GANTRY_SWEEP: '200', GANTRY_SOAK: '2000' } : {}),
    });

const runs = laws.map(({ number, says, tests }) => ({
  number,
  says,
  tests: tests
    .filter(({ file }) => files.includes(file))
    .map((evidence): LawRun => ({ ...evidence, ...figuresOf(report, evidence) })),
}));
const problems = problemsOf(report);
const before = readFileSync(path, 'utf8');
const section = whole ? titles.whole : titles.sample;
const after = lawsDocument({ [section]: runs }, before);

for (const { number, says, tests } of runs) {
  process.stdout.write(`${number}. ${says}\n`);
  for (const { file, name, figures, milliseconds } of tests) {
    process.stdout.write(`   ${figures}, ${(milliseconds / 1000).toFixed(1)} s: ${file}: ${name}\n`);
  }
}
if (process.argv.includes('--write')) writeFileSync(path, after);
else if (after !== before) problems.push(`test/laws.md says something else; npm run laws -- --write`);
for (const problem of problems) process.stderr.write(`FAIL ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function figuresOf({ tests }: TestReport, { file, name }: { readonly file: string; readonly name: string }) {
  const own = tests.filter((test) => test.file === file && test.fullName.includes(name));
  const sum = sumOf(own.map(figuresIn));
  const figures = [['tests', own.length] as const, ...Object.entries(sum).sort(([a], [b]) => (a < b ? -1 : 1))];
  return {
    figures: figures.map(([what, count]) => counted(count, what)).join(', '),
    milliseconds: own.reduce((total, { milliseconds }) => total + milliseconds, 0),
  };
}

/** `what` in the plural. */
function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? what.replace(/(?<=ch)es$|s$/, '') : what}`;
}

function figuresIn({ meta }: TestRun): Figures {
  const { figures } = meta;
  if (!isObject(figures)) return {};
  return Object.fromEntries(Object.entries(figures).map(([what, count]) => [what, Number(count)]));
}

function problemsOf({ tests, broken, passed }: TestReport): string[] {
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => `${fullName} failed`);
  const without = laws
    .flatMap((law) => law.tests.map((evidence) => ({ ...evidence, law: law.number })))
    .filter(({ file }) => files.includes(file))
    .filter(
      ({ file, name }) =>
        !tests.some((test) => test.file === file && test.fullName.includes(name) && test.status === 'passed'),
    )
    .map(({ law, file, name }) => `law ${law} is not shown: no test "${name}" of ${file} passed`);
  const ended = passed || failed.length > 0 ? [] : ['the tests did not end well'];
  return [...broken, ...failed, ...without, ...ended];
}

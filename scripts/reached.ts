import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listAt } from '../src/base/json/json.ts';
import { runTests } from './testReport.ts';

/**
 * Counts the outcomes of requests that tests send to the embedded platform: `npm run reached -- test/conformance
 * test/server` runs these suites and prints each outcome (operation, status, code, rule) with the number of tests of
 * each suite that reach it. `--alone` prints the outcomes that only one of the suites reaches, with its files. `--save
 * FILE` saves what all of them reach together; `--since FILE` prints what is in the file and no longer reached, and
 * exits with 1 if there is anything: for a change of tests that must lose nothing.
 */
const { values, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: { alone: { type: 'boolean' }, save: { type: 'string' }, since: { type: 'string' } },
});
if (suites.length === 0) throw new Error('Name one or more suites: npm run reached -- test/conformance test/server');

const { tests, broken, passed } = runTests('test/reached/vitest.config.ts', suites);
/** By outcome: the files of the tests that reach it, repeated for each of a file's tests. */
const filesOf = Map.groupBy(
  tests.flatMap(({ file, meta }) => listAt(meta, 'reached').map((outcome) => ({ file, outcome: String(outcome) }))),
  ({ outcome }) => outcome,
);
const outcomes = [...filesOf.keys()].sort();

for (const outcome of outcomes) {
  const files = (filesOf.get(outcome) ?? []).map(({ file }) => file);
  const counts = suites.map((suite) => files.filter((file) => file.startsWith(suite)).length);
  const isAlone = counts.filter((count) => count > 0).length === 1;
  if (values.alone !== true) process.stdout.write(`${counts.join('\t')}\t${outcome}\n`);
  else if (isAlone) process.stdout.write(`${outcome}\t${[...new Set(files)].join(' ')}\n`);
}
const own = suites.map((suite) => {
  const reach = outcomes.filter((outcome) => filesOf.get(outcome)?.some(({ file }) => file.startsWith(suite)) === true);
  return `${suite} ${reach.length}`;
});
process.stdout.write(`\n${outcomes.length} outcomes by ${tests.length} tests: ${own.join(', ')}\n`);

if (values.save !== undefined) writeFileSync(values.save, `${outcomes.join('\n')}\n`);
const before = values.since === undefined ? [] : readFileSync(values.since, 'utf8').trim().split('\n');
const lost = before.filter((outcome) => !filesOf.has(outcome));
for (const outcome of lost) process.stdout.write(`LOST ${outcome}\n`);
const problems = [
  ...(outcomes.length === 0 ? ['no request was recorded'] : []),
  ...broken,
  ...tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
];
for (const problem of problems) process.stdout.write(`FAIL ${problem}\n`);
process.exitCode = lost.length > 0 || problems.length > 0 || !passed ? 1 : 0;

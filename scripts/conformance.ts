import pc from 'picocolors';
import type { Row } from '../test/conformance/harness/row.ts';
import { knownFailures } from '../test/conformance/knownFailures.ts';
import { table } from '../test/conformance/table.ts';
import { runTests } from './testReport.ts';

/**
 * Runs the conformance tests and prints the table: section, statement, tests, pass or FAIL. Exits with 1 if a row
 * fails, if one of its tests did not run, or if the table is not complete. `--failed` prints only the failed rows;
 * `GANTRY_TEST_STORE=postgres` uses the other store.
 */
const { outcomes, stray, ended } = readOutcomes();

let failed = 0;
for (const row of table) {
  const passed = row.tests.length > 0 && row.tests.every(({ name }) => outcomeOf(name) === 'passed');
  if (!passed) failed += 1;
  if (!passed || !process.argv.includes('--failed')) print(row, passed);
}
for (const problem of stray) process.stdout.write(`${pc.red('FAIL')} ${problem}\n`);

const tests = table.reduce((sum, row) => sum + row.tests.length, 0);
process.stdout.write(`\n${table.length} rows, ${tests} tests: ${table.length - failed} pass, ${failed} fail\n`);
process.exitCode = failed > 0 || stray.length > 0 || !ended ? 1 : 0;

/** The outcome of the test, in words; a known failure does not count as passed. */
function outcomeOf(name: string): string {
  if (knownFailures.includes(name)) return 'known to fail';
  return outcomes.get(name) ?? 'did not run';
}

function print({ id, statement, tests: own }: Row, passed: boolean): void {
  process.stdout.write(`${passed ? pc.green('pass') : pc.red('FAIL')} ${id.padEnd(44)} ${statement}\n`);
  for (const { name } of own) {
    const outcome = outcomeOf(name);
    process.stdout.write(pc.dim(`       ${outcome === 'passed' ? 'ran' : outcome}: ${name}\n`));
  }
}

/** The outcome of each test by name, and failures that belong to no row. */
function readOutcomes(): { outcomes: ReadonlyMap<string, string>; stray: readonly string[]; ended: boolean } {
  const { tests, broken, passed } = runTests('test/conformance/vitest.config.ts');
  const outcomes = new Map(tests.map(({ title, status }) => [title, status]));
  const names = new Set(table.flatMap((row) => row.tests.map(({ name }) => name)));
  const others = [...outcomes].filter(([name, outcome]) => !names.has(name) && outcome !== 'passed');
  return { outcomes, stray: [...broken, ...others.map(([name]) => name)], ended: passed };
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { isObject, type JsonObject, listAt, stringAt } from '../src/schema/json.ts';
import { knownFailures } from '../test/conformance/knownFailures.ts';
import type { Row } from '../test/conformance/row.ts';
import { table } from '../test/conformance/table.ts';

/**
 * Runs the conformance tests and prints the table: section, statement, tests, pass or FAIL. Exits with 1 where a row
 * fails, where one of its tests did not run, and where the table is not complete. `--failed` prints the failed rows only;
 * `GANTRY_TEST_STORE=postgres` runs it on the other store.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { outcomes, stray, ended } = runTests();

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

/** What became of the test, in words; a known failure has not passed. */
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

/** Runs the tests in this command: what became of each by name, and failures that belong to no row. */
function runTests(): { outcomes: ReadonlyMap<string, string>; stray: readonly string[]; ended: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const output = join(folder, 'result.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = join(root, 'test/conformance/vitest.config.ts');
  const options = ['run', '--config', config, '--reporter=json', `--outputFile=${output}`];
  try {
    const { status } = spawnSync(process.execPath, [vitest, ...options], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readOutcomes(output, status === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOutcomes(output: string, ended: boolean): ReturnType<typeof runTests> {
  const report: unknown = JSON.parse(readFileSync(output, 'utf8'));
  const files = isObject(report) ? listAt(report, 'testResults').filter(isObject) : [];
  const ran: readonly JsonObject[] = files.flatMap((file) => listAt(file, 'assertionResults').filter(isObject));
  const outcomes = new Map(ran.map((one) => [stringAt(one, 'title') ?? '', stringAt(one, 'status') ?? '']));
  const names = new Set(table.flatMap((row) => row.tests.map(({ name }) => name)));
  const broken = files.map((file) => stringAt(file, 'message') ?? '').filter((message) => message !== '');
  const others = [...outcomes].filter(([name, outcome]) => !names.has(name) && outcome !== 'passed');
  return { outcomes, stray: [...broken, ...others.map(([name]) => name)], ended };
}

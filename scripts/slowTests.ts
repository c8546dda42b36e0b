import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeftToCi, slowAfterSeconds } from '../test/harness/slowTests.ts';
import { readReport, root } from './testReport.ts';

/**
 * Writes `test/slow.txt`: the test files that take long, which `npm test` leaves to CI. Takes the report of a run of all
 * tests: `GANTRY_TEST_ALL=1 npm test -- --reporter=json --outputFile=report.json`, then `npm run tests:slow report.json`.
 */
const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: npm run tests:slow REPORT');

const slow = readReport(path, true)
  .files.map(({ file, milliseconds, tests }) => ({ file, seconds: milliseconds / 1000, tests }))
  .filter(({ seconds }) => seconds > slowAfterSeconds)
  .toSorted((a, b) => b.seconds - a.seconds);
const rows = slow.map(
  ({ file, seconds, tests }) => `${seconds.toFixed(1).padStart(6)} ${String(tests).padStart(5)} ${file}`,
);
const head = '# Seconds and tests of each slow file in CI (npm run tests:slow; test/harness/slowTests.ts reads it)';
writeFileSync(join(root, 'test/slow.txt'), `${[head, ...rows].join('\n')}\n`);
process.stdout.write(`${slow.length} slow files, of which npm test leaves out ${slow.filter(isLeftToCi).length}\n`);

import { relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

export interface Failure {
  /** The file from the root of the repository, then the names of groups and test. */
  readonly name: string;
  readonly messages: readonly string[];
}

const mostLines = 40;
const widest = 200;
/** Settings that change the draws or the surroundings of a run, for repeating it. */
const settings = ['GANTRY_SEED', 'GANTRY_TEST_DELAYS', 'GANTRY_TEST_DIALECT', 'GANTRY_TEST_STORE'];

/**
 * Each failure by its name and the first line of its message, in at most 40 lines; empty if there is none.
 * `environment`: the source of the settings to repeat.
 */
export function failureLines(
  failures: readonly Failure[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (failures.length === 0) return [];
  const set = settings.filter((name) => environment[name] !== undefined);
  const run = set.length === 0 ? '' : `, with ${set.map((name) => `${name}=${environment[name]}`).join(' ')}`;
  const lines = failures.flatMap(({ name, messages: [message = ''] }) => [
    cut(`FAILED ${name}`),
    cut(`       ${message.trim().split('\n')[0]}`),
  ]);
  const head = `Failures: ${failures.length}${run}`;
  if (lines.length < mostLines) return [head, ...lines];
  const shown = mostLines / 2 - 1;
  return [head, ...lines.slice(0, 2 * shown), `… and ${failures.length - shown} more`];
}

function cut(line: string): string {
  return line.length <= widest ? line : `${line.slice(0, widest - 1)}…`;
}

/** A reporter after the others: CI shows only the end of its output, which differences of long texts would fill. */
export class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map((error) => failure('outside of tests', [error])),
    ];
    for (const line of failureLines(failures, process.env)) process.stdout.write(`${line}\n`);
  }
}

function failuresOf(module: TestModule): readonly Failure[] {
  const file = relative('', module.moduleId);
  const suites = [...module.children.allSuites()].map((suite) => ({ name: suite.fullName, errors: suite.errors() }));
  const tests = [...module.children.allTests('failed')].map((test) => ({
    name: test.fullName,
    errors: test.result().errors ?? [],
  }));
  return [{ name: '', errors: module.errors() }, ...suites, ...tests]
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors }) => failure(name === '' ? file : `${file} > ${name}`, errors));
}

function failure(name: string, errors: readonly SerializedError[]): Failure {
  return { name, messages: errors.map(({ message }) => message) };
}

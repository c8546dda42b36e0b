import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../src/base/json/json.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface TestRun {
  /** Relative to the root. */
  readonly file: string;
  readonly title: string;
  /** Including the names of its groups. */
  readonly fullName: string;
  readonly status: string;
  readonly milliseconds: number;
  /** The values that the test stored in its `meta`. */
  readonly meta: JsonObject;
}

export interface TestFile {
  /** Relative to the root. */
  readonly file: string;
  /** Of its tests and hooks, not of its imports. */
  readonly milliseconds: number;
  readonly tests: number;
}

export interface TestReport {
  readonly tests: readonly TestRun[];
  readonly files: readonly TestFile[];
  /** Failures outside of tests. */
  readonly broken: readonly string[];
  /** Everything passed. */
  readonly passed: boolean;
}

/** Runs tests in this command: all of a vitest configuration, or some of its files. */
export function runTests(config: string, files: readonly string[] = [], env: NodeJS.ProcessEnv = {}): TestReport {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const output = join(folder, 'result.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = ['run', '--config', join(root, config), '--reporter=json', `--outputFile=${output}`, ...files];
  try {
    const { status } = spawnSync(process.execPath, [vitest, ...options], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readReport(output, status === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The output of vitest's reporter `json`. `passed`: whether the run succeeded. */
export function readReport(path: string, passed: boolean): TestReport {
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const files = isObject(report) ? listAt(report, 'testResults').filter(isObject) : [];
  return {
    tests: files.flatMap((file) =>
      listAt(file, 'assertionResults')
        .filter(isObject)
        .map((test) => testOf(file, test)),
    ),
    files: files.map((file) => ({
      file: nameOf(file),
      milliseconds: Number(file['endTime'] ?? 0) - Number(file['startTime'] ?? 0),
      tests: listAt(file, 'assertionResults').length,
    })),
    broken: files.map((file) => stringAt(file, 'message') ?? '').filter((message) => message !== ''),
    passed,
  };
}

function nameOf(file: JsonObject): string {
  return (stringAt(file, 'name') ?? '').replace(root, '');
}

function testOf(file: JsonObject, test: JsonObject): TestRun {
  return {
    file: nameOf(file),
    title: stringAt(test, 'title') ?? '',
    fullName: stringAt(test, 'fullName') ?? '',
    status: stringAt(test, 'status') ?? '',
    milliseconds: Number(test['duration'] ?? 0),
    meta: objectAt(test, 'meta'),
  };
}

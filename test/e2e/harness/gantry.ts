import { spawn } from 'node:child_process';
import { isArray, isObject, type JsonObject, stringAt } from '../../../src/base/json/json.ts';
import { compileCache } from '../../compileCache.ts';
import type { Outcome } from '../../outcome.ts';
import { dialectSetting } from './dialect.ts';
import { cliPath, type Platform, token } from './platform.ts';

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The environment of a command line: the address of the platform, and nothing else of the tests' environment. */
export function environmentFor(platform: Pick<Platform, 'url'> | undefined, { cwd, env }: RunOptions) {
  const given: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: cwd, NO_COLOR: '1', ...compileCache };
  if (platform === undefined) return { ...given, ...env };
  const remote = { GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: token, GANTRY_ORG: 'local', ...dialectSetting };
  return { ...given, ...remote, ...env };
}

/** Runs the built command line as a process against a running platform. */
export function gantry(
  platform: Pick<Platform, 'url'> | undefined,
  args: readonly string[],
  options: RunOptions & { readonly input?: string },
): Promise<Outcome> {
  const environment = environmentFor(platform, options);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cliPath, ...args], { cwd: options.cwd, env: environment });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
    child.stdin.end(options.input ?? '');
  });
}

/** The `changes` of a plan in JSON, by id. */
export function changesById(plan: string): ReadonlyMap<string, JsonObject> {
  const parsed: unknown = JSON.parse(plan);
  const changes = isObject(parsed) ? parsed['changes'] : undefined;
  if (!isArray(changes)) throw new Error(`not a plan: ${plan.slice(0, 200)}`);
  return new Map(changes.filter(isObject).map((change) => [stringAt(change, 'id') ?? '', change]));
}

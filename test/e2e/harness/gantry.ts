import { spawn } from 'node:child_process';
import { isArray, isObject, type JsonObject, stringAt } from '../../../src/schema/json.ts';
import { compileCache } from '../../compileCache.ts';
import { dialectSetting } from './dialect.ts';
import { cliPath, type Platform, token } from './platform.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a process of its own, against a running platform. */
export function gantry(
  platform: Platform | undefined,
  args: readonly string[],
  options: { readonly cwd: string; readonly input?: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: options.cwd,
    NO_COLOR: '1',
    ...compileCache,
  };
  if (platform !== undefined) {
    environment['GANTRY_ENDPOINT'] = platform.url;
    environment['GANTRY_TOKEN'] = token;
    environment['GANTRY_ORG'] = 'local';
    Object.assign(environment, dialectSetting);
  }
  Object.assign(environment, options.env);
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

import { type ChildProcess, spawn } from 'node:child_process';
import { compileCache } from '../../compileCache.ts';
import { dialectSetting } from './dialect.ts';
import type { Outcome } from './gantry.ts';
import { cliPath, token } from './platform.ts';

/** A command that goes on, and can be stopped. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome & { readonly signal: NodeJS.Signals | null }>;
}

/** Starts the built command line against the platform at `url`. */
export function startGantry(
  url: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Running {
  const env = { PATH: process.env['PATH'], HOME: cwd, NO_COLOR: '1', ...compileCache, ...more };
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd,
    env: { ...env, GANTRY_ENDPOINT: url, GANTRY_TOKEN: token, GANTRY_ORG: 'local', ...dialectSetting },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    child,
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    }),
  };
}

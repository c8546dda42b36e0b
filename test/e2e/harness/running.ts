import { type ChildProcess, spawn } from 'node:child_process';
import { compileCache } from '../../compileCache.ts';
import { endedBy } from '../../outcome.ts';
import { dialectSetting } from './dialect.ts';
import { cliPath, token } from './platform.ts';

/** A running command that can be stopped. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: ReturnType<typeof endedBy>;
}

/** Resolves when standard error contains the text, from now on. */
export function waitForStderr({ child, ended }: Running, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (part: string) => {
      said += part;
      if (said.includes(text)) resolve();
    });
    ended.then(({ stderr }) => reject(new Error(`it never said ${JSON.stringify(text)}:\n${stderr}`)), reject);
  });
}

/** The message on standard error after the first Ctrl-C. */
export const interruptHeard = 'Interrupted: finishing the requests in flight';

/** Sends Ctrl-C, and again after the message about the first one. */
export async function interruptTwice(running: Running): Promise<void> {
  const heard = waitForStderr(running, interruptHeard);
  running.child.kill('SIGINT');
  await heard;
  running.child.kill('SIGINT');
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
  return { child, ended: endedBy(child) };
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../session/session.ts';
import type { early, edited } from './request.ts';
import { stackProgram } from './stackProgram.ts';

/** The process of a stack: standard input, output and error, and the channel for its declarations. */
export type StackProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** More memory is faster than garbage collection in a short life. */
const youngSpace = '--min-semi-space-size=32';

/** `import` in a stack file makes it a module; its package need not declare that. */
const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

/** The folder, environment and options of a stack's process. */
export interface StackHost {
  readonly cwd: string;
  readonly environment: Environment;
  /** Options of Node; inspector options are dropped, because two processes cannot share one port. */
  readonly nodeOptions: readonly string[];
}

/** `early`, `edited`: started before its stack is known. */
export function startStackProcess(
  { cwd, environment, nodeOptions }: StackHost,
  when: typeof early | typeof edited | 'now',
): StackProcess {
  // Compiled code of a stack is not cached, because it may contain secrets.
  const { NODE_COMPILE_CACHE: _, ...env } = environment;
  const options = nodeOptions.filter((option) => !option.startsWith('--inspect'));
  const child = spawn(process.execPath, [...options, youngSpace, quiet, fileURLToPath(stackProgram()), when], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.on('error', () => undefined); // handled by the code that sends the request
  child.stdin.on('error', () => undefined); // it has ended, which is handled there
  return child;
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../session/session.ts';
import type { early, edited } from './request.ts';
import { stackProgram } from './stackProgram.ts';

/** The process of a stack: its standard input, output and error, and the channel on which it hands over. */
export type StackProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A short life on much memory is shorter than one that collects garbage. */
const youngSpace = '--min-semi-space-size=32';

/** A stack file says by `import` that it is a module; its package need not say so again. */
const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

/** Where it runs, and with what. */
export interface StackHost {
  readonly cwd: string;
  readonly environment: Environment;
  /** Options of Node; two processes cannot be inspected on one port. */
  readonly nodeOptions: readonly string[];
}

/** `early`, `edited`: before it is known which stack it is going to run, if any. */
export function startStackProcess(
  { cwd, environment, nodeOptions }: StackHost,
  when: typeof early | typeof edited | 'now',
): StackProcess {
  // What is compiled of a stack is not kept: it holds what the stack holds.
  const { NODE_COMPILE_CACHE: _, ...env } = environment;
  const options = nodeOptions.filter((option) => !option.startsWith('--inspect'));
  const child = spawn(process.execPath, [...options, youngSpace, quiet, fileURLToPath(stackProgram()), when], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.on('error', () => undefined); // whoever gives it work looks at that
  child.stdin.on('error', () => undefined); // it has ended, which is told by that
  return child;
}

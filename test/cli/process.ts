import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compileCache } from '../compileCache.ts';
import { ended, type Outcome } from '../outcome.ts';

const main = new URL('../../dist/cli.js', import.meta.url).pathname;

/** The built command line as a process, without settings of this machine. */
export interface Running {
  readonly child: ChildProcess;
  /** Resolves with the first line of standard output or error that matches; rejects if there is none. */
  line(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Outcome>;
}

type Environment = Readonly<Record<string, string>>;

export function startCli(args: readonly string[], cwd: string, input = '', env: Environment = {}): Running {
  const environment = { PATH: process.env['PATH'], HOME: cwd, ...compileCache, ...env };
  const child = spawn(process.execPath, [main, ...args], { cwd, env: environment });
  // A command that reads no input may have ended already.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  child.stdin.end(input);
  const outcome = ended(child);
  const readers = [createInterface({ input: child.stdout }), createInterface({ input: child.stderr })];
  return {
    child,
    ended: outcome,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        for (const reader of readers) reader.on('line', (line) => pattern.test(line) && resolve(line));
        outcome.then(({ stderr: said }) => reject(new Error(`no line matches ${pattern}:\n${said}`)), reject);
      }),
  };
}

export function runCli(args: readonly string[], cwd: string, input = '', env: Environment = {}): Promise<Outcome> {
  return startCli(args, cwd, input, env).ended;
}

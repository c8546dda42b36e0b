import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compileCache } from '../compileCache.ts';

const main = new URL('../../dist/cli.js', import.meta.url).pathname;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line as a process of its own, with no settings of this machine. */
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
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  const readers = [createInterface({ input: child.stdout }), createInterface({ input: child.stderr })];
  return {
    child,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        for (const reader of readers) reader.on('line', (line) => pattern.test(line) && resolve(line));
        ended.then(({ stderr: said }) => reject(new Error(`no line matches ${pattern}:\n${said}`)), reject);
      }),
  };
}

export function runCli(args: readonly string[], cwd: string, input = '', env: Environment = {}): Promise<Outcome> {
  return startCli(args, cwd, input, env).ended;
}

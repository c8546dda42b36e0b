import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../session/session.ts';
import { policyProgram } from './policyProgram.ts';

/** The process of policies: standard input, output and error, and the channel on which it says what it finds. */
export type PolicyProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Nothing else of the environment: no token, no key, and nothing that makes an answer another one elsewhere. */
const handedOn = ['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG'] as const;

/**
 * Files can be read, as imports are; nothing can be written, and no process started. It is not a sandbox: what a
 * policy may import it may also read, and on Linux the environment of this process in `/proc`. A list of folders to read
 * would not help, because links lead out of them.
 */
const permissions = ['--permission', '--allow-fs-read=*', '--allow-worker', '--disable-warning=SecurityWarning'];

/** A policy says by `import` that it is a module; its package need not say so again. */
const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

export function startPolicyProcess(cwd: string, environment: Environment): PolicyProcess {
  const env = Object.fromEntries(handedOn.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const child = spawn(process.execPath, [...permissions, quiet, fileURLToPath(policyProgram())], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.on('error', () => undefined); // whoever gives it work looks at that
  child.stdin.on('error', () => undefined); // it has ended, which is told by that
  return child;
}

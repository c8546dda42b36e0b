import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../session/session.ts';
import { policyProgram } from './policyProgram.ts';

/** The process of policies: standard input, output and error, and the channel on which it says what it finds. */
export type PolicyProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Nothing else of the environment: no token, no key, and nothing that makes an answer another one elsewhere. */
const handedOn = ['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG'] as const;

/** Nothing can be written, and no process started. It is not a sandbox: the network is open. */
const permissions = ['--permission', '--allow-worker', '--disable-warning=SecurityWarning'];

/** A policy says by `import` that it is a module; its package need not say so again. */
const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

/**
 * `readable`: the files and folders that it may read. Its current folder is that of its program, because Node lets each
 * thread read the current folder with all that is below, whatever else is allowed.
 */
export function startPolicyProcess(environment: Environment, readable: readonly string[]): PolicyProcess {
  const env = Object.fromEntries(handedOn.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const program = fileURLToPath(policyProgram());
  const reads = readable.map((path) => `--allow-fs-read=${path}`);
  const child = spawn(process.execPath, [...permissions, ...reads, quiet, program], {
    cwd: dirname(program),
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.on('error', () => undefined); // whoever gives it work looks at that
  child.stdin.on('error', () => undefined); // it has ended, which is told by that
  return child;
}

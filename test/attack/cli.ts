import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBelow } from '../harness/writeBelow.ts';
import { demand } from './attack.ts';

const repository = new URL('../..', import.meta.url).pathname;
const executable = join(repository, 'dist/cli.js');

export interface Outcome {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The peak memory of the process in MiB, sampled every 50 ms; 0 if it ended before the first sample. */
  readonly peakMiB: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The process is killed after this time, which fails the attack: nothing may hang. */
  readonly withinMs?: number;
  /** Instead of pipes. */
  readonly stdio?: readonly ['ignore' | 'pipe' | number, 'pipe' | number, 'pipe' | number];
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
}

/** Characters of output that are kept; no attack needs more. */
const mostKept = 4_000_000;

export function start(args: readonly string[], options: RunOptions): Running {
  const { cwd, input, env = {}, withinMs = 60_000, stdio = ['pipe', 'pipe', 'pipe'] } = options;
  const child = spawn(process.execPath, [executable, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    stdio: [...stdio],
  });
  const kept = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      if (kept[name].length < mostKept) kept[name] += text;
    });
  }
  child.stdin?.on('error', () => {}); // The process ended without reading; its outcome shows that.
  child.stdin?.end(input ?? '');
  let peakMiB = 0;
  const watch = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child.pid ?? 0));
  }, 50);
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, withinMs);
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      clearTimeout(limit);
      if (late)
        reject(new Error(`gantry ${args.join(' ')}: still running after ${withinMs} ms\n${kept.stderr.slice(-2_000)}`));
      else resolve({ code, signal, ...kept, peakMiB });
    });
  });
  ended.catch(() => {}); // The awaiting caller gets the error.
  return { child, ended };
}

export function gantry(args: readonly string[], options: RunOptions): Promise<Outcome> {
  return start(args, options).ended;
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // The process has ended.
  }
}

export interface Folder {
  readonly path: string;
  write(name: string, text: string): string;
  remove(): void;
}

/** A folder outside the repository, in which stacks can import the package by its name. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), 'gantry-attack-'));
  mkdirSync(join(path, 'node_modules'));
  symlinkSync(repository, join(path, 'node_modules/gantry'));
  const folder: Folder = {
    path,
    write: (name, text) => writeBelow(path, name, text),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  return folder;
}

/** Demands the properties of every failure: one error with a code, no stack trace, no terminal escape. */
export function demandCleanFailure(outcome: Outcome): void {
  demand(outcome.signal === null, 'it was ended by a signal', outcome);
  demand(outcome.code !== null && outcome.code !== 0, 'it must fail', outcome);
  demand(!/^\s+at \S.*[(/:]/m.test(outcome.stderr), 'a raw trace was printed', outcome.stderr);
  demand(!hasControlCharacters(outcome.stderr + outcome.stdout), 'control characters', outcome);
}

/** Whether a terminal would act on any character; line ends and tabs are allowed. */
export function hasControlCharacters(text: string): boolean {
  return [...text].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (code < 32 && character !== '\n' && character !== '\t') || code === 127 || (code >= 128 && code < 160);
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { present } from '../../base/json/present.ts';
import { type Bounded, type Bounds, type Excess, startBounds } from './bounded.ts';
import type { Environment } from './session.ts';

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The reason why it did not start. */
  readonly error?: Error;
}

/** The end of a process, even if other processes still hold its output open. */
export function waitForExit(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
  });
}

/** The rest of a sentence about it. */
export function endingText({ code, signal }: Pick<ProgramEnd, 'code' | 'signal'>): string {
  return code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`;
}

export interface ProgramRun extends ProgramEnd {
  readonly output: Buffer;
  /** The last part of its standard error. */
  readonly stderrTail: string;
  /** The reason for stopping it early. */
  readonly stopped?: Excess | 'abort';
}

export interface ProgramOptions extends Bounds<Excess> {
  readonly cwd?: string;
  readonly environment?: Environment;
  /** Limit of standard output in bytes. */
  readonly mostOutput?: number;
  /** Absent for no standard input. */
  readonly input?: Buffer | string | undefined;
  /** Whether its standard error goes to that of this process; otherwise it is collected. */
  readonly showsErrors?: boolean;
  /**
   * In its own group, its child processes are killed with it. Otherwise it receives SIGTERM, and is killed after 2 s.
   */
  readonly inGroup?: boolean;
}

const mostErrorLength = 16_384;
const graceMs = 2_000;

/** Runs a program without a shell, and collects its output. It ends before this process does. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, environment, mostOutput = Infinity, input, showsErrors = false, inGroup = false, ...bounds }: ProgramOptions,
): Promise<ProgramRun> {
  bounds.signal?.throwIfAborted();
  let child: ChildProcess | undefined;
  let grace: NodeJS.Timeout | undefined;
  const life: Bounded<Excess> = startBounds(() => {
    if (inGroup) return killGroup(child);
    child?.kill('SIGTERM');
    grace ??= setTimeout(() => child?.kill('SIGKILL'), graceMs);
  }, bounds);
  try {
    child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', showsErrors ? 'inherit' : 'pipe'],
      detached: inGroup,
    });
    const chunks: Buffer[] = [];
    let [length, stderrTail] = [0, ''];
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostOutput) life.stop('output');
      else chunks.push(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderrTail = (stderrTail + text).slice(-mostErrorLength);
    });
    child.stdin?.on('error', () => undefined); // it has ended, as its code shows
    child.stdin?.end(input);
    const closed = once(child, 'close').catch(() => undefined);
    const end = await waitForExit(child);
    // Its child processes may hold the output open forever. A group is killed together, except processes that left it.
    const givenUp = life.whenStopped.then(() => (inGroup ? delay(graceMs, undefined, { ref: false }) : undefined));
    if (end.error === undefined) await Promise.race([closed, givenUp]);
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    const stopped = life.stopped();
    return { ...end, output: Buffer.concat(chunks), stderrTail, ...present({ stopped }) };
  } finally {
    clearTimeout(grace);
    await life.end();
  }
}

function killGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // the group no longer exists, or the system has none
  }
}

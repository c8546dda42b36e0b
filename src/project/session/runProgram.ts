import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { present } from '../../base/json/present.ts';
import { type Bounded, type Bounds, bounded, type Excess } from './bounded.ts';
import type { Environment } from './session.ts';

/** How a program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it did not start. */
  readonly error?: Error;
}

/** The end of a process; what holds its output open may go on. */
export function endOf(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
  });
}

/** The words for it, after a subject. */
export function endingText({ code, signal }: Pick<ProgramEnd, 'code' | 'signal'>): string {
  return code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`;
}

export interface ProgramRun extends ProgramEnd {
  readonly output: Buffer;
  /** The end of what it wrote to standard error. */
  readonly said: string;
  /** Why it was ended before its time. */
  readonly stopped?: Excess | 'abort';
}

export interface ProgramOptions extends Bounds<Excess> {
  readonly cwd?: string;
  readonly environment?: Environment;
  /** Bytes of standard output. */
  readonly mostOutput?: number;
  /** Absent: it has no standard input. */
  readonly input?: Buffer | string | undefined;
  /** Whether its standard error is that of this process; otherwise it is kept. */
  readonly showsErrors?: boolean;
  /** In a group of its own, what it starts is killed with it. Otherwise it is asked to end, and killed after 2 s. */
  readonly inGroup?: boolean;
}

const longestSaid = 16_384;
const graceMs = 2_000;

/** Runs a program without a shell, and keeps what it writes. It ends before this process does. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, environment, mostOutput = Infinity, input, showsErrors = false, inGroup = false, ...bounds }: ProgramOptions,
): Promise<ProgramRun> {
  bounds.signal?.throwIfAborted();
  let child: ChildProcess | undefined;
  let grace: NodeJS.Timeout | undefined;
  const life: Bounded<Excess> = bounded(() => {
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
    let [length, said] = [0, ''];
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostOutput) life.stop('output');
      else chunks.push(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-longestSaid);
    });
    child.stdin?.on('error', () => undefined); // it has ended, which is told by its code
    child.stdin?.end(input);
    const closed = once(child, 'close').catch(() => undefined);
    const end = await endOf(child);
    // What it started may hold its output without end. A group ends as one, but for what has left it.
    const givenUp = life.whenStopped.then(() => (inGroup ? delay(graceMs, undefined, { ref: false }) : undefined));
    if (end.error === undefined) await Promise.race([closed, givenUp]);
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    const stopped = life.stopped();
    return { ...end, output: Buffer.concat(chunks), said, ...present({ stopped }) };
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
    child.kill('SIGKILL'); // no group is left, or the system has none
  }
}

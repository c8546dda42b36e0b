import type { Readable } from 'node:stream';
import { type Interruptible, uninterrupted } from './interruptible.ts';

const running = new Set<() => void>();

/** Calls `end` when this process exits: what it started must not go on by itself. The function returned takes it back. */
function endWithProcess(end: () => void): () => void {
  if (running.size === 0) process.on('exit', endAll); // one listener, however many there are
  running.add(end);
  return () => {
    running.delete(end);
    if (running.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const end of running) end();
}

/** Why something was ended before it came to an end by itself. */
export type Excess = 'time' | 'memory' | 'output' | 'size';

/** The words for it, after a subject. `most`: of ms, MiB or bytes. */
export const excessText: Readonly<Record<Excess, (most: number) => string>> = {
  time: (ms) => `took more than ${ms / 1_000} s`,
  memory: (mebibytes) => `took more than ${mebibytes} MiB of memory`,
  output: (bytes) => `wrote more than ${bytes / 2 ** 20} MiB`,
  size: (bytes) => `handed over more than ${bytes / 2 ** 20} MiB`,
};

export interface Bounds<Why extends Excess> {
  readonly mostMs?: number | undefined;
  /** Asked every `lookMs`: which bound it has passed. */
  readonly look?: (() => Promise<Why | undefined>) | undefined;
  readonly lookMs?: number;
  readonly interruptible?: Interruptible | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A run of the code of others, from its start to its end. */
export interface Bounded<Why extends Excess> {
  /** The first reason why it was ended. */
  readonly stopped: () => Why | 'abort' | undefined;
  readonly stop: (why: Why) => void;
  /** Fulfilled when it is ended before its time, whether or not it then ends. */
  readonly whenStopped: Promise<void>;
  /** It has ended: nothing ends it any more. Does not return where it was interrupted (`Interruption.end`). */
  readonly end: () => Promise<void>;
}

/**
 * Ends what runs code of others, by `kill`: when it passes a bound, when it is interrupted or aborted, and at the
 * latest when this process exits. To be called just before it is started.
 */
export function bounded<Why extends Excess>(
  kill: (why: Why | 'time' | 'abort') => void,
  options: Bounds<Why>,
): Bounded<Why | 'time'> {
  const { mostMs, look, lookMs = 200, interruptible = uninterrupted, signal } = options;
  let stopped: Why | 'time' | 'abort' | undefined;
  function stop(why: Why | 'time' | 'abort'): void {
    stopped ??= why;
    isStopped.resolve();
    kill(why);
  }
  const isStopped = Promise.withResolvers<void>();
  const abort = () => stop('abort');
  const interruption = interruptible(abort); // throws where it is interrupted already
  const deadline = mostMs === undefined ? undefined : setTimeout(() => stop('time'), mostMs);
  const looking =
    look && setInterval(() => void look().then((why) => why && stopped === undefined && stop(why)), lookMs);
  const release = endWithProcess(abort);
  signal?.addEventListener('abort', abort);
  return {
    stopped: () => stopped,
    stop,
    whenStopped: isStopped.promise,
    async end() {
      clearTimeout(deadline);
      clearInterval(looking);
      release();
      signal?.removeEventListener('abort', abort);
      await interruption.end();
    },
  };
}

/** Characters of a line that code of others writes; a longer one is passed on in pieces. */
export const longestLine = 8_192;

/** At least one, so that an empty line stays a line. */
export function piecesOf(line: string): readonly string[] {
  const pieces = [line.slice(0, longestLine)];
  for (let at = longestLine; at < line.length; at += longestLine) pieces.push(line.slice(at, at + longestLine));
  return pieces;
}

/**
 * Passes on what comes, line by line; a line that is longer than `longest`, in pieces. The function returned passes on
 * what has no end of line yet.
 */
export function eachLine(stream: Readable, longest: number, pass: (line: string) => void): () => void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n'); // not of all that is there: each chunk is looked through once
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const line of lines) pass(line);
    for (; rest.length > longest; rest = rest.slice(longest)) pass(rest.slice(0, longest));
  });
  return () => {
    if (rest !== '') pass(rest);
    rest = '';
  };
}

import type { Readable } from 'node:stream';
import { type Interruptible, uninterrupted } from './interruptible.ts';

const endings = new Set<() => void>();

/**
 * Calls `end` when this process exits, so that what it started does not continue alone. Returns a function that cancels
 * this.
 */
function endWithProcess(end: () => void): () => void {
  if (endings.size === 0) process.on('exit', endAll); // one listener, however many there are
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const end of endings) end();
}

/** The limit that a run exceeded. */
export type Excess = 'time' | 'memory' | 'output' | 'size';

/** The rest of a sentence about it. `most`: in ms, MiB or bytes. */
export const excessText: Readonly<Record<Excess, (most: number) => string>> = {
  time: (ms) => `took more than ${ms / 1_000} s`,
  memory: (mebibytes) => `took more than ${mebibytes} MiB of memory`,
  output: (bytes) => `wrote more than ${bytes / 2 ** 20} MiB`,
  size: (bytes) => `handed over more than ${bytes / 2 ** 20} MiB`,
};

export interface Bounds<Why extends Excess> {
  readonly mostMs?: number | undefined;
  /** Returns the exceeded limit; called every `checkIntervalMs`. */
  readonly checkLimits?: (() => Promise<Why | undefined>) | undefined;
  readonly checkIntervalMs?: number;
  readonly interruptible?: Interruptible | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A run of foreign code, from its start to its end. */
export interface Bounded<Why extends Excess> {
  /** The first reason for stopping it. */
  readonly stopped: () => Why | 'abort' | undefined;
  readonly stop: (why: Why) => void;
  /** Fulfilled when it is stopped early, whether or not it then ends. */
  readonly whenStopped: Promise<void>;
  /** Call when it has ended: releases all limits. Does not return after an interruption (`Interruption.end`). */
  readonly end: () => Promise<void>;
}

/**
 * Stops foreign code with `kill`: when it exceeds a limit, when it is interrupted or aborted, and at the latest when
 * this process exits. Call it just before the start.
 */
export function startBounds<Why extends Excess>(
  kill: (why: Why | 'time' | 'abort') => void,
  options: Bounds<Why>,
): Bounded<Why | 'time'> {
  const { mostMs, checkLimits, checkIntervalMs = 200, interruptible = uninterrupted, signal } = options;
  let stopped: Why | 'time' | 'abort' | undefined;
  function stop(why: Why | 'time' | 'abort'): void {
    stopped ??= why;
    isStopped.resolve();
    kill(why);
  }
  const isStopped = Promise.withResolvers<void>();
  const abort = () => stop('abort');
  const interruption = interruptible(abort); // throws if already interrupted
  const deadline = mostMs === undefined ? undefined : setTimeout(() => stop('time'), mostMs);
  const limitTimer =
    checkLimits &&
    setInterval(() => void checkLimits().then((why) => why && stopped === undefined && stop(why)), checkIntervalMs);
  const release = endWithProcess(abort);
  signal?.addEventListener('abort', abort);
  return {
    stopped: () => stopped,
    stop,
    whenStopped: isStopped.promise,
    async end() {
      clearTimeout(deadline);
      clearInterval(limitTimer);
      release();
      signal?.removeEventListener('abort', abort);
      await interruption.end();
    },
  };
}

/** Limit of characters per output line of foreign code; longer lines are split. */
export const longestLine = 8_192;

/** At least one piece, so that an empty line stays a line. */
export function splitLine(line: string): readonly string[] {
  const pieces = [line.slice(0, longestLine)];
  for (let at = longestLine; at < line.length; at += longestLine) pieces.push(line.slice(at, at + longestLine));
  return pieces;
}

/**
 * Passes on a stream line by line; splits lines longer than `longest`. The returned function passes on the last line
 * without a line break.
 */
export function eachLine(stream: Readable, longest: number, pass: (line: string) => void): () => void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n'); // not of the whole rest: each chunk is searched once
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

import { InvalidArgumentError } from 'commander';
import { durationMs, durationWithUnitMs } from '../../base/text/duration.ts';

/** `0`, `7`: a number of things. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** `1` to `256`: how much is done at the same time. */
export function parseParallelism(text: string): number {
  const most = parseCount(text);
  if (most < 1 || most > 256) throw new InvalidArgumentError('It must be a whole number, 1 to 256.');
  return most;
}

export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return port;
}

/** `20ms`, `1.5s`, `36h`, or a bare number of milliseconds; in milliseconds. */
export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration such as 20ms, 1.5s or 2m.');
  return ms;
}

/** `30s`, `5m`, `1h30m`; in milliseconds. A plain number is none: nobody knows what it counts. */
export function parseWaitTimeout(text: string): number {
  const ms = durationWithUnitMs(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration with a unit, such as 30s, 5m or 1h.');
  return ms;
}

const secondMs = 1_000;
const yearMs = 366 * 86_400_000;

/** `24h`, `7d`: how long a signature counts; in milliseconds. */
export function parseValidFor(text: string): number {
  const ms = durationWithUnitMs(text);
  if (ms !== undefined && ms >= secondMs && ms <= yearMs) return ms;
  throw new InvalidArgumentError('It must be a duration with a unit, such as 24h or 7d, of at most 366d.');
}

/** `crash`; without it the undisturbed run alone is rehearsed. */
export function parseRehearse(text: string): 'crash' {
  if (text === 'crash') return text;
  throw new InvalidArgumentError('Give --rehearse or --rehearse=crash; paths stand before it.');
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

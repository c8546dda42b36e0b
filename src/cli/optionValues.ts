import { InvalidArgumentError } from 'commander';

/** `0`, `7`: a number of things. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return port;
}

const unitMs = { ms: 1, s: 1000, m: 60_000 } as const;

/** `20ms`, `1.5s`, `2m`, or a bare number of milliseconds; in milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,9}(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be a duration such as 20ms, 1.5s or 2m.');
  const unit = match[2] === 's' || match[2] === 'm' ? match[2] : 'ms';
  return Number(match[1]) * unitMs[unit];
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

import { present } from '../../../base/json/present.ts';
import type { Fault } from './fault.ts';

/** The combined effect of all faults on one request. Milliseconds. */
export interface Mishap {
  readonly delayMs: number;
  readonly refusal:
    | { readonly status: number; readonly message: string; readonly retryAfterSeconds?: number }
    | undefined;
  readonly drop: boolean;
  readonly reset: boolean;
  readonly staleMs: number;
  readonly ignorePrecondition: boolean;
  readonly slowDeletionMs: number | undefined;
}

/** The number of matching requests of a fault, and of its occurrences. */
export interface FaultCount {
  readonly met: number;
  readonly struck: number;
}

export function concerns(
  { method, path }: Fault,
  asked: { readonly method: string; readonly segments: readonly string[] },
): boolean {
  if (method !== undefined && method !== asked.method) return false;
  if (path === undefined) return true;
  const open = path.at(-1) === '**';
  const fixed = open ? path.slice(0, -1) : path;
  if (open ? asked.segments.length < fixed.length : asked.segments.length !== fixed.length) return false;
  return fixed.every((part, index) => part === '*' || part === asked.segments[index]);
}

/** Does the fault occur for a matching request? `count`: of the earlier ones. `chance`: a random number from 0 to 1. */
export function strikes({ probability = 1, at, times }: Fault, { met, struck }: FaultCount, chance: number): boolean {
  if (times !== undefined && struck >= times) return false;
  if (at !== undefined && !at.includes(met + 1)) return false;
  return chance < probability;
}

/** Combines the faults that occur; the first refusal counts. `chance`: random numbers from 0 to 1, for the jitter. */
export function together(faults: readonly Fault[], chance: () => number): Mishap {
  const refusing = faults.find(({ status }) => status !== undefined);
  return {
    delayMs: faults.reduce(
      (sum, { latencyMs, jitterMs }) => sum + latencyMs + (jitterMs > 0 ? jitterMs * chance() : 0),
      0,
    ),
    refusal: refusing === undefined ? undefined : refusalOf(refusing),
    drop: faults.some(({ drop }) => drop),
    reset: faults.some(({ reset }) => reset),
    ignorePrecondition: faults.some(({ ignorePrecondition }) => ignorePrecondition),
    staleMs: Math.max(0, ...faults.map(({ staleMs = 0 }) => staleMs)),
    slowDeletionMs: faults.find(({ slowDeletionMs }) => slowDeletionMs !== undefined)?.slowDeletionMs,
  };
}

function refusalOf({ status = 503, message, retryAfterSeconds }: Fault): NonNullable<Mishap['refusal']> {
  const text = message ?? (status === 429 ? 'too many requests' : 'injected fault');
  return { status, message: text, ...present({ retryAfterSeconds }) };
}

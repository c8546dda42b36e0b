import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { seeded } from '../../base/seeded.ts';
import { type Fault, type Faults, noFaults } from './fault.ts';
import type { ApiReply, RequestHead } from './message.ts';

const mostReplies = 1000;

interface Remembered {
  readonly reply: ApiReply;
  readonly atMs: number;
}

/** The planned faults and their occurrences. Random numbers are drawn in the order in which requests arrive. */
export class FaultPlan {
  #faults: Faults = noFaults;
  #source: JsonObject = { faults: [] };
  #counts: FaultCount[] = [];
  #chance = seeded('');
  readonly #replies = new Map<string, Remembered>();

  /** Sets the faults and resets the counters. `source`: the faults as they were sent. */
  set(faults: Faults, source: JsonObject): void {
    this.#faults = faults;
    this.#source = source;
    this.#counts = faults.faults.map(() => ({ met: 0, struck: 0 }));
    this.#chance = seeded(faults.seed);
    this.#replies.clear();
  }

  /** Whether there are no faults. */
  get isEmpty(): boolean {
    return this.#faults.faults.length === 0;
  }

  shown(): JsonObject {
    return { ...this.#source, counts: this.#counts.map(({ met, struck }) => ({ met, struck })) };
  }

  /** Returns undefined if there is no fault. Local-only endpoints never have one. */
  draw(head: RequestHead): Mishap | undefined {
    const { faults } = this.#faults;
    if (faults.length === 0 || head.segments[0]?.startsWith('-') === true) return undefined;
    const struck = faults.filter((fault, index) => {
      if (!concerns(fault, head)) return false;
      const count = this.#counts[index] ?? { met: 0, struck: 0 };
      const hit = strikes(fault, count, this.#chance());
      this.#counts[index] = { met: count.met + 1, struck: count.struck + (hit ? 1 : 0) };
      return hit;
    });
    return struck.length === 0 ? undefined : together(struck, this.#chance);
  }

  /** An earlier response to the same request, at most this old. `asked`: its body. */
  stale(head: RequestHead, asked: string, staleMs: number, nowMs: number): ApiReply | undefined {
    if (staleMs === 0 || !reads(head)) return undefined;
    const known = this.#replies.get(keyOf(head, asked));
    return known !== undefined && nowMs - known.atMs <= staleMs ? known.reply : undefined;
  }

  /** Whether the response must be recorded: only for reads, while a fault serves stale responses. */
  keeps(head: RequestHead): boolean {
    return reads(head) && this.#faults.faults.some(({ staleMs }) => staleMs !== undefined);
  }

  remember(head: RequestHead, asked: string, reply: ApiReply, nowMs: number): void {
    const key = keyOf(head, asked);
    this.#replies.delete(key);
    this.#replies.set(key, { reply, atMs: nowMs });
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > mostReplies && oldest !== undefined) this.#replies.delete(oldest);
  }
}

function reads({ method, segments }: RequestHead): boolean {
  return method === 'GET' || (method === 'POST' && segments.at(-1) === '-query');
}

function keyOf({ path, query, authorization = '' }: RequestHead, asked: string): string {
  return JSON.stringify([authorization, path, query.toString(), asked]);
}

/** The combined effect of all faults on one request, in milliseconds. */
interface Mishap {
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

/** The number of requests that match a fault, and of its occurrences. */
interface FaultCount {
  readonly met: number;
  readonly struck: number;
}

function concerns(
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

/**
 * Whether the fault occurs for a matching request. `count`: of the earlier ones. `chance`: a random number from 0 to 1.
 */
function strikes({ probability = 1, at, times }: Fault, { met, struck }: FaultCount, chance: number): boolean {
  if (times !== undefined && struck >= times) return false;
  if (at !== undefined && !at.includes(met + 1)) return false;
  return chance < probability;
}

/** Combines the faults that occur; the first refusal counts. `chance`: random numbers from 0 to 1, for the jitter. */
function together(faults: readonly Fault[], chance: () => number): Mishap {
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

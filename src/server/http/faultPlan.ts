import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { seeded } from '../../base/seeded.ts';
import { type Fault, type Faults, noFaults } from './fault.ts';
import type { ApiReply, RequestHead } from './message.ts';

const maxReplies = 1000;

interface RecordedReply {
  readonly reply: ApiReply;
  readonly atMs: number;
}

/** The planned faults and their occurrences. Random numbers are drawn in the order in which requests arrive. */
export class FaultPlan {
  #faults: Faults = noFaults;
  #source: JsonObject = { faults: [] };
  #counts: FaultCount[] = [];
  #random = seeded('');
  readonly #replies = new Map<string, RecordedReply>();

  /** Sets the faults and resets the counters. `source`: the faults as they were sent. */
  set(faults: Faults, source: JsonObject): void {
    this.#faults = faults;
    this.#source = source;
    this.#counts = faults.faults.map(() => ({ matched: 0, occurred: 0 }));
    this.#random = seeded(faults.seed);
    this.#replies.clear();
  }

  /** Whether there are no faults. */
  get isEmpty(): boolean {
    return this.#faults.faults.length === 0;
  }

  toJson(): JsonObject {
    return {
      ...this.#source,
      counts: this.#counts.map(({ matched, occurred }) => ({ met: matched, struck: occurred })),
    };
  }

  /** Returns undefined if there is no fault. Local-only endpoints never have one. */
  draw(head: RequestHead): FaultEffect | undefined {
    const { faults } = this.#faults;
    if (faults.length === 0 || head.segments[0]?.startsWith('-') === true) return undefined;
    const occurring = faults.filter((fault, index) => {
      if (!matchesFault(fault, head)) return false;
      const count = this.#counts[index] ?? { matched: 0, occurred: 0 };
      const isOccurring = occurs(fault, count, this.#random());
      this.#counts[index] = { matched: count.matched + 1, occurred: count.occurred + (isOccurring ? 1 : 0) };
      return isOccurring;
    });
    return occurring.length === 0 ? undefined : combinedEffect(occurring, this.#random);
  }

  /** An earlier response to the same request, at most this old. `body`: that of the request. */
  staleReply(head: RequestHead, body: string, staleMs: number, nowMs: number): ApiReply | undefined {
    if (staleMs === 0 || !isRead(head)) return undefined;
    const known = this.#replies.get(keyOf(head, body));
    return known !== undefined && nowMs - known.atMs <= staleMs ? known.reply : undefined;
  }

  /** Whether the response must be recorded: only for reads, while a fault serves stale responses. */
  shouldRecord(head: RequestHead): boolean {
    return isRead(head) && this.#faults.faults.some(({ staleMs }) => staleMs !== undefined);
  }

  record(head: RequestHead, body: string, reply: ApiReply, nowMs: number): void {
    const key = keyOf(head, body);
    this.#replies.delete(key);
    this.#replies.set(key, { reply, atMs: nowMs });
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > maxReplies && oldest !== undefined) this.#replies.delete(oldest);
  }
}

function isRead({ method, segments }: RequestHead): boolean {
  return method === 'GET' || (method === 'POST' && segments.at(-1) === '-query');
}

function keyOf({ path, query, authorization = '' }: RequestHead, body: string): string {
  return JSON.stringify([authorization, path, query.toString(), body]);
}

/** The combined effect of all faults on one request, in milliseconds. */
interface FaultEffect {
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
  readonly matched: number;
  readonly occurred: number;
}

function matchesFault(
  { method, path }: Fault,
  request: { readonly method: string; readonly segments: readonly string[] },
): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (path === undefined) return true;
  const open = path.at(-1) === '**';
  const fixed = open ? path.slice(0, -1) : path;
  if (open ? request.segments.length < fixed.length : request.segments.length !== fixed.length) return false;
  return fixed.every((part, index) => part === '*' || part === request.segments[index]);
}

/**
 * Whether the fault occurs for a matching request. `count`: of the earlier ones. `random`: a random number from 0 to 1.
 */
function occurs({ probability = 1, at, times }: Fault, { matched, occurred }: FaultCount, random: number): boolean {
  if (times !== undefined && occurred >= times) return false;
  if (at !== undefined && !at.includes(matched + 1)) return false;
  return random < probability;
}

/** Combines the faults that occur; the first refusal counts. `random`: random numbers from 0 to 1, for the jitter. */
function combinedEffect(faults: readonly Fault[], random: () => number): FaultEffect {
  const refusing = faults.find(({ status }) => status !== undefined);
  return {
    delayMs: faults.reduce(
      (sum, { latencyMs, jitterMs }) => sum + latencyMs + (jitterMs > 0 ? jitterMs * random() : 0),
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

function refusalOf({ status = 503, message, retryAfterSeconds }: Fault): NonNullable<FaultEffect['refusal']> {
  const text = message ?? (status === 429 ? 'too many requests' : 'injected fault');
  return { status, message: text, ...present({ retryAfterSeconds }) };
}

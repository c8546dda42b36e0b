import type { JsonObject } from '../../base/json/json.ts';
import { concerns, type FaultCount, type Mishap, strikes, together } from './faults/drawn.ts';
import { type Faults, noFaults } from './faults/fault.ts';
import { seeded } from './faults/seeded.ts';
import type { ApiReply, RequestHead } from './message.ts';

const mostReplies = 1000;

interface Remembered {
  readonly reply: ApiReply;
  readonly atMs: number;
}

/** The planned faults, and those that have occurred. Requests are drawn in the order in which they arrive. */
export class FaultPlan {
  #faults: Faults = noFaults;
  #source: JsonObject = { faults: [] };
  #counts: FaultCount[] = [];
  #chance = seeded('');
  readonly #replies = new Map<string, Remembered>();

  /** `source`: the faults as they were sent. Resets the counters. */
  set(faults: Faults, source: JsonObject): void {
    this.#faults = faults;
    this.#source = source;
    this.#counts = faults.faults.map(() => ({ met: 0, struck: 0 }));
    this.#chance = seeded(faults.seed);
    this.#replies.clear();
  }

  /** A plan without faults. */
  get isEmpty(): boolean {
    return this.#faults.faults.length === 0;
  }

  shown(): JsonObject {
    return { ...this.#source, counts: this.#counts.map(({ met, struck }) => ({ met, struck })) };
  }

  /** Undefined: no fault. Local-only endpoints never have one. */
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

  /** An earlier answer to the same request, at most this old. `asked`: its body. */
  stale(head: RequestHead, asked: string, staleMs: number, nowMs: number): ApiReply | undefined {
    if (staleMs === 0 || !reads(head)) return undefined;
    const known = this.#replies.get(keyOf(head, asked));
    return known !== undefined && nowMs - known.atMs <= staleMs ? known.reply : undefined;
  }

  /** Must its answer be recorded? Only for reads, while there are faults that serve stale answers. */
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

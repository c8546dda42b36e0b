import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../base/json/json.ts';
import { ApiFailure } from '../apiFailure.ts';
import { CutConnection } from '../cutConnection.ts';
import type { FaultPlan } from '../faultPlan.ts';
import type { Handle, ReadBody, RequestHead } from '../message.ts';
import { parseObject } from '../readBody.ts';

/** Answers like `handle`, with the planned faults. `now`: milliseconds, only for differences. */
export function withFaults(plan: FaultPlan, handle: Handle, now: () => number): Handle {
  return async (head, readBody) => {
    if (plan.isEmpty) return handle(head, readBody);
    const mishap = plan.draw(head);
    if (mishap === undefined) return remembered(plan, handle, now)(head, readBody);
    if (mishap.delayMs > 0) await sleep(mishap.delayMs);
    if (mishap.reset) throw new CutConnection();
    if (mishap.refusal !== undefined) {
      const { status, message, retryAfterSeconds } = mishap.refusal;
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      throw new ApiFailure(status, message, { headers });
    }
    const asked = await askedIn(plan, head, readBody);
    const stale = plan.stale(head, asked.text, mishap.staleMs, now());
    if (stale !== undefined) return stale;
    const { slowDeletionMs, ignorePrecondition } = mishap;
    const slowed = slowDeletionMs === undefined ? head : { ...head, deletionDelayMs: slowDeletionMs };
    const blind = ignorePrecondition ? ignoringPreconditions(handle) : handle;
    const reply = remembered(plan, blind, now)(slowed, asked.again);
    if (!mishap.drop) return reply;
    await reply;
    throw new CutConnection();
  };
}

function remembered(plan: FaultPlan, handle: Handle, now: () => number): Handle {
  return async (head, readBody) => {
    const asked = await askedIn(plan, head, readBody);
    const reply = await handle(head, asked.again);
    if (plan.keeps(head) && reply.pieces === undefined) plan.remember(head, asked.text, reply, now());
    return reply;
  };
}

interface Asked {
  readonly text: string;
  readonly again: ReadBody;
}

/** The body of a query whose answer is recorded; no other body is read here. */
async function askedIn(plan: FaultPlan, head: RequestHead, readBody: ReadBody): Promise<Asked> {
  if (head.method !== 'POST' || !plan.keeps(head)) return { text: '', again: readBody };
  const text = await readBody();
  return { text, again: () => Promise.resolve(text) };
}

/** Behaves like an installation that accepts a PATCH for any version, and does not advertise preconditions. */
function ignoringPreconditions(handle: Handle): Handle {
  return async (head, readBody) => {
    const reply = await handle(head, async (mostBytes) => {
      const text = await readBody(mostBytes);
      return head.method === 'PATCH' ? JSON.stringify(without(parseObject(text), 'id', 'version')) : text;
    });
    if (head.path !== '/discovery') return reply;
    return { ...reply, body: JSON.stringify(without(parseObject(reply.body), 'preconditions')) };
  };
}

function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from './apiFailure.ts';
import { CutConnection } from './cutConnection.ts';
import type { FaultPlan } from './faultPlan.ts';
import type { ApiReply, Handle, ReadBody, RequestHead } from './message.ts';

/** Answers as `handle` does, but for what is to go wrong. `now`: milliseconds, only for differences. */
export function withFaults(plan: FaultPlan, handle: Handle, now: () => number): Handle {
  return async (head, readBody) => {
    const mishap = plan.draw(head);
    if (mishap === undefined) return answered(plan, handle, head, readBody, now);
    if (mishap.delayMs > 0) await sleep(mishap.delayMs);
    if (mishap.reset) throw new CutConnection();
    if (mishap.refusal !== undefined) {
      const { status, message, retryAfterSeconds } = mishap.refusal;
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      throw new ApiFailure(status, message, { headers });
    }
    const stale = plan.stale(head, mishap.staleMs, now());
    if (stale !== undefined) return stale;
    const { slowDeletionMs } = mishap;
    const asked = slowDeletionMs === undefined ? head : { ...head, deletionDelayMs: slowDeletionMs };
    const reply = answered(plan, handle, asked, readBody, now);
    if (!mishap.drop) return reply;
    await reply;
    throw new CutConnection();
  };
}

async function answered(
  plan: FaultPlan,
  handle: Handle,
  head: RequestHead,
  readBody: ReadBody,
  now: () => number,
): Promise<ApiReply> {
  const reply = await handle(head, readBody);
  plan.remember(head, reply, now());
  return reply;
}

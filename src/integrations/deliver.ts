import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs, retryAfterMs } from '../client/http/retryPolicy.ts';
import type { Hook } from './hook.ts';

export interface Delivery {
  readonly id: string;
  readonly body: string;
  /** For the signature. */
  readonly secret: string | undefined;
  readonly bounds?: DeliveryBounds;
}

/** How long a command waits for all of its hooks together. */
export interface DeliveryBounds {
  readonly attempts: number;
  readonly attemptMs: number;
  readonly totalMs: number;
}

const usualBounds: DeliveryBounds = { attempts: 4, attemptMs: 4_000, totalMs: 10_000 };

type Attempt =
  | { readonly is: 'delivered' }
  | {
      readonly is: 'failed';
      readonly why: string;
      readonly again: boolean;
      readonly isRefused?: boolean;
      readonly waitMs?: number | undefined;
    };

/** Why something was not delivered, without the URL. `isRefused`: it would be refused later too. */
export interface Undelivered {
  readonly why: string;
  readonly isRefused: boolean;
}

/** Posts a notification. Undefined if it was delivered. Never throws or follows a redirect. */
export async function deliver(
  hook: Hook,
  { id, body, secret, bounds = usualBounds }: Delivery,
): Promise<Undelivered | undefined> {
  const endMs = performance.now() + bounds.totalMs;
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = endMs - performance.now();
    const outcome = await post(hook, { id, body, secret }, Math.min(bounds.attemptMs, leftMs));
    if (outcome.is === 'delivered') return undefined;
    const pauseMs = backOffMs(attempt, Math.random(), outcome.waitMs);
    const isLast = !outcome.again || attempt === bounds.attempts || performance.now() + pauseMs >= endMs;
    const { why, isRefused = false } = outcome;
    if (isLast) return { why: attempt === 1 ? why : `${why}, after ${attempt} attempts`, isRefused };
    await sleep(pauseMs);
  }
}

async function post(
  { url }: Hook,
  { id, body, secret }: Omit<Delivery, 'bounds'>,
  timeoutMs: number,
): Promise<Attempt> {
  const timestamp = Math.floor(Date.now() / 1000);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual', // the body and its signature are for this host
      headers: {
        'content-type': 'application/json',
        'user-agent': 'gantry',
        ...webhookHeaders({ id, timestamp, body }, secret),
      },
      body,
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))),
    });
    await response.body?.cancel();
    return judge(response);
  } catch (error) {
    return { is: 'failed', why: reasonOf(error), again: true };
  }
}

/** Answers that concern the content, not the sender or the URL. */
const ofContent: ReadonlySet<number> = new Set([400, 413, 415, 422]);

function judge({ status, ok, headers }: Response): Attempt {
  if (ok) return { is: 'delivered' };
  if (status >= 300 && status < 400) {
    return { is: 'failed', why: `it redirects (${status}), which is not followed`, again: false };
  }
  const again = status === 429 || status === 408 || status >= 500;
  const waitMs = retryAfterMs(headers.get('retry-after') ?? undefined, headers.get('date') ?? undefined);
  return { is: 'failed', why: `it answered ${status}`, again, isRefused: ofContent.has(status), waitMs };
}

/** Messages of the system may contain the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z_]{3,40}$/.test(code) ? `it cannot be reached (${code})` : 'it cannot be reached';
}

interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number | string;
  readonly body: string | Uint8Array;
}

/** The headers of Standard Webhooks 1.0.0 (standardwebhooks.com). Without a secret there is no signature. */
export function webhookHeaders(signed: Signed, secret: string | undefined) {
  const { id, timestamp } = signed;
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) };
  return secret === undefined ? headers : { ...headers, 'webhook-signature': webhookSignature(signed, secret) };
}

/** HMAC-SHA256 over `id.timestamp.body`. The key is the base64 after `whsec_`, otherwise the bytes of the text. */
export function webhookSignature({ id, timestamp, body }: Signed, secret: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { webhookSignature } from '../../integrations/deliver.ts';
import type { webhookForms } from '../model.ts';

/** The secrets themselves, by the form of webhooks that they are for. */
export type Secrets = Readonly<Record<(typeof webhookForms)[number], readonly string[]>>;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Verified =
  /** Nothing is said of why: who has no secret learns nothing. */
  | { readonly is: 'refused' }
  /** `id`: the same of one that is sent again, so that it can be taken once; until `endMs` a repetition counts. */
  | { readonly is: 'genuine'; readonly id: string; readonly endMs: number };

/** How far the clock of a sender may be off, and how old a message may be. */
const toleranceMs = 5 * 60_000;
/** Forges without a time in what they sign: how long a repetition is found. */
const rememberMs = 24 * 60 * 60_000;

/**
 * Who sent it knows a secret: by the signature of GitHub, by that of Standard Webhooks (which GitLab sends too, where its
 * hook has a signing token), or by the token of GitLab. One proof is enough, and only those headers count whose form has
 * a secret. `nowMs`: milliseconds since 1970.
 */
export function verifyWebhook(headers: Headers, body: Uint8Array, secrets: Secrets, nowMs: number): Verified {
  const [signature, token] = [one(headers, 'x-hub-signature-256'), one(headers, 'x-gitlab-token')];
  const remembered = (id: string): Verified => ({ is: 'genuine', id, endMs: nowMs + rememberMs });
  if (signature !== undefined) {
    const isGenuine = secrets.github.some((secret) =>
      isEqual(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
    );
    // Its id is not signed: the signature is what cannot be changed.
    return isGenuine ? remembered(`github ${signature}`) : { is: 'refused' };
  }
  const ofStandard = standard(headers, body, [...secrets.standard, ...secrets.gitlab], nowMs);
  if (ofStandard !== undefined) return ofStandard;
  if (token !== undefined && secrets.gitlab.some((secret) => isEqual(token, secret))) {
    return remembered(`gitlab ${one(headers, 'x-gitlab-event-uuid') ?? ''} ${digest(body)}`);
  }
  return { is: 'refused' };
}

/** Of Standard Webhooks, where several signatures may stand with spaces between. Undefined: there is none. */
function standard(headers: Headers, body: Uint8Array, secrets: readonly string[], nowMs: number): Verified | undefined {
  const given = one(headers, 'webhook-signature');
  if (given === undefined) return undefined;
  const [id, timestamp] = [one(headers, 'webhook-id'), one(headers, 'webhook-timestamp')];
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return { is: 'refused' };
  const sentMs = Number(timestamp) * 1_000;
  const proofs = secrets.map((secret) => webhookSignature({ id, timestamp, body }, secret));
  const isGenuine = given
    .split(' ')
    .slice(0, mostSignatures)
    .some((each) => proofs.some((proof) => isEqual(each, proof)));
  if (!isGenuine || Math.abs(nowMs - sentMs) > toleranceMs) return { is: 'refused' };
  return { is: 'genuine', id: `standard ${id}`, endMs: sentMs + toleranceMs };
}

const mostSignatures = 10;

function digest(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Takes as long for every text of this length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(expected)));
}

/** A header that is there several times proves nothing. */
function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

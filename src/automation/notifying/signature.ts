import { createHmac } from 'node:crypto';

export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0 (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, with the key in
 * base64 behind `whsec_`, or else the bytes of the text. Without a secret there is no signature.
 */
export function webhookHeaders({ id, timestamp, body }: Signed, secret: string | undefined) {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) };
  if (secret === undefined) return headers;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${mac}` };
}

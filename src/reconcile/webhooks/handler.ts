import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/parseJsonText.ts';
import { type ReconcileConfig, type WebhookSecrets, webhookForms } from '../model.ts';
import { type Concerned, concernedBy, readMessage } from './message.ts';
import { type Secrets, verifyWebhook } from './verify.ts';

/** Which webhooks were taken: one that comes again is not. In a store of all workers, or of this process. */
interface SeenWebhooks {
  /** True: it is new, and counts as seen until `endMs`. */
  add(id: string, endMs: number, nowMs: number): Promise<boolean>;
  /** It could not be taken after all. */
  forget(id: string): Promise<void>;
}

/** So that nobody who has a secret fills the memory: the oldest are forgotten. */
const most = 10_000;

/** Of this process alone: a repetition at another worker makes it look once more, and no more than that. */
class SeenHere implements SeenWebhooks {
  readonly #ends = new Map<string, number>();

  async add(id: string, endMs: number, nowMs: number): Promise<boolean> {
    const end = this.#ends.get(id);
    if (end !== undefined && end >= nowMs) return false;
    this.#ends.delete(id);
    this.#ends.set(id, endMs);
    for (const [oldest] of this.#ends) {
      if (this.#ends.size <= most) break;
      this.#ends.delete(oldest);
    }
    return true;
  }

  async forget(id: string): Promise<void> {
    this.#ends.delete(id);
  }
}

export interface WebhookOptions {
  /** As it was read last. */
  readonly config: () => Pick<ReconcileConfig, 'stacks' | 'followed' | 'webhooks'>;
  /** Reads the secrets; each time, so that a new one counts at once. Errors: `reconcile.secret`. */
  readonly secrets: (references: WebhookSecrets) => Promise<Secrets>;
  /** They run as soon as a worker is free. */
  readonly now: (concerned: Concerned) => Promise<void>;
  readonly seen?: SeenWebhooks;
  /** Milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** GitHub sends 25 MB at most. */
const mostBytes = 25 * 1024 * 1024;
/** Of all that are read at the same time. */
const mostTogether = 64 * 1024 * 1024;
const bodyMs = 30_000;

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Takes the webhooks of forges, for whatever path it is mounted at. Who has no secret gets 401 and nothing else; a body that
 * is too large is cut off before it is read. What is taken only makes workers look: what they find decides. Errors: those of
 * `secrets` and of `now`, for the log; the sender has an answer then.
 */
export function webhookHandler({
  config,
  secrets,
  now,
  seen = new SeenHere(),
  nowMs = Date.now,
}: WebhookOptions): WebhookHandler {
  let together = 0;
  return async (request, response) => {
    const answer = (status: number, body: JsonObject, more: Readonly<Record<string, string>> = {}) => {
      if (!request.complete) more = { ...more, connection: 'close' }; // the rest of it is not read
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
    };
    if (request.method !== 'POST') return answer(405, { error: 'send it by POST' }, { allow: 'POST' });
    const { headers } = request;
    if (Number(headers['content-length'] ?? 0) > mostBytes) return answer(413, { error: 'the body is too large' });
    const known = config();
    const { webhooks } = known;
    if (webhookForms.every((form) => webhooks[form].length === 0))
      return answer(404, { error: 'no webhooks are taken here' });
    if (!proofs.some((name) => headers[name] !== undefined)) return answer(401, refusal);
    let length = 0;
    const take = (bytes: number) => {
      length += bytes;
      together += bytes;
      return length <= mostBytes && together <= mostTogether;
    };
    try {
      const body = await readBody(request, take);
      if (body === undefined) {
        if (length > mostBytes) return answer(413, { error: 'the body is too large' });
        return answer(503, { error: 'too much at once, or too slow' }, { 'retry-after': '10' });
      }
      const atMs = nowMs();
      const keys = await secrets(webhooks).catch((error: unknown) => {
        answer(500, { error: 'the secrets cannot be read' });
        throw error;
      });
      const verified = verifyWebhook(headers, body, keys, atMs);
      if (verified.is === 'refused') return answer(401, refusal);
      if (!(await seen.add(verified.id, verified.endMs, atMs))) return answer(200, { stacks: 0, repeated: true });
      const concerned = concernedBy(readMessage(headers, contentOf(headers['content-type'], body)), known);
      if (concerned.stacks.length > 0 || concerned.config) {
        await now(concerned).catch(async (error: unknown) => {
          await seen.forget(verified.id); // it may be sent again
          answer(503, { error: 'it cannot be taken now' }, { 'retry-after': '10' });
          throw error;
        });
      }
      answer(202, { stacks: concerned.stacks.length });
    } finally {
      together -= length;
    }
  };
}

const refusal = { error: 'not signed by a known secret' };
const proofs = ['x-hub-signature-256', 'x-gitlab-token', 'webhook-signature'];

/** Undefined: it is more than may be taken, or was not there in time. */
async function readBody(request: IncomingMessage, take: (bytes: number) => boolean): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  const deadline = setTimeout(() => request.destroy(), bodyMs);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (!take(chunk.length)) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch {
    return undefined; // the sender has gone, or was too slow
  } finally {
    clearTimeout(deadline);
  }
}

/** GitHub also sends forms, with the document in `payload`. What is no document says nothing. */
function contentOf(type: string | undefined, body: Buffer) {
  const text = body.toString('utf8');
  const isForm = type?.startsWith('application/x-www-form-urlencoded') === true;
  const parsed = parseJsonText(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  return isObject(parsed) ? parsed : {};
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/jsonText.ts';
import { webhookSignature } from '../../integrations/deliver.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { type ReconcileConfig, type WebhookSecrets, webhookForms } from '../model.ts';
import { readBody } from '../requestBody.ts';
import { parseGitAddress } from '../sources/gitAddress.ts';

/** So that nobody who has a secret fills the memory: the oldest are forgotten. */
const most = 10_000;

/**
 * The webhooks that this process has taken: one that comes again is not. A repetition at another worker makes that look
 * once more, and no more than that.
 */
class Seen {
  readonly #ends = new Map<string, number>();

  /** True: it is new, and counts as seen until `endMs`. */
  add(id: string, endMs: number, nowMs: number): boolean {
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

  /** It could not be taken after all. */
  forget(id: string): void {
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
  /** Milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** GitHub sends 25 MB at most. */
const mostBytes = 25 * 1024 * 1024;
/** Of all that are read at the same time. */
const mostTogether = 64 * 1024 * 1024;

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Takes the webhooks of forges, for whatever path it is mounted at. Who has no secret gets 401 and nothing else; a body that
 * is too large is cut off before it is read. What is taken only makes workers look: what they find decides. Errors: those of
 * `secrets` and of `now`, for the log; the sender has an answer then.
 */
export function webhookHandler({ config, secrets, now, nowMs = Date.now }: WebhookOptions): WebhookHandler {
  const seen = new Seen();
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
      if (!seen.add(verified.id, verified.endMs, atMs)) return answer(200, { stacks: 0, repeated: true });
      const concerned = concernedBy(pushOf(headers, contentOf(headers['content-type'], body)), known);
      if (concerned.stacks.length > 0 || concerned.config) {
        await now(concerned).catch((error: unknown) => {
          seen.forget(verified.id); // it may be sent again
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

/** GitHub also sends forms, with the document in `payload`. What is no document says nothing. */
function contentOf(type: string | undefined, body: Buffer): JsonObject {
  const text = body.toString('utf8');
  const isForm = type?.startsWith('application/x-www-form-urlencoded') === true;
  const parsed = parseJsonText(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  return isObject(parsed) ? parsed : {};
}

/** Something was pushed. */
interface Push {
  /** The repository by each of its addresses. */
  readonly repositories: ReadonlySet<string>;
  readonly ref: string;
}

/** The members of a repository that are addresses, of GitHub, GitLab, Gitea and of `{url}` of anybody's own. */
const addresses = [
  ...['clone_url', 'ssh_url', 'git_url', 'html_url'],
  ...['git_http_url', 'git_ssh_url', 'http_url_to_repo', 'ssh_url_to_repo', 'web_url', 'url'],
];

/** A commit that is none: the branch was deleted. */
const none = /^0+$/;

/**
 * A push as GitHub, GitLab (branches and tags) and Gitea send it, or `{type: 'push', data: {url, ref}}` of Standard
 * Webhooks. Undefined: it is of no concern, such as a ping, a comment, or the deletion of a branch.
 */
function pushOf(headers: Headers, body: JsonObject): Push | undefined {
  const event = headers['x-github-event'] ?? headers['x-gitea-event'];
  const kind = stringAt(body, 'object_kind') ?? stringAt(body, 'type') ?? event;
  if (kind !== 'push' && kind !== 'tag_push') return undefined;
  const content = { ...body, ...objectAt(body, 'data') };
  const ref = stringAt(content, 'ref');
  const isDeleted = content['deleted'] === true || none.test(stringAt(content, 'after') ?? '1');
  if (ref === undefined || isDeleted) return undefined;
  const named = [content, objectAt(content, 'repository'), objectAt(content, 'project')];
  return { repositories: new Set(named.flatMap(repositoriesIn)), ref };
}

function repositoriesIn(object: JsonObject): readonly string[] {
  return addresses.flatMap((key) => {
    const text = stringAt(object, key);
    const address = text === undefined ? { why: '' } : parseGitAddress(text.replace(/^git:/, 'https:'));
    return 'why' in address ? [] : [address.repository];
  });
}

/** Whom it concerns: stacks by name, and whether the list of stacks itself was pushed. */
export interface Concerned {
  readonly stacks: readonly string[];
  readonly config: boolean;
}

function concernedBy(
  push: Push | undefined,
  { stacks, followed }: Pick<ReconcileConfig, 'stacks' | 'followed'>,
): Concerned {
  if (push === undefined) return { stacks: [], config: false };
  const { repositories, ref } = push;
  const isMeant = (source: { readonly repository: string; readonly ref: string }) =>
    repositories.has(source.repository) && (source.ref === ref || source.ref === 'HEAD');
  return {
    stacks: stacks.flatMap(({ name, source }) => (source.kind === 'git' && isMeant(source) ? [name] : [])),
    config: followed !== undefined && isMeant(followed),
  };
}

/** The secrets themselves, by the form of webhooks that they are for. */
export type Secrets = Readonly<Record<(typeof webhookForms)[number], readonly string[]>>;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

type Verified =
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
    return remembered(`gitlab ${one(headers, 'x-gitlab-event-uuid') ?? ''} ${sha256(body)}`);
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

/** Takes as long for every text of this length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}

/** A header that is there several times proves nothing. */
function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

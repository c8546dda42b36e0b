import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/jsonText.ts';
import { compact } from '../../base/json/present.ts';
import { webhookSignature } from '../../integrations/deliver.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { type ReconcileConfig, type WebhookSecrets, webhookForms } from '../model.ts';
import { readBody } from '../requestBody.ts';
import { parseGitAddress } from '../sources/gitAddress.ts';

/** Limit for the memory that a caller with a secret can use: the oldest entries are dropped. */
const mostSeen = 10_000;

/**
 * The webhooks that this process has accepted, to recognise repetitions. A repetition at another worker only makes that
 * check once more.
 */
class SeenWebhooks {
  readonly #ends = new Map<string, number>();

  /** Returns true if it is new; it counts as seen until `endMs`. */
  add(id: string, endMs: number, nowMs: number): boolean {
    const end = this.#ends.get(id);
    if (end !== undefined && end >= nowMs) return false;
    this.#ends.delete(id);
    this.#ends.set(id, endMs);
    for (const [oldest] of this.#ends) {
      if (this.#ends.size <= mostSeen) break;
      this.#ends.delete(oldest);
    }
    return true;
  }

  /** Forgets a webhook that could not be processed. */
  forget(id: string): void {
    this.#ends.delete(id);
  }
}

export interface WebhookOptions {
  /** The configuration from the last read. */
  readonly config: () => Pick<ReconcileConfig, 'stacks' | 'followed' | 'webhooks'>;
  /** Reads the secrets each time, so that a new one is valid immediately. Errors: `reconcile.secret`. */
  readonly secrets: (references: WebhookSecrets) => Promise<Secrets>;
  /** Runs these stacks as soon as a worker is free. */
  readonly now: (concerned: PushTargets) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** GitHub sends 25 MB at most. */
const mostBytes = 25 * 1024 * 1024;
/** Limit of all bodies read concurrently. */
const mostBytesInProgress = 64 * 1024 * 1024;

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Accepts the webhooks of forges on any path. A sender without a secret only gets 401; a body that is too large is cut
 * off before it is read. An accepted webhook only triggers a check by workers. Errors: those of `secrets` and `now`,
 * for the log; the sender has got a response then.
 */
export function webhookHandler({ config, secrets, now, nowMs = Date.now }: WebhookOptions): WebhookHandler {
  const seen = new SeenWebhooks();
  let bytesInProgress = 0;
  return async (request, response) => {
    const answer = (status: number, body: JsonObject, more: Readonly<Record<string, string>> = {}) => {
      if (!request.complete) more = { ...more, connection: 'close' }; // the rest is not read
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
    };
    if (request.method !== 'POST') return answer(405, { error: 'send it by POST' }, { allow: 'POST' });
    const { headers } = request;
    if (Number(headers['content-length'] ?? 0) > mostBytes) return answer(413, { error: 'the body is too large' });
    const currentConfig = config();
    const { webhooks } = currentConfig;
    if (webhookForms.every((form) => webhooks[form].length === 0))
      return answer(404, { error: 'no webhooks are taken here' });
    if (!proofHeaders.some((name) => headers[name] !== undefined)) return answer(401, refusal);
    let length = 0;
    const mayTakeMore = (bytes: number) => {
      length += bytes;
      bytesInProgress += bytes;
      return length <= mostBytes && bytesInProgress <= mostBytesInProgress;
    };
    try {
      const body = await readBody(request, mayTakeMore);
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
      const targets = targetsOfPush(pushOf(headers, contentOf(headers['content-type'], body)), currentConfig);
      if (targets.stacks.length > 0 || targets.config) {
        await now(targets).catch((error: unknown) => {
          seen.forget(verified.id); // allows the sender to retry
          answer(503, { error: 'it cannot be taken now' }, { 'retry-after': '10' });
          throw error;
        });
      }
      answer(202, { stacks: targets.stacks.length });
    } finally {
      bytesInProgress -= length;
    }
  };
}

const refusal = { error: 'not signed by a known secret' };
const proofHeaders = ['x-hub-signature-256', 'x-gitlab-token', 'webhook-signature'];

/** GitHub also sends forms, with the document in `payload`. Other content is treated as empty. */
function contentOf(type: string | undefined, body: Buffer): JsonObject {
  const text = body.toString('utf8');
  const isForm = type?.startsWith('application/x-www-form-urlencoded') === true;
  const parsed = parseJsonText(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  return isObject(parsed) ? parsed : {};
}

interface Push {
  /** The repository under each of its addresses. */
  readonly repositories: ReadonlySet<string>;
  readonly ref: string;
}

/** The members with addresses of a repository, for GitHub, GitLab, Gitea, and the generic `{url}`. */
const addresses = [
  ...['clone_url', 'ssh_url', 'git_url', 'html_url'],
  ...['git_http_url', 'git_ssh_url', 'http_url_to_repo', 'ssh_url_to_repo', 'web_url', 'url'],
];

/** The null commit: the branch was deleted. */
const nullCommit = /^0+$/;

/**
 * A push from GitHub, GitLab (branches and tags) or Gitea, or `{type: 'push', data: {url, ref}}` of Standard Webhooks.
 * Undefined for other events, such as a ping, a comment, or the deletion of a branch.
 */
function pushOf(headers: Headers, body: JsonObject): Push | undefined {
  const event = headers['x-github-event'] ?? headers['x-gitea-event'];
  const kind = stringAt(body, 'object_kind') ?? stringAt(body, 'type') ?? event;
  if (kind !== 'push' && kind !== 'tag_push') return undefined;
  const content = { ...body, ...objectAt(body, 'data') };
  const ref = stringAt(content, 'ref');
  const isDeleted = content['deleted'] === true || nullCommit.test(stringAt(content, 'after') ?? '1');
  if (ref === undefined || isDeleted) return undefined;
  const named = [content, objectAt(content, 'repository'), objectAt(content, 'project')];
  return { repositories: new Set(named.flatMap(repositoriesIn)), ref };
}

function repositoriesIn(object: JsonObject): readonly string[] {
  return compact(addresses, (key) => {
    const text = stringAt(object, key);
    const address = text === undefined ? { why: '' } : parseGitAddress(text.replace(/^git:/, 'https:'));
    return 'why' in address ? undefined : address.repository;
  });
}

/** The targets of a push: stacks by name, and whether the list of stacks itself was pushed. */
export interface PushTargets {
  readonly stacks: readonly string[];
  readonly config: boolean;
}

function targetsOfPush(
  push: Push | undefined,
  { stacks, followed }: Pick<ReconcileConfig, 'stacks' | 'followed'>,
): PushTargets {
  if (push === undefined) return { stacks: [], config: false };
  const { repositories, ref } = push;
  const isPushed = (source: { readonly repository: string; readonly ref: string }) =>
    repositories.has(source.repository) && (source.ref === ref || source.ref === 'HEAD');
  return {
    stacks: stacks.flatMap(({ name, source }) => (source.kind === 'git' && isPushed(source) ? [name] : [])),
    config: followed !== undefined && isPushed(followed),
  };
}

/** The secrets, by form of webhooks. */
export type Secrets = Readonly<Record<(typeof webhookForms)[number], readonly string[]>>;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

type Verified =
  /** Without a reason: a sender without a secret learns nothing. */
  | { readonly is: 'refused' }
  /** `id`: equal for repetitions, so that only one is accepted; repetitions are valid until `endMs`. */
  | { readonly is: 'genuine'; readonly id: string; readonly endMs: number };

/** Limit for the deviation of a sender's clock, and for the age of a message. */
const toleranceMs = 5 * 60_000;
/** For forges that sign no time: how long repetitions are recognised. */
const rememberMs = 24 * 60 * 60_000;

/**
 * Verifies that the sender knows a secret: by the signature of GitHub or of Standard Webhooks (which GitLab also sends,
 * if its hook has a signing token), or by the token of GitLab. One proof is enough; only headers of forms with a secret
 * count. `nowMs`: milliseconds since 1970.
 */
export function verifyWebhook(headers: Headers, body: Uint8Array, secrets: Secrets, nowMs: number): Verified {
  const [signature, token] = [headerValue(headers, 'x-hub-signature-256'), headerValue(headers, 'x-gitlab-token')];
  const remembered = (id: string): Verified => ({ is: 'genuine', id, endMs: nowMs + rememberMs });
  if (signature !== undefined) {
    const isGenuine = secrets.github.some((secret) =>
      isEqual(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
    );
    // Its id is not signed, so the signature identifies it.
    return isGenuine ? remembered(`github ${signature}`) : { is: 'refused' };
  }
  const ofStandard = standard(headers, body, [...secrets.standard, ...secrets.gitlab], nowMs);
  if (ofStandard !== undefined) return ofStandard;
  if (token !== undefined && secrets.gitlab.some((secret) => isEqual(token, secret))) {
    return remembered(`gitlab ${headerValue(headers, 'x-gitlab-event-uuid') ?? ''} ${sha256(body)}`);
  }
  return { is: 'refused' };
}

/** For Standard Webhooks, with one or more signatures separated by spaces. Undefined if there is none. */
function standard(headers: Headers, body: Uint8Array, secrets: readonly string[], nowMs: number): Verified | undefined {
  const given = headerValue(headers, 'webhook-signature');
  if (given === undefined) return undefined;
  const [id, timestamp] = [headerValue(headers, 'webhook-id'), headerValue(headers, 'webhook-timestamp')];
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

/** Whether the texts are equal, compared in constant time for texts of this length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}

/** The header, unless it is repeated, which proves nothing. */
function headerValue(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

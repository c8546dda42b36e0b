import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';

export interface ForgeApi {
  readonly name: string;
  /** Without a final slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The permission that is missing if the forge answers 401, 403 or 404. */
  readonly permissionHint: string;
}

export interface ForgeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Relative to the URL of the API. */
  readonly path: string;
  readonly body?: JsonValue;
  /** A POST that changes nothing (a GraphQL query), so that it may be retried. */
  readonly isRead?: boolean;
}

export interface ForgeReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** The headers of each request to GitHub. */
export function gitHubHeaders(token: string): ForgeApi['headers'] {
  return {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': 'gantry',
    'x-github-api-version': '2022-11-28',
  };
}

const attempts = 4;
const timeoutMs = 30_000;
const longestWaitMs = 60_000;
const firstWaitMs = 500;
/** The maximum for an archive with one plan. */
export const mostBytes = 64 * 2 ** 20;

/**
 * Sends one request. It is sent again if the forge did not accept it (rate limits, 502 to 504); a read is also retried
 * after any other 5xx, and everything except a write by POST after a lost reply. Redirects are not followed, because
 * the token is only for this host.
 *
 * Errors: `ci.forge`, except for the statuses that are `expected`.
 */
export function askForge(api: ForgeApi, request: ForgeRequest, expected: readonly number[] = []): Promise<ForgeReply> {
  const { method } = request;
  const call: Call = {
    api,
    name: `${method} ${request.path}`,
    isRead: method === 'GET' || request.isRead === true,
    isRepeatable: method !== 'POST' || request.isRead === true,
    expected,
  };
  return repeated(call, () => send(api, request));
}

interface Call extends Pick<ForgeRequest, 'isRead'> {
  readonly api: Pick<ForgeApi, 'name' | 'permissionHint'>;
  /** For messages. */
  readonly name: string;
  /** After a lost reply, when it is unknown whether the forge accepted the request. */
  readonly isRepeatable: boolean;
  readonly expected: readonly number[];
}

async function repeated(call: Call, attempt: () => Promise<ForgeReply>): Promise<ForgeReply> {
  for (let number = 1; ; number += 1) {
    const last = number === attempts;
    const reply = await attempt().catch((error: unknown) => {
      if (!last && call.isRepeatable && !(error instanceof TooLarge)) return undefined;
      throw failed(`${call.api.name} did not answer ${call.name}: ${reasonOf(error)}`, runAgain, error);
    });
    if (reply !== undefined) {
      if (reply.status < 300 || call.expected.includes(reply.status)) return reply;
      const wait = waitMs(reply.headers, number);
      const isWorthRepeating = isLimited(reply) || isUnavailable(reply.status) || (call.isRead && reply.status >= 500);
      if (last || !isWorthRepeating || wait > longestWaitMs) throw refused(call, reply);
    }
    await sleep(waitMs(reply?.headers, number));
  }
}

/** The JSON of a reply. Errors: `ci.forge`. */
export async function askForgeJson(
  api: ForgeApi,
  request: ForgeRequest,
): Promise<{ value: unknown; headers: Headers }> {
  const { bytes, headers } = await askForge(api, request);
  return { value: parseJson(bytes, `${api.name}, ${request.method} ${request.path}`), headers };
}

/** The content of a signed URL, requested without the token, which is only for the API. Errors: `ci.forge`. */
export async function download(api: ForgeApi, address: string): Promise<Uint8Array> {
  const call: Call = {
    api: { name: `the storage of ${api.name}`, permissionHint: runAgain },
    name: 'the download of an artifact',
    isRead: true,
    isRepeatable: true,
    expected: [],
  };
  const { bytes } = await repeated(call, async () => {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: response.headers, bytes: await bodyOf(response) };
  });
  return bytes;
}

async function send(api: ForgeApi, { method, path, body }: ForgeRequest): Promise<ForgeReply> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { ...api.headers, ...present({ 'content-type': body === undefined ? undefined : 'application/json' }) },
    ...present({ body: body === undefined ? undefined : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, headers: response.headers, bytes: await bodyOf(response) };
}

/** A retry would not change it. */
class TooLarge extends Error {}

async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new TooLarge(`the reply is larger than ${mostBytes / 2 ** 20} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const runAgain = 'Run the job again.';

function refused({ api, name }: Call, reply: ForgeReply): ToolError {
  const hint = isLimited(reply)
    ? 'The token has used up its requests for now. Run the job again later.'
    : [401, 403, 404].includes(reply.status)
      ? api.permissionHint
      : runAgain;
  return failed(`${api.name} answered ${reply.status} to ${name}${messageOf(reply.bytes)}`, hint);
}

/** The forge's message, on one line. */
function messageOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 2_000)).toString('utf8');
  const [, message] = /"(?:message|error)"\s*:\s*"([^"\\]{1,300})"/.exec(text) ?? [];
  return message === undefined ? '' : `: ${message}`;
}

/** GitHub also answers 403 to a rate-limited caller: with a time to wait, or with no requests remaining. */
function isLimited({ status, headers }: ForgeReply): boolean {
  if (status === 429) return true;
  return status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0');
}

function isUnavailable(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** The wait that the forge requests; the end of a limit is compared with its own clock. */
function waitMs(headers: Headers | undefined, attempt: number): number {
  const retryAfter = Number(headers?.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(retryAfter) && retryAfter >= 0) return retryAfter * 1_000;
  const isUsedUp = headers?.get('x-ratelimit-remaining') === '0';
  const leftMs =
    Number(headers?.get('x-ratelimit-reset') ?? Number.NaN) * 1_000 - Date.parse(headers?.get('date') ?? '');
  return isUsedUp && leftMs > 0 ? leftMs : firstWaitMs * 2 ** (attempt - 1);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no reply within ${timeoutMs / 1_000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function failed(message: string, hint: string, cause?: unknown): ToolError {
  return new ToolError({ code: 'ci.forge', message, hint, cause });
}

/** Errors: `ci.forge`, if the reply is not JSON (a proxy's page). */
function parseJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw unexpectedReply(`${what}: the reply is not JSON`, error);
  }
}

export function objectIn(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value;
  throw unexpectedReply(`${what}: the reply is not an object`);
}

export function objectsIn(value: unknown, what: string): readonly JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw unexpectedReply(`${what}: the reply is not a list of objects`);
}

export function unexpectedReply(message: string, cause?: unknown): ToolError {
  return new ToolError({
    code: 'ci.forge',
    message,
    hint: 'Does the address of the API lead to the forge, or to a proxy?',
    cause,
  });
}

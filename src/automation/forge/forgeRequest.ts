import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../errors/toolError.ts';
import type { JsonValue } from '../../schema/json/json.ts';
import { parseJson } from './parseReply.ts';

export interface ForgeApi {
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is missing where the forge answers 401, 403 or 404. */
  readonly permissionHint: string;
}

export interface ForgeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** From the address of the API. */
  readonly path: string;
  readonly body?: JsonValue;
}

export interface ForgeReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const attempts = 4;
const timeoutMs = 30_000;
const longestWaitMs = 30_000;
const firstWaitMs = 500;
/** An archive with one plan. */
const mostBytes = 64 * 2 ** 20;

/**
 * Sends one request. What the forge did not take (429, 502 to 504) is sent again; after a lost reply only what may be
 * repeated is. A redirect is not followed: the token belongs to this host. Errors: `ci.forge`, but for the statuses that are
 * `expected`.
 */
export async function askForge(
  api: ForgeApi,
  request: ForgeRequest,
  expected: readonly number[] = [],
): Promise<ForgeReply> {
  const name = `${request.method} ${request.path}`;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === attempts;
    const answered = await send(api, request).catch((error: unknown) => {
      if (!last && request.method !== 'POST') return undefined;
      throw failed(`${api.name} did not answer ${name}: ${reasonOf(error)}`, 'Run the job again.', error);
    });
    if (answered !== undefined && expected.includes(answered.status)) return answered;
    if (answered !== undefined && !(isBusy(answered.status) && !last)) return accepted(api, name, answered);
    await sleep(waitMs(answered?.headers, attempt));
  }
}

/** Of a reply with JSON. Errors: `ci.forge`. */
export async function askForgeJson(
  api: ForgeApi,
  request: ForgeRequest,
): Promise<{ value: unknown; headers: Headers }> {
  const { bytes, headers } = await askForge(api, request);
  return { value: parseJson(bytes, `${api.name}, ${request.method} ${request.path}`), headers };
}

/** What a signed address holds: without the token, which is for the API only. */
export async function download(forge: string, address: string): Promise<Uint8Array> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await bodyOf(response);
  } catch (error) {
    throw failed(`an artifact could not be downloaded from ${forge}: ${reasonOf(error)}`, 'Run the job again.', error);
  }
}

async function send(api: ForgeApi, { method, path, body }: ForgeRequest): Promise<ForgeReply> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { ...api.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, headers: response.headers, bytes: await bodyOf(response) };
}

async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new Error(`the reply is larger than ${mostBytes / 2 ** 20} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function accepted(api: ForgeApi, name: string, reply: ForgeReply): ForgeReply {
  if (reply.status < 300) return reply;
  const hint = [401, 403, 404].includes(reply.status) ? api.permissionHint : 'Run the job again.';
  throw failed(`${api.name} answered ${reply.status} to ${name}${messageOf(reply.bytes)}`, hint);
}

/** What the forge says of it, on one line. */
function messageOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 2_000)).toString('utf8');
  const [, message] = /"(?:message|error)"\s*:\s*"([^"\\]{1,300})"/.exec(text) ?? [];
  return message === undefined ? '' : `: ${message}`;
}

function isBusy(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504);
}

function waitMs(headers: Headers | undefined, attempt: number): number {
  const retryAfter = Number(headers?.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(retryAfter) && retryAfter >= 0) return Math.min(retryAfter * 1_000, longestWaitMs);
  return firstWaitMs * 2 ** (attempt - 1);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no reply within ${timeoutMs / 1_000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function failed(message: string, hint: string, cause?: unknown): ToolError {
  return new ToolError({ code: 'ci.forge', message, hint, cause });
}

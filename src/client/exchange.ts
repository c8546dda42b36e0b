/// <reference path="./undici.d.ts" />
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { ApiError } from './apiError.ts';
import { parseRefusal } from './refusalText.ts';
import { ToolError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../schema/json.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Request {
  readonly method: Method;
  /** Absolute, with its query; below the endpoint's own path. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Texts that must not be in a message, also where the other side repeats what it was sent. */
  readonly hidden?: readonly string[];
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON; undefined for an empty body, and for one that is no JSON. */
  readonly body: JsonValue | undefined;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

/** One request and its answer, whatever the status; rejects when there is no answer. */
export interface Exchange {
  send(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

export interface ExchangeOptions {
  /** `https://host[:port][/prefix]`. */
  readonly endpoint: string;
  readonly token: string | undefined;
  readonly connections: number;
  readonly timeoutMs: number;
}

/**
 * HTTP over a pool of connections, each with one request at a time: pipelining as undici does it by default makes
 * requests wait for each other.
 */
export function openExchange({ endpoint, token, connections, timeoutMs }: ExchangeOptions): Exchange {
  const url = parseEndpoint(endpoint);
  const prefix = url.pathname.replace(/\/+$/, '');
  const key = parseToken(token);
  const headers = requestHeaders(key);
  const secretToken = key === undefined || key.length < shortestToken ? [] : [key];
  const bodyHeaders = { ...headers, 'content-type': 'application/json' };
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    allowH2: false, // it gained nothing where it was measured, and its built-in module takes 8 ms to load
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: Math.min(timeoutMs, 10_000),
    keepAliveTimeout: 10_000,
  });

  return {
    async send({ method, path, body, hidden = [] }) {
      const answer = await request.call(pool, {
        method,
        path: prefix + path,
        headers: body === undefined ? headers : bodyHeaders,
        body: body === undefined ? null : JSON.stringify(body),
      });
      return {
        status: answer.statusCode,
        body:
          answer.statusCode < 400
            ? await parseBody(answer.body)
            : parseRefusal(await answer.body.text(), [...secretToken, ...hidden]),
        retryAfter: single(answer.headers['retry-after']),
        date: single(answer.headers['date']),
      };
    },
    close: () => pool.close(),
  };
}

async function parseBody(body: { json(): Promise<unknown> }): Promise<JsonValue | undefined> {
  try {
    return (await body.json()) as JsonValue; // whatever JSON.parse returns is a JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A shorter one is no secret, and its letters stand in every text. */
const shortestToken = 8;

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new ToolError({
    code: 'client.endpoint',
    message: 'the endpoint is not a URL that begins with http:// or https://',
    hint: 'Give it as --endpoint https://host, GANTRY_ENDPOINT, or endpoint in gantry.yaml.',
  });
}

/** The key without `Bearer `, which is put before it again. */
function parseToken(token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  const key = token.trim().replace(/^bearer\s+/i, '');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ToolError({
    code: 'client.token',
    message: 'the token holds white space or characters that a header cannot carry',
    hint: 'Copy it again: --token, GANTRY_TOKEN or gantry.yaml.',
  });
}

function requestHeaders(key: string | undefined): Readonly<Record<string, string>> {
  const common = { accept: 'application/json', 'user-agent': 'gantry' };
  return key === undefined ? common : { ...common, authorization: `Bearer ${key}` };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Failures while connecting: nothing was sent. */
const connecting: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface Failure {
  /** Anything was sent. */
  readonly sent: boolean;
  /** Repeating cannot help. */
  readonly permanent: boolean;
  /** There was no answer in time. */
  readonly silent: boolean;
}

/** What a rejected `send` says. */
export function judgeFailure(error: unknown): Failure {
  const code = errorCode(error);
  if (/CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_/.test(code)) return { sent: false, permanent: true, silent: false };
  if (/^UND_ERR_(INVALID_ARG|DESTROYED|CLOSED)$/.test(code)) return { sent: false, permanent: true, silent: false };
  return { sent: !connecting.has(code), permanent: false, silent: /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code) };
}

/** `ECONNREFUSED`, also out of the AggregateError that connecting to several addresses gives. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? errorCode(error.errors[0]) : errorCode(error.cause);
}

/** For messages: what went wrong with the connection, in a few words, without the token. */
export function connectionError(request: string, error: unknown, code: 'api.unavailable' | 'api.reply-lost'): ApiError {
  const reason = error instanceof Error ? `${errorCode(error)} ${error.message}`.trim() : String(error);
  return new ApiError({
    code,
    message:
      code === 'api.reply-lost'
        ? `${request}: the connection was lost before the answer came (${reason}); it may have been carried out`
        : `${request}: the platform cannot be reached (${reason})`,
    hint:
      code === 'api.reply-lost'
        ? 'Plan again: the new plan shows what is there.'
        : 'Check the endpoint and the network.',
    cause: error,
  });
}

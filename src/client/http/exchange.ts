/// <reference path="./undici.d.ts" />

import type { SecureContext } from 'node:tls';
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { JsonObject } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Answer } from './answer.ts';
import { ApiError, badReply } from './apiError.ts';
import { defaultBounds, type ReplyBounds, size, tooLarge, tooSlow } from './bounds.ts';
import { errorCode, isConnecting, NoAnswer, noTls } from './connectionError.ts';
import { type BufferedBytes, CutOff, readAnswer } from './readAnswer.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Request {
  readonly method: Method;
  /** Absolute, with its query; below the endpoint's own path. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Texts that must not be in a message, even if the platform repeats what it was sent. */
  readonly hidden?: readonly string[];
  /** Accepts any answer as text: an exporter returns configuration of another tool. */
  readonly takesText?: true;
  /** Sent in addition to those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request and its answer, of any status; rejects if there is no answer. */
export interface Exchange {
  send(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

export interface ExchangeOptions {
  /** `https://host[:port][/prefix]`. */
  readonly endpoint: string;
  readonly token: string | undefined;
  readonly connections: number;
  /** Until an answer begins, and between two parts of it. */
  readonly timeoutMs: number;
  readonly bounds?: ReplyBounds;
  /** Any certificate is accepted. */
  readonly insecure?: boolean | undefined;
  /** Certificates in PEM, trusted in addition to those of the system. */
  readonly authorities?: string | undefined;
}

/**
 * HTTP over a pool of connections, each with one request at a time: undici's default pipelining makes requests wait for
 * each other.
 */
export function openExchange(options: ExchangeOptions): Exchange {
  const { endpoint, token, connections, timeoutMs, bounds = defaultBounds, insecure = false, authorities } = options;
  const url = parseEndpoint(endpoint);
  let prefix = url.pathname.replace(/\/+$/, '');
  const key = parseToken(token);
  const headers = requestHeaders(key);
  const secretToken = key === undefined || key.length < shortestToken ? [] : [key];
  const bodyHeaders = { ...headers, 'content-type': 'application/json' };
  const buffered: BufferedBytes = { bytes: 0 };
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    allowH2: false, // it was not faster when measured, and its built-in module takes 8 ms to load
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: bounds.headerBytes,
    connectTimeout: Math.min(timeoutMs, 10_000),
    keepAliveTimeout: 10_000,
    ...(insecure
      ? { connect: { rejectUnauthorized: false } }
      : authorities === undefined
        ? {}
        : { connect: { secureContext: trusting(authorities) } }),
  });

  return {
    async send({ method, path, body, hidden = [], takesText = false, headers: further = {} }) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(tooSlow(bounds.exchangeMs)), bounds.exchangeMs);
      let interims = 0;
      try {
        for (let at = prefix + path, hops = 0; ; hops += 1) {
          const answer = await request.call(pool, {
            method,
            path: at,
            headers: {
              ...(body === undefined ? headers : bodyHeaders),
              ...(takesText ? { accept: '*/*' } : {}),
              ...further,
            },
            body: body === undefined ? null : JSON.stringify(body),
            signal: controller.signal,
            onInfo() {
              interims += 1;
              if (interims > bounds.interims) controller.abort(tooManyInterims(bounds.interims));
            },
          });
          const read = await readAnswer(answer, { hidden: [...secretToken, ...hidden], takesText }, bounds, buffered);
          const moved = hops < mostRedirects ? movedTo(read, method, new URL(at, url.origin), path) : undefined;
          if (moved === undefined) return read;
          at = moved.path;
          if (moved.forGood) prefix = moved.prefix ?? prefix;
        }
      } catch (error) {
        throw (
          asRefused(error, bounds) ??
          (error instanceof CutOff || error instanceof ApiError ? error : new NoAnswer(url.host, error))
        );
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.close(),
  };
}

/**
 * Made once, because it takes longer than a connection. The module is loaded on demand: with it Node reads all
 * certificates of `NODE_EXTRA_CA_CERTS`, which takes 30 ms.
 */
function trusting(authorities: string): SecureContext {
  const { createSecureContext, getCACertificates } = process.getBuiltinModule('node:tls');
  return createSecureContext({ ca: [...getCACertificates('default'), authorities] });
}

/** For one request. */
const mostRedirects = 5;

/**
 * The target of a redirect that may be followed: the same path below another one, on the same origin, because the token
 * and the body are sent there. Other redirects may lead to records of others. With a status that allows another method,
 * only a GET is repeated. `prefix`: the prefix of further requests.
 */
function movedTo(
  { status, location }: Answer,
  method: Method,
  from: URL,
  path: string,
): { readonly path: string; readonly forGood: boolean; readonly prefix?: string } | undefined {
  const keepsMethod = status === 307 || status === 308;
  const isFollowed = keepsMethod || (method === 'GET' && (status === 301 || status === 302));
  const to =
    isFollowed && location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const [asked = ''] = path.split('?');
  if (to === undefined || to.origin !== from.origin || to.href === from.href) return undefined;
  if (!to.pathname.replace(/\/$/, '').endsWith(asked)) return undefined;
  const forGood = status === 301 || status === 308;
  const prefix = to.pathname.endsWith(asked) ? { prefix: to.pathname.slice(0, -asked.length) } : {};
  return { path: to.pathname + to.search, forGood, ...prefix };
}

/** A shorter text is not a secret, and occurs in every text. */
const shortestToken = 8;

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new ToolError({
    code: 'client.endpoint',
    message: 'the endpoint is not a URL that begins with http:// or https://',
    hint: 'Set it with --endpoint https://host, GANTRY_ENDPOINT, or endpoint in gantry.yaml.',
  });
}

/** The key without `Bearer `, which is added again later. */
function parseToken(token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  const key = token.trim().replace(/^bearer\s+/i, '');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ToolError({
    code: 'client.token',
    message: 'the token contains white space or characters that are not allowed in a header',
    hint: 'Copy it again: --token, GANTRY_TOKEN or gantry.yaml.',
  });
}

function requestHeaders(key: string | undefined): Readonly<Record<string, string>> {
  const common = { accept: 'application/json', 'user-agent': 'gantry' };
  return key === undefined ? common : { ...common, authorization: `Bearer ${key}` };
}

function tooManyInterims(most: number): ApiError {
  return tooLarge('the number of interim answers (1xx)', `${most}`);
}

/** undici's error codes for answers that it rejects. */
function asRefused(error: unknown, { headerBytes }: ReplyBounds): ApiError | undefined {
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return tooLarge('the header of the answer', size(headerBytes));
  const parsing = error instanceof CutOff ? error.cause : error;
  const isOther = parsing instanceof Error && parsing.name === 'HTTPParserError';
  return isOther ? badReply(`the answer is not HTTP/1.1: ${parsing.message}`) : undefined;
}

export interface Failure {
  /** Whether anything was sent. */
  readonly sent: boolean;
  /** A retry cannot help. */
  readonly permanent: boolean;
  /** There was no answer in time. */
  readonly silent: boolean;
}

/** The error of a rejected `send`. */
export function judgeFailure(error: unknown): Failure {
  if (error instanceof ApiError && error.code === 'api.withheld')
    return { sent: false, permanent: true, silent: false };
  // A retry would exceed the limit again.
  if (error instanceof ApiError) return { sent: true, permanent: true, silent: false };
  const code = errorCode(error);
  if (noTls.test(code)) return { sent: false, permanent: true, silent: false };
  if (/^UND_ERR_(INVALID_ARG|DESTROYED|CLOSED)$/.test(code)) return { sent: false, permanent: true, silent: false };
  return { sent: !isConnecting(code), permanent: false, silent: /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code) };
}

/**
 * Called before each attempt of a request; it may wait. Its result is called when the attempt has ended. Throws
 * `Withheld` if the request must not be sent.
 */
export type Gate = (request: Pick<Request, 'method' | 'path'>) => Promise<undefined | (() => void)>;

/** A request that was not sent, and is not retried. */
export class Withheld extends ApiError {
  constructor(message: string, hint?: string) {
    super({ code: 'api.withheld', message, hint });
  }
}

/** The same exchange, through a gate. */
export function gated(exchange: Exchange, gate: Gate): Exchange {
  return {
    async send(request) {
      const end = await gate(request);
      try {
        return await exchange.send(request);
      } finally {
        end?.();
      }
    },
    close: () => exchange.close(),
  };
}

/** Whether the request can change something on the platform. Queries and dry runs are sent with POST and PUT. */
export function isWrite({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
  return method !== 'GET' && !path.split('?')[0]?.endsWith('/-query') && !path.endsWith('?dryRun=true');
}

/** Watches requests, for traces. */
export interface RequestWatch {
  /** Called when an attempt begins. `attempt` counts from 1. `server`: the address that it is sent to. */
  begin(request: Pick<Request, 'method' | 'path'>, attempt: number, server: string): WatchedRequest;
}

interface WatchedRequest {
  /** Added to the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answered: (status: number) => void;
  /** Called if there was no answer; `why` is one word. */
  readonly failed: (why: string) => void;
}

/** The same exchange, with `watch` called for each attempt. A retried request is the same object. */
export function watched(exchange: Exchange, watch: RequestWatch, server: string): Exchange {
  const attempts = new WeakMap<Request, number>();
  return {
    async send(request): Promise<Answer> {
      const attempt = (attempts.get(request) ?? 0) + 1;
      attempts.set(request, attempt);
      const { headers, answered, failed } = watch.begin(request, attempt, server);
      try {
        const answer = await exchange.send({ ...request, headers });
        answered(answer.status);
        return answer;
      } catch (error) {
        failed(judgeFailure(error).silent ? 'timeout' : 'connection');
        throw error;
      }
    },
    close: () => exchange.close(),
  };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from './apiFailure.ts';
import { CutConnection } from './cutConnection.ts';
import type { ApiReply, Handle } from './message.ts';
import { readText } from './readBody.ts';
import { answerUnreadable } from './unreadable.ts';

/** One answered request. Neither bodies nor headers: they may hold secrets. */
export interface RequestLogEntry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** 0: the connection was cut on purpose. */
  readonly status: number;
  readonly ms: number;
}

export interface ListenOptions {
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  readonly latencyMs: number;
  readonly handle: Handle;
  readonly newId: () => string;
  /** Milliseconds since 1970, for the header `Date`; Node's own where it is absent. */
  readonly now?: () => number;
  readonly onAnswered: (entry: RequestLogEntry) => void;
  /** Our own mistakes: reported here, never to the client. */
  readonly onMistake: (error: unknown, traceId: string) => void;
}

export interface Listening {
  readonly port: number;
  /** Answers what is under way, then ends. */
  close(): Promise<void>;
}

/** For requests that are under way when the server is closed. */
const graceMs = 3_000;

/** A client that is slower than this with its headers, or with all of its request, is not waited for. */
const headersTimeoutMs = 20_000;
const requestTimeoutMs = 60_000;

/** A follow-up page of a query carries the query in its address. */
const maxHeaderSize = 128 * 1024;

/** Plain HTTP. Every answer, a refusal too, has a JSON body. */
export function listen(options: ListenOptions): Promise<Listening> {
  let closing = false;
  // Without a Host header too: Node's own refusal has no body.
  const settings = {
    maxHeaderSize,
    keepAliveTimeout: 60_000,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    requireHostHeader: false,
  };
  const server = createServer(settings, (incoming, outgoing) => {
    respond(incoming, outgoing, options, () => closing).catch((error: unknown) => {
      options.onMistake(error, options.newId());
      outgoing.destroy();
    });
  });
  answerUnreadable(server, (failure) => failureBody(failure, options.newId()));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('a server without a port');
      resolve({
        port: address.port,
        close: () =>
          new Promise((closed) => {
            closing = true;
            server.close(() => closed());
            // Who keeps a connection open, or stops in the middle of a request, must not keep the server alive.
            setTimeout(() => server.closeAllConnections(), options.latencyMs + graceMs).unref();
          }),
      });
    });
  });
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ListenOptions,
  isClosing: () => boolean,
): Promise<void> {
  const startedMs = performance.now();
  const [path = '/', ...queryParts] = pathOf(incoming.url ?? '/').split('?');
  const method = incoming.method ?? 'GET';
  const id = options.newId();
  function done(status: number): void {
    options.onAnswered({ id, method, path, status, ms: Math.round((performance.now() - startedMs) * 1000) / 1000 });
  }
  const answer = await answerTo(incoming, { id, method, path, query: queryParts.join('?') }, options);
  if (answer === undefined) {
    incoming.socket.destroy();
    return done(0);
  }
  outgoing.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(answer.body),
    'x-request-id': id,
    ...(options.now === undefined ? {} : { date: new Date(options.now()).toUTCString() }),
    // Else a connection that is kept open keeps the server from ending.
    ...(isClosing() ? { connection: 'close' } : {}),
    ...answer.headers,
  });
  outgoing.end(answer.body);
  return done(answer.status);
}

/** Undefined: the connection ends without an answer. */
async function answerTo(
  incoming: IncomingMessage,
  asked: { readonly id: string; readonly method: string; readonly path: string; readonly query: string },
  options: ListenOptions,
): Promise<ApiReply | undefined> {
  try {
    if (options.latencyMs > 0) await sleep(options.latencyMs);
    const head = {
      ...asked,
      segments: segmentsOf(asked.path),
      query: new URLSearchParams(asked.query),
      authorization: incoming.headers.authorization,
      host: incoming.headers.host,
      remoteIp: incoming.socket.remoteAddress ?? '',
    };
    return await options.handle(head, (mostBytes) => readText(incoming, mostBytes));
  } catch (error) {
    if (error instanceof CutConnection) return undefined;
    if (error instanceof ApiFailure) {
      return { status: error.status, body: failureBody(error, asked.id), headers: error.headers };
    }
    options.onMistake(error, asked.id);
    return { status: 500, body: failureBody(new ApiFailure(500, 'an internal error'), asked.id) };
  }
}

/** Of an address in full too, as clients send it to a proxy. */
function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/?]*(?=\/)/i, '');
}

function segmentsOf(path: string): readonly string[] {
  // No name has a NUL, and not every database can be asked for one.
  if (path.includes('%00')) throw new ApiFailure(400, 'the path holds a NUL');
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    throw new ApiFailure(400, 'the path has a bad percent-encoding');
  }
}

/** What a client gets to read of a refusal (specification 7). */
export function failureBody({ status, message, code, details }: ApiFailure, id: string): string {
  return JSON.stringify({ status, message, code, details, id });
}

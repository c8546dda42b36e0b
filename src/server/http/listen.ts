import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../base/json/present.ts';
import { isLoopback, readHost } from '../../base/text/hostName.ts';
import { type AnswerOptions, answerRequest, failureBody, splitTarget } from './answer.ts';
import { ApiFailure } from './apiFailure.ts';
import type { ReadBody } from './message.ts';
import { mostPieces, readText, requireDeclaredLength } from './readBody.ts';

/** One answered request, without bodies and headers, which may contain secrets. */
export interface RequestLogEntry {
  readonly id: string;
  /** The id of the route; absent for an unknown path. */
  readonly operation?: string;
  readonly method: string;
  readonly path: string;
  /** 0 if an injected fault cut the connection. */
  readonly status: number;
  readonly ms: number;
}

export interface ListenOptions extends AnswerOptions {
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  readonly latencyMs: number;
  readonly newId: () => string;
  /** The server's address for clients, if the connection does not show it. */
  readonly publicUrl?: string | undefined;
  /** Milliseconds since 1970, for the header `Date`. Default: the time of Node. */
  readonly now?: () => number;
  readonly onAnswered: (entry: RequestLogEntry) => void;
}

export interface Listening {
  readonly port: number;
  /** Answers the requests in progress, then stops. */
  close(): Promise<void>;
}

/** The time that requests in progress have when the server closes. */
const graceMs = 3_000;

/** Time limits for the headers and for the whole request. */
const headersTimeoutMs = 20_000;
const requestTimeoutMs = 60_000;

/** Large, because the link to the next page of a query contains the whole query. */
const maxHeaderSize = 128 * 1024;

/** Serves plain HTTP. Every response has a JSON body, even a refusal. */
export function listen(options: ListenOptions): Promise<Listening> {
  let closing = false;
  // Requests without a Host header are accepted here, because Node's own refusal has no body.
  const settings = {
    maxHeaderSize,
    keepAliveTimeout: 60_000,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    requireHostHeader: false,
  };
  const server = createServer(settings, (incoming, outgoing) => {
    accept({ incoming, outgoing, awaitsContinue: false });
  });
  // The body of such a request is requested once it is known to be needed.
  server.on('checkContinue', (incoming, outgoing) => accept({ incoming, outgoing, awaitsContinue: true }));
  function accept(exchange: Exchange): void {
    respond(exchange, options, () => closing).catch((error: unknown) => {
      options.onMistake(error, options.newId());
      exchange.outgoing.destroy();
    });
  }
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
            // A client that keeps a connection open, or stops in the middle of a request, must not keep the server
            // alive.
            setTimeout(() => server.closeAllConnections(), options.latencyMs + graceMs).unref();
          }),
      });
    });
  });
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the client waits before it sends its body (`Expect: 100-continue`). */
  readonly awaitsContinue: boolean;
}

/** How long a client may continue sending after an early response, because some read it only if they can. */
const lingerMs = 5_000;

async function respond(
  { incoming, outgoing, awaitsContinue }: Exchange,
  options: ListenOptions,
  isClosing: () => boolean,
): Promise<void> {
  const startedMs = performance.now();
  const { path, query } = splitTarget(incoming.url ?? '/');
  const method = incoming.method ?? 'GET';
  const id = clientRequestId(incoming.headers['x-request-id']) ?? options.newId();
  let matched: { readonly operation?: string } = {};
  function onMatched(operation: string): void {
    matched = { operation };
  }
  function logAnswer(status: number): void {
    const ms = Math.round((performance.now() - startedMs) * 1000) / 1000;
    options.onAnswered({ id, method, path, ...matched, status, ms });
  }
  if (options.latencyMs > 0) await sleep(options.latencyMs);
  const isGone = () => outgoing.destroyed;
  const request = { id, method, path, query, onMatched, isGone, ...senderFacts(incoming, options.publicUrl) };
  let stillWaits = awaitsContinue;
  const read: ReadBody = async (mostBytes, keep) => {
    requireDeclaredLength(incoming, mostBytes);
    if (stillWaits) outgoing.writeContinue();
    stillWaits = false;
    return readText(incoming, mostBytes, keep);
  };
  const answer = await answerRequest(request, read, options);
  if (answer === undefined) {
    incoming.socket.destroy();
    return logAnswer(0);
  }
  if (!incoming.complete) drainRequest(incoming);
  const size = Buffer.byteLength(answer.body);
  outgoing.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    ...(answer.pieces === undefined ? { 'content-length': size } : {}),
    'x-request-id': id,
    ...present({ date: options.now === undefined ? undefined : new Date(options.now()).toUTCString() }),
    // Otherwise an open connection would keep the server running, or, if the client was not asked to continue, its next
    // bytes could be either the body or another request.
    ...(isClosing() || stillWaits ? { connection: 'close' } : {}),
    ...answer.headers,
  });
  if (answer.pieces === undefined) {
    // Latin-1 is copied without encoding; the text is ASCII.
    const encoding = size === answer.body.length ? 'latin1' : 'utf8';
    if (size < largeBytes) outgoing.end(answer.body, encoding);
    // A page of a thousand records has megabytes, and a buffer is not copied again after the headers.
    else outgoing.end(Buffer.from(answer.body, encoding));
  } else await sendPieces(outgoing, answer.body, answer.pieces);
  return logAnswer(answer.status);
}

/** Reads what a client still sends after its response, for a limited time and only in large enough pieces. */
function drainRequest(incoming: IncomingMessage): void {
  let [size, count] = [0, 0];
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    count += 1;
    if (count > mostPieces(size)) incoming.socket.destroy();
  };
  // A request that already had too much read is paused.
  if (!incoming.isPaused()) incoming.on('data', onData);
  setTimeout(() => incoming.complete || incoming.socket.destroy(), lingerMs).unref();
}

const largeBytes = 64 * 1024;

const requestId = /^[\w.:+/=@-]{1,128}$/;

/** Returns undefined if the client sent no request id, or one that is invalid in a header. */
function clientRequestId(header: string | readonly string[] | undefined): string | undefined {
  const text = textOf(header);
  return text !== undefined && requestId.test(text) ? text : undefined;
}

/** The facts about the sender from the headers and the connection. */
function senderFacts({ headers, socket }: IncomingMessage, publicUrl: string | undefined) {
  const { authorization, host, origin } = headers;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return {
    ...{ authorization, host, origin },
    base: serverAddress({ host, localAddress: socket.localAddress }, publicUrl),
    fetchSite: textOf(headers['sec-fetch-site']),
    bodyType: hasBody ? (headers['content-type'] ?? '') : undefined,
    remoteIp: socket.remoteAddress ?? '',
  };
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

interface ConnectionAddress {
  /** The header, as it was sent. */
  readonly host: string | undefined;
  /** The address of the server at the client's connection. */
  readonly localAddress: string | undefined;
}

/**
 * The address of this server for the links in its responses. A name from the client is repeated only if it is safe: a
 * loopback name, or the address of the connection itself. Otherwise returns the configured address, or undefined: links
 * are then relative.
 */
export function serverAddress(
  { host, localAddress }: ConnectionAddress,
  publicUrl: string | undefined,
): string | undefined {
  const named = readHost(host);
  if (named === undefined) return publicUrl;
  const local = localAddress?.replace(/^::ffff:/, '').toLowerCase();
  return isLoopback(named.name) || named.name === local ? `http://${named.text}` : publicUrl;
}

/**
 * A client gets this much time in total, and more for what it reads at this rate: the pieces may hold resources that
 * others wait for.
 */
const sendLimits = { totalMs: 30_000, leastBytesPerMs: 256 } as const;

/**
 * Sends a body piece by piece, no faster than its client reads. Ends early if the client disconnects, reads too slowly,
 * or wants no body. Always closes the source of the pieces. Rejects if a piece cannot be made: the connection then ends
 * before its body does.
 */
export async function sendPieces(
  outgoing: ServerResponse,
  first: string,
  pieces: AsyncGenerator<string, void>,
  { totalMs, leastBytesPerMs }: { readonly totalMs: number; readonly leastBytesPerMs: number } = sendLimits,
): Promise<void> {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort();
  outgoing.once('close', abort);
  let waitedMs = 0;
  let sentBytes = 0;
  function send(piece: string): void {
    sentBytes += Buffer.byteLength(piece);
    outgoing.write(piece);
  }
  async function waitForDrain(): Promise<void> {
    const startedMs = performance.now();
    const leftMs = totalMs + sentBytes / leastBytesPerMs - waitedMs;
    const impatience = setTimeout(() => outgoing.destroy(), leftMs);
    await once(outgoing, 'drain', { signal: disconnected.signal }).finally(() => clearTimeout(impatience));
    waitedMs += performance.now() - startedMs;
  }
  try {
    if (outgoing.destroyed) return;
    send(first);
    if (outgoing.req.method !== 'HEAD') {
      for await (const piece of pieces) {
        if (outgoing.writableNeedDrain) await waitForDrain();
        if (outgoing.destroyed) return;
        send(piece);
      }
    }
    outgoing.end();
  } catch (error) {
    // The client has disconnected.
    if (!disconnected.signal.aborted) throw error;
  } finally {
    outgoing.off('close', abort);
    await pieces.return();
  }
}

/** Node's error codes for unreadable requests, with their statuses. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/**
 * Answers requests that never reach a route: no HTTP, too slow, a tunnel, an unsupported expectation. Node sends no
 * body for these, or no response; here they are refused like all others (platform/errors.body).
 */
function answerUnreadable(server: Server, bodyOf: (failure: ApiFailure) => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const status = statuses.get(error.code ?? '') ?? 400;
    const message = status === 408 ? 'the request took too long' : 'the request cannot be read as HTTP';
    return endWithRefusal(socket, bodyOf, new ApiFailure(status, message));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    endWithRefusal(socket, bodyOf, new ApiFailure(405, 'CONNECT is not available here'));
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf(new ApiFailure(417, 'the header Expect asks for something that is not available here'));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    response.writeHead(417, { ...headers, connection: 'close' }).end(body);
  });
}

function endWithRefusal(socket: Duplex, bodyOf: (failure: ApiFailure) => string, failure: ApiFailure): void {
  const body = bodyOf(failure);
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    // Node adds this header to other responses, but with the time of the connection, not of the platform.
    `date: ${new Date().toUTCString()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

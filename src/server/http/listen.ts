import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from './apiFailure.ts';
import type { ApiReply, RequestHead } from './message.ts';
import { readText } from './readBody.ts';

/** One answered request. Neither bodies nor headers: they may hold secrets. */
export interface RequestLogEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface ListenOptions {
  readonly port: number;
  readonly latencyMs: number;
  readonly handle: (head: RequestHead, readBody: () => Promise<string>) => Promise<ApiReply>;
  readonly newId: () => string;
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
const graceMs = 500;

const loopback = '127.0.0.1';

/** A follow-up page of a query carries the query in its address. */
const maxHeaderSize = 128 * 1024;

/** Plain HTTP on the loopback interface. Every answer, a refusal too, has a JSON body. */
export function listen(options: ListenOptions): Promise<Listening> {
  let closing = false;
  // Without a Host header too: Node's own refusal has no body.
  const settings = { maxHeaderSize, keepAliveTimeout: 60_000, requireHostHeader: false };
  const server = createServer(settings, (incoming, outgoing) => {
    if (closing) outgoing.setHeader('connection', 'close');
    respond(incoming, outgoing, options).catch((error: unknown) => {
      options.onMistake(error, options.newId());
      outgoing.destroy();
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const body = failureBody(new ApiFailure(status, 'the request cannot be read as HTTP'), options.newId());
    const head = `HTTP/1.1 ${status} Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
    return socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, loopback, () => {
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

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, options: ListenOptions): Promise<void> {
  const [path = '/', ...queryParts] = pathOf(incoming.url ?? '/').split('?');
  const method = incoming.method ?? 'GET';
  const answer = await answerTo(incoming, method, path, queryParts.join('?'), options);
  outgoing.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(answer.body),
    ...answer.headers,
  });
  outgoing.end(answer.body);
  options.onAnswered({ method, path, status: answer.status });
}

async function answerTo(
  incoming: IncomingMessage,
  method: string,
  path: string,
  query: string,
  options: ListenOptions,
): Promise<ApiReply> {
  try {
    if (options.latencyMs > 0) await sleep(options.latencyMs);
    const head = {
      method,
      path,
      segments: segmentsOf(path),
      query: new URLSearchParams(query),
      authorization: incoming.headers.authorization,
      host: incoming.headers.host,
      remoteIp: incoming.socket.remoteAddress ?? '',
    };
    return await options.handle(head, () => readText(incoming));
  } catch (error) {
    const traceId = options.newId();
    if (error instanceof ApiFailure) {
      return { status: error.status, body: failureBody(error, traceId), headers: error.headers };
    }
    options.onMistake(error, traceId);
    return { status: 500, body: failureBody(new ApiFailure(500, 'an internal error'), traceId) };
  }
}

/** Of an address in full too, as clients send it to a proxy. */
function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/?]*(?=\/)/i, '');
}

function segmentsOf(path: string): readonly string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    throw new ApiFailure(400, 'the path has a bad percent-encoding');
  }
}

function failureBody({ status, message, code, details }: ApiFailure, id: string): string {
  return JSON.stringify({ status, message, code, details, id });
}

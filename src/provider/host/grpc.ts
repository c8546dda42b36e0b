import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Endpoint } from './endpoint.ts';

/** What answers the calls of one path. */
export type Method = Unary | Silent;

/** One request, one response. What it throws is an error of gRPC. */
export interface Unary {
  readonly answer: (request: Uint8Array) => Promise<Uint8Array>;
}

/** A stream on which nothing is ever sent. It ends with the server at the latest. */
export interface Silent {
  /** Whether it ends with the requests of the client, or only when the client ends it. */
  readonly ends: 'with the requests' | 'by the client';
}

/** PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
  /** Of the only client that is answered. */
  readonly client: string;
}

export interface GrpcServer {
  /** Answers with the port; 0 for a socket. */
  listen(where: Endpoint['target']): Promise<number>;
  /** Takes no more calls, ends the silent streams, and all connections when the answers to the calls are sent. */
  close(): Promise<void>;
}

/** The codes of gRPC that are sent. */
const codes = { ok: '0', resourceExhausted: '8', unimplemented: '12', internal: '13' } as const;

/** As Terraform itself: a schema or a state is one message. */
const longestMessage = 256 * 1024 * 1024;
const prefixLength = 5;
/** So that Terraform need not wait to be told that more may be sent. */
const windowSize = 1024 * 1024;

const answerHeaders = { ':status': 200, 'content-type': 'application/grpc' } as const;
const succeeded = { 'grpc-status': codes.ok } as const;

/**
 * gRPC as far as a plugin needs it, over Node's own HTTP/2: nothing is compressed, and there are no deadlines. All of gRPC
 * costs every start and every call of a plan more (docs/benchmarks.md). `longest`: of a message, in bytes.
 */
export function makeGrpcServer(
  methods: ReadonlyMap<string, Method>,
  identity?: Identity,
  longest = longestMessage,
): GrpcServer {
  const settings = { initialWindowSize: windowSize };
  const server: Http2Server =
    identity === undefined
      ? createServer({ settings })
      : createSecureServer({
          settings,
          key: identity.key,
          cert: identity.certificate,
          ca: identity.client,
          requestCert: true,
          rejectUnauthorized: true,
        });
  const sessions = new Set<ServerHttp2Session>();
  const silent = new Set<ServerHttp2Stream>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setLocalWindowSize(windowSize);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', ignore); // the client has gone; there is nobody to tell
    const method = methods.get(headers[':path'] ?? '');
    if (method !== undefined && 'ends' in method) {
      silent.add(stream);
      stream.once('close', () => silent.delete(stream));
    }
    serve(stream, headers, method, longest);
  });
  return {
    listen(where) {
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(where, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        });
      });
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        for (const stream of silent) stream.end();
        for (const session of sessions) session.close();
      });
    },
  };
}

function ignore(): void {}

function serve(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  method: Method | undefined,
  longest: number,
): void {
  const { ':path': path = '', 'content-type': type = '' } = headers;
  if (!type.startsWith('application/grpc')) {
    stream.respond({ ':status': 415 }, { endStream: true });
    stream.resume();
  } else if (method === undefined) {
    refuse(stream, codes.unimplemented, `there is no ${path}`);
    stream.resume();
  } else if ('answer' in method) {
    answer(stream, method, longest);
  } else {
    stream.respond(answerHeaders, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(succeeded));
    if (method.ends === 'with the requests') stream.once('end', () => stream.end());
    stream.resume();
  }
}

function answer(stream: ServerHttp2Stream, { answer }: Unary, longest: number): void {
  const parts: Buffer[] = [];
  let length = 0;
  stream.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= longest + prefixLength) parts.push(part);
  });
  stream.once('end', () => {
    if (length > longest + prefixLength) {
      refuse(stream, codes.resourceExhausted, `a message has at most ${longest} bytes`);
      return;
    }
    const request = messageIn(parts);
    if (request === undefined) {
      refuse(stream, codes.internal, 'not one message without compression');
      return;
    }
    answer(request).then(
      (response) => send(stream, response),
      (error: unknown) => refuse(stream, codes.internal, String(error)),
    );
  });
}

/** After one byte for the compression and four for the length; undefined where it is not that. */
function messageIn(parts: readonly Buffer[]): Buffer | undefined {
  const [first = Buffer.alloc(0), ...others] = parts;
  const body = others.length === 0 ? first : Buffer.concat(parts);
  const isWhole = body.length >= prefixLength && body[0] === 0 && body.readUInt32BE(1) === body.length - prefixLength;
  return isWhole ? body.subarray(prefixLength) : undefined;
}

function send(stream: ServerHttp2Stream, response: Uint8Array): void {
  if (stream.destroyed) return;
  const framed = Buffer.allocUnsafe(prefixLength + response.length);
  framed[0] = 0;
  framed.writeUInt32BE(response.length, 1);
  framed.set(response, prefixLength);
  stream.respond(answerHeaders, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(succeeded));
  stream.end(framed);
}

function refuse(stream: ServerHttp2Stream, code: string, message: string): void {
  if (stream.destroyed) return;
  stream.respond(
    { ...answerHeaders, 'grpc-status': code, 'grpc-message': encodeURI(message.toWellFormed()) },
    { endStream: true },
  );
}

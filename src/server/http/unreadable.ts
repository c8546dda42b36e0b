import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiFailure } from './apiFailure.ts';

/** Node's error codes for unreadable requests, with their statuses. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/**
 * Requests that never reach a route: no HTTP, too slow, a tunnel, an unsupported expectation. Node answers these with
 * no body, or not at all; here they are refused like all others (platform/errors.body).
 */
export function answerUnreadable(server: Server, bodyOf: (failure: ApiFailure) => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const status = statuses.get(error.code ?? '') ?? 400;
    const message = status === 408 ? 'the request took too long' : 'the request cannot be read as HTTP';
    return end(socket, bodyOf, new ApiFailure(status, message));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    end(socket, bodyOf, new ApiFailure(405, 'CONNECT is not available here'));
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf(new ApiFailure(417, 'the header Expect asks for something that is not available here'));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
    response.writeHead(417, { ...headers, connection: 'close' }).end(body);
  });
}

function end(socket: Duplex, bodyOf: (failure: ApiFailure) => string, failure: ApiFailure): void {
  const body = bodyOf(failure);
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    // Node adds the header to all other answers; it has the time of the connection, not of the platform.
    `date: ${new Date().toUTCString()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

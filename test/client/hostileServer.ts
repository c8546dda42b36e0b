import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, makeClient } from '../../src/client/client.ts';
import { listenOnLoopback } from '../harness/loopback.ts';

/** A received request: its first line, and whether it carried a token. */
export interface Asked {
  readonly line: string;
  readonly hasToken: boolean;
}

/** Sends an answer byte by byte; nothing is added, not even headers. */
export type Answering = (socket: Socket, asked: Asked, count: number) => void;

export interface Hostile {
  readonly client: Client;
  readonly endpoint: string;
  readonly asked: readonly Asked[];
}

export const token = 'token-that-nobody-may-see';

/** A server that knows nothing of HTTP except the end of a request, and a client of it. */
export async function serveRaw(answer: Answering, options: Partial<ClientOptions> = {}): Promise<Hostile> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // The client closes the connection when the answer is too large.
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = endOfRequest(text);
      if (end === undefined) return;
      const head = text.slice(0, end);
      text = text.slice(end);
      asked.push({ line: head.split('\r\n')[0] ?? '', hasToken: head.includes(token) });
      answer(socket, asked.at(-1) ?? { line: '', hasToken: false }, asked.length);
    });
  });
  const endpoint = await listening(server);
  const client = makeClient({
    endpoint,
    token,
    org: 'acme',
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    timeoutMs: 10_000,
    ...options,
  });
  onTestFinished(async () => {
    await client.close().catch(() => {});
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { client, endpoint, asked };
}

async function listening(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? undefined : end;
}

/** A complete answer with a body of this length. */
export function whole(body: string | Buffer, status = '200 OK', headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${bytes.length}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** The head of an answer with a body in chunks that does not end by itself. */
export const chunkedHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Sends as fast as the client reads, until it closes the connection. */
export function flood(socket: Socket, text: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { isObject, type Json } from './json.ts';
import { type Answer, Platform } from './platform.ts';
import { randomFrom, type SwitchName } from './switches.ts';

export interface Served {
  readonly url: string;
  readonly platform: Platform;
  /** The number of answered requests. */
  readonly answered: () => number;
  /** Calls back when the client has sent `count` more writes, before the last of them is answered. */
  onWrite(count: number, then: () => void): void;
  close(): Promise<void>;
}

/** The platform behind HTTP, on a free loopback port. */
export async function serve(switches: readonly SwitchName[], seed: number): Promise<Served> {
  const chosen = new Set(switches);
  const on = (name: SwitchName) => chosen.has(name);
  const platform = new Platform(switches, () => Date.now());
  const random = randomFrom(seed);
  let answered = 0;
  let awaited: { count: number; then: () => void } | undefined;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://platform');
    const isWrite = method !== 'GET' && !url.pathname.endsWith('/-query');
    if (on('slow')) await pause(random() * 40);
    const trouble = before(on, random);
    if (trouble !== undefined) return send(response, trouble, on);
    const elsewhere = redirected(method, url, platform.base, on);
    if (elsewhere !== undefined) return send(response, elsewhere, on);
    const text = Buffer.concat(chunks).toString();
    const answer = platform.answer({
      method,
      path: url.pathname.replace(/^\/moved/, ''),
      query: url.searchParams,
      body: text === '' ? undefined : parsed(text),
      authorization: request.headers.authorization ?? '',
    });
    answered += 1;
    if (isWrite && awaited !== undefined) {
      awaited.count -= 1;
      if (awaited.count === 0) awaited.then();
    }
    if (isWrite && answer.status < 400 && on('lost-answers') && random() < 1 / 6) {
      response.socket?.destroy();
      return;
    }
    const isWrong = isWrite && answer.status < 400 && on('wrong-answers') && random() < 1 / 6;
    return send(response, isWrong ? { status: 500, body: { status: 500, message: 'it went wrong' } } : answer, on);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  platform.base = `http://127.0.0.1:${address.port}`;
  return {
    url: platform.base,
    platform,
    answered: () => answered,
    onWrite(count, then) {
      awaited = { count, then };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parsed(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

function before(on: (name: SwitchName) => boolean, random: () => number): Answer | undefined {
  const busy = (status: number, after: string): Answer => ({
    status,
    body: { status, message: 'too busy', code: 'BUSY', details: {}, id: 'e-2' },
    headers: { 'retry-after': after },
  });
  if (on('busy-429') && random() < 1 / 8) return busy(429, '0');
  if (on('busy-503') && random() < 1 / 8) return busy(503, '0');
  if (on('busy-429-date') && random() < 1 / 20) return busy(429, new Date(Date.now() + 500).toUTCString());
  return undefined;
}

function redirected(method: string, url: URL, base: string, on: (name: SwitchName) => boolean): Answer | undefined {
  if (url.pathname.startsWith('/moved')) return undefined;
  const location = `/moved${url.pathname}${url.search}`;
  if (on('redirect-307')) return { status: 307, headers: { location: `${base}${location}` } };
  if (on('redirect-308')) return { status: 308, headers: { location: `${base}${location}` } };
  return on('redirect-302-get') && method === 'GET' ? { status: 302, headers: { location } } : undefined;
}

function send(response: ServerResponse, answer: Answer, on: (name: SwitchName) => boolean): void {
  const { status, body, isHtml, headers } = answer;
  const text = body === undefined ? '' : isHtml === true ? String(body) : JSON.stringify(body);
  const type = isHtml === true ? 'text/html' : contentType(on);
  const bytes = Buffer.from(on('bom') && isObject(body) ? `\ufeff${text}` : text);
  const [packed, encoding] = on('gzip')
    ? [gzipSync(bytes), { 'content-encoding': 'gzip' }]
    : on('brotli')
      ? [brotliCompressSync(bytes), { 'content-encoding': 'br' }]
      : [bytes, {}];
  const closing = on('no-keep-alive') ? { connection: 'close' } : {};
  if (text === '') {
    response.writeHead(status, { ...headers, ...closing }).end();
    return;
  }
  response.writeHead(status, { 'content-type': type, ...encoding, ...headers, ...closing });
  if (on('bytes')) for (const byte of packed) response.write(Buffer.of(byte));
  else response.write(packed);
  response.end();
}

function contentType(on: (name: SwitchName) => boolean): string {
  if (on('plain-text')) return 'text/plain';
  return on('charset') ? 'Application/JSON; Charset="UTF-8"' : 'application/json';
}

import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';

export interface Passing {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  /** Whether it is POST, PATCH or DELETE of a record; a query is no write. */
  readonly isWrite: boolean;
  /** The number of this write, from 1; for other requests, the number of writes before it. */
  readonly write: number;
  /** The number of this request, from 1. */
  readonly number: number;
  readonly body: string;
}

/** What the proxy does with one request. */
export type Verdict =
  | 'pass'
  /** Not passed to the platform; the connection is cut. */
  | 'cut-before'
  /** Carried out; the connection is cut before the answer. */
  | 'cut-after'
  /** Carried out; the answer never arrives. */
  | 'silent'
  /** Carried out; half of the answer arrives. */
  | 'half'
  | { readonly status: number; readonly body?: JsonObject; readonly headers?: Readonly<Record<string, string>> };

export interface Proxy {
  readonly url: string;
  readonly seen: readonly Passing[];
  /**
   * Resolves when the platform has answered all requests that were passed on, also those of clients that have ended.
   */
  idle(): Promise<void>;
  /** Ends all connections, and resolves when it is idle: requests that were not passed on by then never are. */
  close(): Promise<void>;
}

/**
 * A proxy between a client and a platform that injects faults. `judge` decides before a request is passed on; `after`
 * is called when the platform has answered, before the answer is passed back.
 */
export async function startProxy(
  target: string,
  judge: (passing: Passing) => Verdict | Promise<Verdict>,
  after: (passing: Passing) => void | Promise<void> = () => {},
): Promise<Proxy> {
  const seen: Passing[] = [];
  const underWay = new Set<Promise<Answer>>();
  let writes = 0;
  let isClosing = false;
  const server = createServer({ keepAliveTimeout: 60_000 }, async (incoming, outgoing) => {
    const sent = await collect(incoming).catch(() => undefined);
    // A client that was killed while it sent the request.
    if (sent === undefined) return void outgoing.destroy();
    const { method = '', url: path = '' } = incoming;
    const isWrite = method !== 'GET' && !path.includes('/-query');
    if (isWrite) writes += 1;
    const passing: Passing = { method, path, isWrite, write: writes, number: seen.length + 1, body: sent.toString() };
    seen.push(passing);

    const verdict = await judge(passing);
    if (verdict === 'cut-before' || isClosing) return void outgoing.destroy();
    if (typeof verdict === 'object') {
      outgoing.writeHead(verdict.status, { 'content-type': 'application/json', ...verdict.headers });
      return void outgoing.end(JSON.stringify(verdict.body ?? { status: verdict.status, message: 'made up' }));
    }
    const forwarded = forward(new URL(path, target), method, incoming.headers, sent);
    underWay.add(forwarded);
    const answer = await forwarded.finally(() => underWay.delete(forwarded));
    if (verdict === 'half') await sendHalf(outgoing, answer);
    await after(passing);
    if (verdict === 'half') return;
    if (verdict === 'cut-after') return void outgoing.destroy();
    if (verdict === 'silent') return;
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
    outgoing.end(answer.text);
  });
  const port = await listenOnLoopback(server);
  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    idle,
    async close() {
      isClosing = true;
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), idle()]);
    },
  };
}

async function collect(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Promises the whole length; resolves when half of the answer is sent. */
function sendHalf(outgoing: ServerResponse, { status, text }: Answer): Promise<void> {
  const bytes = Buffer.from(text);
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  return new Promise((resolve) => outgoing.write(bytes.subarray(0, bytes.length / 2), () => resolve()));
}

function forward(url: URL, method: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization = String(headers['authorization'] ?? '');
    const type = body.length === 0 ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const request = send(url, { method, headers: { authorization, ...type } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

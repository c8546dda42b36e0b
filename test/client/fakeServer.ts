import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type Client, type ClientOptions, makeClient } from '../../src/client/client.ts';
import { listenOnLoopback } from '../harness/loopback.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: JsonObject | undefined;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts the connection instead of an answer. */
  readonly cut?: true;
  /** Sends no answer. */
  readonly silent?: true;
}

export interface Fixture {
  readonly client: Client;
  readonly seen: readonly Seen[];
  readonly slept: readonly number[];
  readonly endpoint: string;
  /** `GET /path` of each request. */
  readonly lines: () => readonly string[];
}

/** A server that answers with `answer`, and a client of it that does not really sleep. */
export async function serve(
  answer: (seen: Seen, count: number) => Reply,
  options: Partial<ClientOptions> = {},
): Promise<Fixture> {
  const seen: Seen[] = [];
  const slept: number[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      const entry: Seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: text === '' ? undefined : JSON.parse(text),
      };
      seen.push(entry);
      write(response, answer(entry, seen.length));
    });
  });
  const port = await listenOnLoopback(server);
  const endpoint = `http://127.0.0.1:${port}`;
  const client = makeClient({
    endpoint,
    token: 'key',
    org: 'acme',
    random: () => 0.5,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
    ...options,
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { client, seen, slept, endpoint, lines: () => seen.map(({ method, path }) => `${method} ${path}`) };
}

/** Required content of the kinds without spec. */
const content: Readonly<Record<string, JsonObject>> = {
  group: { memberLinks: [] },
  policy: { targetKind: 'gvc' },
  secret: { type: 'opaque' },
  serviceaccount: { keys: [] },
};

export function record(kind: string, name: string, more: JsonObject = {}, gvc?: string): JsonObject {
  const self = gvc === undefined ? `/org/acme/${kind}/${name}` : `/org/acme/gvc/${gvc}/${kind}/${name}`;
  return {
    id: `uid-${gvc ?? ''}-${name}`,
    kind,
    name,
    version: 1,
    tags: {},
    ...(content[kind] ?? { spec: { fake: true } }),
    links: [{ rel: 'self', href: self }, ...(gvc === undefined ? [] : [{ rel: 'gvc', href: `/org/acme/gvc/${gvc}` }])],
    ...more,
  };
}

export function list(items: readonly JsonObject[], next?: string): JsonObject {
  const self = { rel: 'self', href: '/org/acme' };
  return { kind: 'list', items, links: next === undefined ? [self] : [self, { rel: 'next', href: next }] };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function write(response: ServerResponse, { status = 200, body, text, headers = {}, cut, silent }: Reply): void {
  if (silent) return;
  if (cut) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text ?? (body === undefined ? '' : JSON.stringify(body)));
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type Client, makeClient } from '../../src/client/client.ts';
import { type Exchange, openExchange } from '../../src/client/http/exchange.ts';
import type { Ref } from '../../src/schema/record/ref.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';

/**
 * Sends each kind of request once with each fault, to the real platform (platform/wire.retries). The expectations
 * follow from the protocol: reads, queries and DELETE are retried after every transient failure, POST and PATCH only if
 * they were certainly not carried out, and a quota error is permanent.
 */
const token = 'table';
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ port: 0, token });
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: JsonObject): Promise<number> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(`${server.url}${path}`, { method, headers, ...sent })).status;
}

beforeEach(async () => {
  await call('DELETE', '/-faults');
  await call('DELETE', '/org/local/gvc/table');
  await call('DELETE', '/org/local/gvc/fresh');
  await call('POST', '/org/local/gvc', { name: 'table' });
  await call('POST', '/org/local/secret', { name: 'key', type: 'opaque', data: { payload: 'hush' } });
});

const gvc: Ref = { kind: 'gvc', name: 'table' };
const fresh: Ref = { kind: 'gvc', name: 'fresh' };

interface Kind {
  /** The requests that get the fault. */
  readonly at: JsonObject;
  readonly send: (client: Client) => Promise<unknown>;
  /** Whether a write was carried out. */
  readonly isDone?: () => Promise<boolean>;
  /** If refused, the record is read by its name instead. */
  readonly otherwiseByName?: true;
}

// biome-ignore format: a row is a case
const kinds: Readonly<Record<string, Kind>> = {
  create: { at: { method: 'POST', path: '/org/local/gvc' }, send: (client) => client.create(fresh, { name: 'fresh' }),
    isDone: async () => (await call('GET', '/org/local/gvc/fresh')) === 200 },
  patch: {
    at: { method: 'PATCH', path: '/org/local/gvc/table' },
    send: (client) => client.patch(gvc, { description: 'new', version: 1 }),
    // A second request for version 1 is refused if the first one was carried out.
    isDone: async () => (await call('PATCH', '/org/local/gvc/table', { version: 1 })) === 409,
  },
  delete: { at: { method: 'DELETE', path: '/org/local/gvc/table' }, send: (client) => client.delete(gvc) },
  read: { at: { method: 'GET', path: '/org/local/gvc/table' }, send: (client) => client.read(gvc) },
  list: { at: { method: 'GET', path: '/org/local/gvc' }, send: (client) => client.list('gvc') },
  query: { at: { method: 'POST', path: '/org/local/gvc/-query' },
    send: (client) => client.query('gvc', { match: 'all', terms: [] }) },
  reveal: { at: { method: 'GET', path: '/org/local/secret/key/-reveal' },
    send: (client) => client.reveal({ kind: 'secret', name: 'key' }), otherwiseByName: true },
  children: { at: { method: 'GET', path: '/org/local/gvc/table/workload' },
    send: (client) => client.children('table') },
};

const lists: ReadonlySet<string> = new Set(['list', 'query', 'children']);

type Ending = 'repeated' | 'lost' | 'api.quota' | 'api.invalid' | 'api.forbidden' | 'api.conflict';

interface Row {
  readonly it: string;
  readonly fault: JsonObject;
  readonly writes: Ending;
  readonly others: Ending;
  /** Whether a write that is lost was carried out. */
  readonly done?: boolean;
  /** Caused by the connection, not by the platform. */
  readonly silent?: true;
}

// biome-ignore format: a row is a case
const rows: readonly Row[] = [
  { it: '500', fault: { status: 500 }, writes: 'lost', others: 'repeated', done: false },
  { it: '502', fault: { status: 502 }, writes: 'lost', others: 'repeated', done: false },
  { it: '503', fault: { status: 503 }, writes: 'lost', others: 'repeated', done: false },
  { it: '503 with Retry-After', fault: { status: 503, retryAfter: 2 }, writes: 'repeated', others: 'repeated' },
  { it: '504', fault: { status: 504 }, writes: 'lost', others: 'repeated', done: false },
  { it: '408', fault: { status: 408 }, writes: 'lost', others: 'repeated', done: false },
  { it: '429', fault: { status: 429 }, writes: 'repeated', others: 'repeated' },
  { it: '429 with Retry-After', fault: { status: 429, retryAfter: 2 }, writes: 'repeated', others: 'repeated' },
  { it: '429 about a quota', fault: { status: 429, message: 'the quota is used up' }, writes: 'api.quota',
    others: 'api.quota' },
  { it: 'a reset', fault: { reset: true }, writes: 'lost', others: 'repeated', done: false },
  { it: 'a lost reply', fault: { drop: true }, writes: 'lost', others: 'repeated', done: true },
  { it: 'no answer in time', fault: {}, silent: true, writes: 'lost', others: 'repeated', done: false },
  { it: '400', fault: { status: 400 }, writes: 'api.invalid', others: 'api.invalid' },
  { it: '403', fault: { status: 403 }, writes: 'api.forbidden', others: 'api.forbidden' },
  { it: '409', fault: { status: 409 }, writes: 'api.conflict', others: 'api.conflict' },
];

/** A connection to the platform that times out on the first of these requests. */
function silentOnce(at: JsonObject): Exchange {
  const exchange = openExchange({ endpoint: server.url, token, connections: 8, timeoutMs: 10_000 });
  let met = false;
  return {
    ...exchange,
    send(request) {
      const concerned = request.method === at['method'] && request.path.split('?')[0] === at['path'];
      if (met || !concerned) return exchange.send(request);
      met = true;
      return Promise.reject(Object.assign(new Error('silence'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
    },
  };
}

describe.each(rows)('$it, once', ({ fault, writes, others, done, silent }) => {
  test.each(Object.entries(kinds))('on a %s', async (of, { at, send, isDone, otherwiseByName }) => {
    if (silent === undefined) await call('POST', '/-faults', { faults: [{ ...at, ...fault, times: 1 }] });
    const slept: number[] = [];
    const client = makeClient({
      endpoint: server.url,
      token,
      org: 'local',
      sleep: (ms) => Promise.resolve(void slept.push(ms)),
      ...(silent === undefined ? {} : { exchange: silentOnce(at) }),
    });
    await client.get('/discovery'); // The platform has answered before.
    const before = client.requests();
    const ending = await send(client).then(
      () => 'done',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    const sent = client.requests() - before;
    await client.close();

    const expected = isDone === undefined ? others : writes;
    const atOnce = at['path'] === '/org/local/gvc/table/workload' ? 3 : 1; // One list for each kind of children.
    if (otherwiseByName === true && (expected === 'api.invalid' || expected === 'api.forbidden')) {
      expect([ending, sent]).toEqual(['done', 2]);
    } else if (expected === 'repeated') {
      expect([ending, sent]).toEqual(['done', atOnce + 1]);
      expect(slept[0]).toBeGreaterThanOrEqual(fault['retryAfter'] === undefined ? 1 : 2_000);
      if (isDone !== undefined) expect(await isDone()).toBe(true);
    } else if (expected === 'api.invalid' && lists.has(of)) {
      expect([ending, sent]).toEqual(['done', atOnce + 1]); // The refusal may be about the parameter limit.
    } else {
      const asked = expected === 'api.forbidden' && of === 'read' ? 1 : 0; // Checks whether an unused name is a 404.
      expect([ending, sent]).toEqual([expected === 'lost' ? 'api.reply-lost' : expected, atOnce + asked]);
      expect(slept).toEqual([]);
      if (isDone !== undefined && done !== undefined) expect(await isDone()).toBe(done);
    }
  });
});

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { isObject, type JsonObject, listAt, own, stringAt } from '../../src/base/json/json.ts';
import type { ServerOptions } from '../../src/server/options.ts';
import { startServer } from '../../src/server/start.ts';
import { exchange } from '../harness/exchange.ts';
import { expectRefusalForm } from './refusal.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

export interface TestPlatform {
  readonly url: string;
  readonly send: Send;
  /** Sends with this value of the `Authorization` header. */
  as(authorization: string): Send;
  /** Steps a virtual clock, which runs all jobs due until then; returns their number. */
  stepTo(ms: number): Promise<number>;
  close(): Promise<void>;
}

let schemas = 0;

/** No option with SQLite; with `GANTRY_TEST_STORE=postgres` a new schema of this run's PostgreSQL. */
export function testStore(): Pick<ServerOptions, 'store'> {
  const url = process.env['GANTRY_TEST_STORE_URL'];
  if (url === undefined) return {};
  schemas += 1;
  return { store: `${url}?schema=test_${process.pid}_${schemas}` };
}

/** A new platform in memory. Paths are below the org unless they begin with `/`. Text and bytes are sent unchanged. */
export async function testPlatform(options: Partial<ServerOptions> = {}): Promise<TestPlatform> {
  const store = options.data === undefined ? testStore() : {};
  const server = await startServer({ port: 0, token: 'secret-token', readyAfterMs: 0, ...store, ...options });
  const as = (authorization: string): Send => {
    return async (method, path, body) => {
      const raw = typeof body === 'string' || body instanceof Uint8Array;
      const sent = body === undefined ? {} : { body: raw ? body : JSON.stringify(body) };
      const url = server.url + (path.startsWith('/') ? path : `/org/local/${path}`);
      const given = { authorization, 'content-type': 'text/whatever' };
      const { status, headers, text } = await exchange(url, { method, headers: given, ...sent });
      const value: unknown = JSON.parse(text);
      const received = isObject(value) ? value : {};
      if (status >= 400) expectRefusalForm(status, received);
      return { status, headers, body: received };
    };
  };
  return {
    url: server.url,
    send: as('secret-token'),
    as,
    stepTo: (ms) => server.stepTo(ms),
    close: () => server.close(),
  };
}

type SetUp = (platform: TestPlatform) => Promise<unknown> | unknown;

/** A new platform for each test of the file or of the `describe` around it. */
export function platformForEach(options: Partial<ServerOptions> = {}, setUp: SetUp = () => {}): TestPlatform {
  const { platform, open } = reopened(options, setUp);
  beforeEach(open);
  afterEach(() => platform.close());
  return platform;
}

/** One platform for all tests of the file or of the `describe` around it. */
export function platformForAll(options: Partial<ServerOptions> = {}, setUp: SetUp = () => {}): TestPlatform {
  const { platform, open } = reopened(options, setUp);
  beforeAll(open);
  afterAll(() => platform.close());
  return platform;
}

/** A proxy for the platform that was opened last. */
function reopened(options: Partial<ServerOptions>, setUp: SetUp) {
  let current: TestPlatform | undefined;
  function opened(): TestPlatform {
    if (current === undefined) throw new Error('the platform is opened before the tests');
    return current;
  }
  const platform: TestPlatform = {
    get url() {
      return opened().url;
    },
    send: (...request) => opened().send(...request),
    as: (authorization) => opened().as(authorization),
    stepTo: (ms) => opened().stepTo(ms),
    close: async () => current?.close(),
  };
  async function open(): Promise<void> {
    current = await testPlatform(options);
    await setUp(current);
  }
  return { platform, open };
}

export function names(answer: Answer): readonly unknown[] {
  return listAt(answer.body, 'items').map((item) => (isObject(item) ? own(item, 'name') : item));
}

/** Makes the GVC `shop` in these locations. */
export function makeShop({ send }: Pick<TestPlatform, 'send'>, ...locations: readonly string[]): Promise<Answer> {
  const locationLinks = locations.map((name) => `//location/${name}`);
  return send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks } } });
}

/** Sends `count` requests, fifty at a time. */
export async function manyOf(count: number, make: (at: number) => Promise<unknown>): Promise<void> {
  const all = Array.from({ length: count }, (_, at) => at);
  for (let at = 0; at < count; at += 50) await Promise.all(all.slice(at, at + 50).map(make));
}

/** The address of the next page; undefined on the last one. */
export function nextOf(body: JsonObject): string | undefined {
  const link = listAt(body, 'links').find((each) => isObject(each) && each['rel'] === 'next');
  return isObject(link) ? stringAt(link, 'href') : undefined;
}

/** The items of this page and of all later ones. */
export async function itemsFrom(send: Send, page: Answer): Promise<readonly JsonObject[]> {
  const items = listAt(page.body, 'items').filter(isObject);
  for (let next = nextOf(page.body); next !== undefined; ) {
    const { body } = await send('GET', next);
    items.push(...listAt(body, 'items').filter(isObject));
    next = nextOf(body);
  }
  return items;
}

export function container(more: JsonObject = {}): JsonObject {
  return { name: 'main', image: 'shop/web:1', ports: [{ number: 8080 }], ...more };
}

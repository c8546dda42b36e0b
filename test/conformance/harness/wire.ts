import type { JsonObject } from '../../../src/base/json/json.ts';
import { exchange } from '../../harness/exchange.ts';
import { type TestPlatform, testPlatform } from '../../server/platform.ts';
import { expectRefusalForm, objectIn } from '../../server/refusal.ts';

/** Options of the own platform of a row. */
export type PlatformOptions = NonNullable<Parameters<typeof testPlatform>[0]>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The body, or an empty object if it is not a JSON object. */
  readonly body: JsonObject;
  readonly text: string;
}

export interface CallOptions {
  /** The value of `Authorization`; null omits the header. @default the token of the platform, as `Bearer` */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A public client, which knows only the documents and the address of the platform. */
export interface Wire {
  readonly url: string;
  /** Sends one request. A path without a leading `/` is below the org. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  /** Sends a request that must succeed; returns the body. Throws an error with the request and the reply. */
  ok(method: string, path: string, body?: unknown): Promise<JsonObject>;
  /** Sends a request that must be refused with this status; returns the error body. */
  refused(status: number, method: string, path: string, body?: unknown): Promise<JsonObject>;
  get(path: string): Promise<JsonObject>;
  /** Steps the virtual clock; when it returns, all jobs due until then have run. */
  advance(duration: string): Promise<void>;
  /** A name that no other row uses. */
  name(prefix: string): string;
  close(): Promise<void>;
}

const token = 'secret-token';

/** Opens a new platform with a virtual clock. */
export async function openWire(options: PlatformOptions = {}): Promise<Wire> {
  return wireTo(await testPlatform({ clock: 'virtual', users: ['ann@example.com', 'bob@example.com'], ...options }));
}

function wireTo(platform: TestPlatform): Wire {
  let names = 0;
  const wire: Wire = {
    url: platform.url,
    async call(method, path, body, { authorization = `Bearer ${token}`, headers = {} } = {}) {
      const url = platform.url + (path.startsWith('/') ? path : `/org/local/${path}`);
      const answer = await exchange(url, {
        method,
        headers: {
          ...(authorization === null ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          'user-agent': 'public-cli 1.0/ node 24',
          'x-scheme-session': 'b6f1f0a2-4a94-4b55-9a53-7f8f0f9f5d11',
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
      });
      const received = objectIn(answer.text);
      if (answer.status >= 400) expectRefusalForm(answer.status, received);
      return { ...answer, body: received };
    },
    async ok(method, path, body) {
      const reply = await wire.call(method, path, body);
      if (reply.status < 200 || reply.status > 299) throw unexpected('a success', method, path, body, reply);
      return reply.body;
    },
    async refused(status, method, path, body) {
      const reply = await wire.call(method, path, body);
      if (reply.status !== status) throw unexpected(String(status), method, path, body, reply);
      return reply.body;
    },
    get: (path) => wire.ok('GET', path),
    async advance(duration) {
      await wire.ok('POST', '/-clock', { advance: duration });
    },
    name(prefix) {
      names += 1;
      return `${prefix}${names}`;
    },
    close: () => platform.close(),
  };
  return wire;
}

/** Whether the body is text or bytes, which are sent unchanged. */
function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function unexpected(wanted: string, method: string, path: string, body: unknown, { status, text }: Reply): Error {
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  return new Error(`${method} ${path}${sent}\nanswered ${status}, not ${wanted}: ${text.slice(0, 2000)}`);
}

/** Runs a check on its own platform, for rows that step the clock far or need other options. */
export function alone(options: PlatformOptions, check: (wire: Wire) => Promise<void>): () => Promise<void> {
  return async () => {
    const wire = await openWire(options);
    try {
      await check(wire);
    } finally {
      await wire.close();
    }
  };
}

/**
 * Reads until the value is as wanted, with a second of the platform's time between two reads. After 100 reads it
 * throws an error with the last value.
 */
export async function until<T>(wire: Wire, read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  let value = await read();
  for (let reading = 0; reading < 100 && !wanted(value); reading += 1) {
    await wire.advance('1s');
    value = await read();
  }
  if (!wanted(value)) throw new Error(`did not come to be as wanted: ${JSON.stringify(value).slice(0, 2000)}`);
  return value;
}

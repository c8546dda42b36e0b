import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import type { DestroyOptions } from '../../../src/cli/commands/destroy.ts';
import type { ServeOptions } from '../../../src/cli/commands/serve.ts';
import { type Exchange, openExchange } from '../../../src/client/http/exchange.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { startServer } from '../../../src/server/start.ts';
import type { ApplyCommandOptions } from '../../../src/terminal/options.ts';
import { parsedOptions } from '../../e2e/harness/parsedOptions.ts';
import { type LoggedRequest, type Platform, token } from '../../e2e/harness/platform.ts';

/** A platform in the memory of this process, whose whole state can be read and restored. */
export interface World {
  /** The platform, as the steps of a scenario see it. */
  readonly platform: Platform;
  readonly exchange: Exchange;
  state(): Promise<JsonObject>;
  restore(state: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** `serve`: flags as for `gantry serve`. Workloads become ready, and deletions and commands end, immediately. */
export async function openWorld(serve: readonly string[] = [], more: Partial<ServerOptions> = {}): Promise<World> {
  const { user } = await parsedOptions<ServeOptions>(['serve', ...serve]);
  const requests: LoggedRequest[] = [];
  const server = await startServer({
    port: 0,
    token,
    users: user,
    readyAfterMs: 0,
    commandStageMs: 0,
    requestLog: ({ method, path, status }) => requests.push({ method, path, status }),
    ...more,
  });
  const exchange = openExchange({ endpoint: server.url, token, connections: 64, timeoutMs: 30_000 });

  async function call(method: string, path: string, body?: JsonObject) {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? {} : JSON.parse(text);
    return { status: response.status, body: isObject(answer) ? answer : {} };
  }

  return {
    platform: { url: server.url, requests, seen: async () => requests.length, call, stop: async () => {} },
    exchange,
    async state() {
      return withoutHistory((await call('GET', '/-snapshot?secrets=true')).body);
    },
    async restore(state) {
      const { status, body } = await call('PUT', '/-snapshot', state);
      if (status !== 200) throw new Error(`the state cannot be put back: ${JSON.stringify(body)}`);
    },
    async close() {
      await exchange.close();
      await server.close();
    },
  };
}

/** The snapshot without its history, which no plan uses, and which is most of the bytes. */
function withoutHistory(snapshot: JsonObject): JsonObject {
  const orgs = Object.entries(objectAt(snapshot, 'orgs')).map(([org, held]) => {
    if (!isObject(held)) return [org, held];
    const entries = listAt(held, 'entries').filter((entry) => isObject(entry) && entry['journal'] === 'command');
    return [org, { ...held, entries }];
  });
  return { ...snapshot, orgs: Object.fromEntries(orgs) };
}

export function applyOptions(flags: readonly string[]): Promise<ApplyCommandOptions> {
  return parsedOptions(['apply', '.', '--yes', ...flags]);
}

export function destroyOptions(flags: readonly string[]): Promise<DestroyOptions> {
  return parsedOptions(['destroy', '--yes', ...flags]);
}

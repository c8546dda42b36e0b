import { isArray, isObject, type JsonObject, type JsonValue, objectAt } from '../../src/base/json/json.ts';
import { openPlatform, type Platform } from '../e2e/harness/platform.ts';
import { startProxy, type Verdict } from '../e2e/harness/proxy.ts';

/** A platform with a field `spec.future` that Gantry does not know. */
export interface NewerPlatform extends Platform {
  /** Gives the field a value in the record at the path. */
  learn(path: string): Promise<void>;
}

export const future: JsonObject = { mode: 'new' };

/**
 * The platform in this process does not know the field either: a test puts it directly into the stored record, and a
 * proxy removes it from creations and puts it back afterwards.
 */
export async function openNewerPlatform(): Promise<NewerPlatform> {
  const platform = await openPlatform([], { tolerate: 'existing' });

  async function learn(path: string): Promise<void> {
    const state = await platform.call('GET', '/-snapshot?secrets=true');
    const { status } = await platform.call('PUT', '/-snapshot', changedAt(state.body, path));
    if (status >= 300) throw new Error(`the state was not taken: ${status}`);
  }

  const proxy = await startProxy(platform.url, async ({ method, path, body }): Promise<Verdict> => {
    const [item = '', query = ''] = path.split('?');
    const sent: JsonValue = ['POST', 'PUT'].includes(method) && body.includes('"future"') ? JSON.parse(body) : null;
    if (!isObject(sent) || item.includes('/-')) return 'pass';
    const { future: _, ...spec } = objectAt(sent, 'spec');
    const { status, body: answer } = await platform.call(method, path, { ...sent, spec });
    if (status >= 300) return { status, body: answer };
    if (query.includes('dryRun')) return { status, body: withFuture(answer) };
    const location = method === 'POST' ? `${item}/${String(sent['name'])}` : item;
    await learn(location);
    return { status, body: (await platform.call('GET', location)).body, headers: { location } };
  });

  return {
    ...platform,
    url: proxy.url,
    learn,
    async stop() {
      await proxy.close();
      await platform.stop();
    },
  };
}

/** The state with the field in the record at `/org/local/gvc/GVC/KIND/NAME`. */
function changedAt(state: JsonObject, path: string): JsonObject {
  const [, , , , gvc, kind, name] = path.split('/');
  const orgs = objectAt(state, 'orgs');
  const local = objectAt(orgs, 'local');
  const rows = local['records'] ?? [];
  if (!isArray(rows)) throw new Error('the state has no records');
  const records = rows.map((row) =>
    isObject(row) && row['gvc'] === gvc && row['kind'] === kind && row['name'] === name
      ? { ...row, record: withFuture(objectAt(row, 'record')) }
      : row,
  );
  return { ...state, orgs: { ...orgs, local: { ...local, records } } };
}

function withFuture(record: JsonObject): JsonObject {
  return { ...record, spec: { ...objectAt(record, 'spec'), future } };
}

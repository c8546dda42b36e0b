import { type JsonObject, objectAt } from '../../src/base/json/json.ts';
import type { Platform } from '../e2e/harness/platform.ts';
import { clientView } from '../e2e/harness/scenario.ts';
import { foreignPrefix } from './harness/state.ts';

/** The deeds of another client to a record in the middle of a run. */
// biome-ignore format: a row is a case
export const deeds = [
  'writes another field', 'writes the same field', 'deletes it', 'creates it again', 'puts something into it',
] as const;
export type Deed = (typeof deeds)[number];

export const rivalTag = `${foreignPrefix}rival`;
/** The name of the record that the other client puts into a GVC. */
export const rivalName = 'theirs';

/** The result of a deed: whether the platform accepted it, and the uids of the written, deleted and created records. */
export interface Done {
  readonly happened: boolean;
  readonly written?: { readonly uid: string; readonly version: number };
  readonly deleted: readonly string[];
  readonly created: readonly string[];
}

const nothing: Done = { happened: false, deleted: [], created: [] };

/** `id`: `kind/[gvc/]name`. A deed that the platform refuses has no effect. */
export async function rival(platform: Platform, id: string, deed: Deed): Promise<Done> {
  const { collection, path, name } = addressOf(id);
  const { status, body } = await platform.call('GET', path);
  const uid = String(body['id']);
  const send = async (method: string, at: string, sent?: JsonObject): Promise<Done> => {
    const reply = await platform.call(method, at, sent);
    if (reply.status >= 300) return nothing;
    return {
      happened: true,
      ...(method === 'PATCH' ? { written: { uid, version: Number(reply.body['version']) } } : {}),
      deleted: method === 'DELETE' ? [uid] : [],
      created: method === 'POST' ? [String(reply.body['id'])] : [],
    };
  };
  const is = status === 200;
  switch (deed) {
    case 'writes another field':
      return is ? send('PATCH', path, { tags: { [rivalTag]: 'here' } }) : nothing;
    case 'writes the same field':
      return is ? send('PATCH', path, { description: rivalName }) : nothing;
    case 'deletes it':
      return is ? send('DELETE', path) : nothing;
    case 'creates it again': {
      if (!is) return send('POST', collection, newRecord(id, name));
      const removed = await send('DELETE', path);
      if (!removed.happened) return nothing;
      const { created } = await send('POST', collection, bare(body));
      return { ...removed, created };
    }
    case 'puts something into it':
      return is && id.startsWith('gvc/') ? send('POST', `${path}/identity`, { name: rivalName }) : nothing;
  }
}

/** The record as another client would write it: without the tags of a stack. */
function bare(record: JsonObject): JsonObject {
  return { ...clientView(record), tags: { [rivalTag]: 'here' } };
}

const needed: Readonly<Record<string, JsonObject>> = {
  secret: { type: 'opaque', data: { payload: 'other' } },
  policy: { targetKind: 'secret', target: 'all' },
  workload: {
    spec: { type: 'standard', containers: [{ name: 'main', image: 'other:1', cpu: '50m', memory: '128Mi' }] },
  },
  volumeset: { spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 } },
};

function newRecord(id: string, name: string): JsonObject {
  return { name, tags: { [rivalTag]: 'here' }, ...objectAt(needed, id.split('/')[0] ?? '') };
}

export function addressOf(id: string) {
  const [kind = '', first = '', second] = id.split('/');
  const collection = second === undefined ? `/org/local/${kind}` : `/org/local/gvc/${first}/${kind}`;
  const name = second ?? first;
  return { collection, path: `${collection}/${name}`, name };
}

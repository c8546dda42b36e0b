import { type JsonObject, objectAt } from '../../src/schema/json.ts';
import { clientView } from '../e2e/harness/scenario.ts';
import type { Platform } from '../e2e/harness/platform.ts';
import { foreignPrefix } from './state.ts';

/** What another client does to a record in the middle of a run. */
export const deeds = [
  'writes another field',
  'writes the same field',
  'deletes it',
  'creates it again',
  'puts something into it',
] as const;
export type Deed = (typeof deeds)[number];

export const rivalTag = `${foreignPrefix}rival`;
/** Of what the other client puts into a GVC. */
export const rivalName = 'theirs';

/** What came of it: whether the platform let it happen, and what the other client deleted. */
export interface Done {
  readonly happened: boolean;
  readonly deleted: readonly string[];
}

const nothing: Done = { happened: false, deleted: [] };

/** `id`: `kind/[gvc/]name`. What the platform refuses, does not happen. */
export async function rival(platform: Platform, id: string, deed: Deed): Promise<Done> {
  const { collection, path, name } = addressOf(id);
  const { status, body } = await platform.call('GET', path);
  const uid = String(body['id']);
  const done = async (method: string, at: string, sent?: JsonObject): Promise<boolean> => {
    const reply = await platform.call(method, at, sent);
    return reply.status < 300;
  };
  const is = status === 200;
  switch (deed) {
    case 'writes another field':
      return is ? { happened: await done('PATCH', path, { tags: { [rivalTag]: 'here' } }), deleted: [] } : nothing;
    case 'writes the same field':
      return is ? { happened: await done('PATCH', path, { description: rivalName }), deleted: [] } : nothing;
    case 'deletes it':
      return is && (await done('DELETE', path)) ? { happened: true, deleted: [uid] } : nothing;
    case 'creates it again': {
      if (is && !(await done('DELETE', path))) return nothing;
      const created = await done('POST', collection, is ? bare(body) : newRecord(id, name));
      return { happened: created || is, deleted: is ? [uid] : [] };
    }
    case 'puts something into it': {
      if (!is || !id.startsWith('gvc/')) return nothing;
      return { happened: await done('POST', `${path}/identity`, { name: rivalName }), deleted: [] };
    }
  }
}

/** As somebody else would write it: without the tags of a stack. */
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

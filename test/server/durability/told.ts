import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../src/base/json/json.ts';
import { ask, type Said } from './servers.ts';

/** The answers that clients got. A request without an answer may have taken effect or not. */
export class Told {
  /** The mark that each answered PATCH of the GVC `shop` set, by its version. */
  readonly versions = new Map<number, string>([[1, 'created']]);
  readonly created = new Set<string>();
  readonly deleted = new Set<string>();
  readonly refused = new Set<string>();
  /** Deletions without an answer. */
  readonly perhapsDeleted = new Set<string>();
  unanswered = 0;
}

/** Sends a request. If it rejects, it counts the request as unanswered. */
export type Send = (method: string, path: string, body?: JsonObject) => Promise<Said>;

/** A client that sends changes, creations, deletions and invalid requests until `send` fails. Records the answers. */
export async function writeOn(send: Send, told: Told, client: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const mark = `${client}-${turn}`;
    const patched = await send('PATCH', 'gvc/shop', { tags: { [client.slice(0, 8)]: mark } });
    if (patched.status === 200) told.versions.set(Number(patched.body['version']), mark);

    const created = await send('POST', 'gvc/shop/identity', { name: mark });
    if (created.status === 201) told.created.add(mark);

    if (turn % 3 === 1) {
      const name = `no-${mark}`;
      const body = { name, gcp: { scopes: 7 } };
      const refused = await send('POST', 'gvc/shop/identity', body);
      if (refused.status === 400) told.refused.add(name);
    }
    if (turn % 3 === 2) {
      const name = `${client}-${turn - 1}`;
      told.perhapsDeleted.add(name);
      const deleted = await send('DELETE', `gvc/shop/identity/${name}`);
      if (deleted.status === 202) {
        told.deleted.add(name);
        told.perhapsDeleted.delete(name);
      }
    }
  }
}

/** The current state of the platform. */
export interface Held {
  readonly version: number;
  readonly identities: ReadonlySet<string>;
  /** The version and tags of each write of the GVC, from the audit trail. */
  readonly changes: readonly { readonly version: number; readonly marks: readonly unknown[] }[];
  /** The names of identities by action, and those of refused writes, from the audit trail. */
  readonly audited: Readonly<Record<'create' | 'delete' | 'refused', readonly string[]>>;
}

export async function held(url: string): Promise<Held> {
  const shop = await ask(url, 'GET', 'gvc/shop');
  const identities = await pages(url, '/org/local/gvc/shop/identity?limit=1000');
  const events = await pages(url, '/audit/org/local?limit=1000');
  const ofKind = (kind: string) => events.filter((event) => stringAt(objectAt(event, 'resource'), 'type') === kind);
  const refused = (event: JsonObject) => stringAt(objectAt(event, 'result'), 'status') !== 'OK';
  const namesOf = (some: readonly JsonObject[]) =>
    some.map((event) => stringAt(objectAt(event, 'resource'), 'name') ?? '');
  const done = (action: string) =>
    ofKind('identity').filter((event) => !refused(event) && stringAt(objectAt(event, 'action'), 'type') === action);
  return {
    version: Number(shop.body['version']),
    identities: new Set(identities.map((identity) => stringAt(identity, 'name') ?? '')),
    changes: ofKind('gvc')
      .filter((event) => !refused(event))
      .map((event) => objectAt(objectAt(event, 'resource'), 'data'))
      .map((data) => ({ version: Number(own(data, 'version')), marks: Object.values(objectAt(data, 'tags')) })),
    audited: {
      create: namesOf(done('create')),
      delete: namesOf(done('delete')),
      refused: namesOf(ofKind('identity').filter(refused)),
    },
  };
}

async function pages(url: string, path: string): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body }: Said = await ask(url, 'GET', next);
    if (status !== 200) throw new Error(`${next} was answered with ${status}: ${JSON.stringify(body)}`);
    found.push(...listAt(body, 'items').filter(isObject));
    const link = listAt(body, 'links')
      .filter(isObject)
      .find((one) => stringAt(one, 'rel') === 'next');
    next = link === undefined ? undefined : stringAt(link, 'href');
  }
  return found;
}

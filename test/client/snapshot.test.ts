import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../src/base/json/json.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import { fetchSnapshot } from '../../src/client/fetchSnapshot.ts';
import { askFirst } from '../../src/client/firstReads.ts';
import type { SnapshotRequest } from '../../src/manifest/live/snapshot.ts';
import { customKind, defineCustomKind, onlyNamed } from '../../src/schema/record/customKinds.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';
import type { Ref } from '../../src/schema/record/ref.ts';
import { withKinds } from '../kinds/withKinds.ts';
import { type Fixture, list, type Reply, record, type Seen, serve } from './fakeServer.ts';

const mine = { tags: { 'gantry/stack': 'shop' } };

interface World {
  readonly records: readonly JsonObject[];
  readonly pageSize?: number;
  /** Returns an answer that replaces the usual one, or undefined. */
  readonly instead?: (seen: Seen) => Reply | undefined;
}

/** Answers queries and lists from these records, as the platform would. */
function platform({ records, pageSize = 1000, instead }: World): (seen: Seen) => Reply {
  const pages = new Map<string, JsonObject>();
  function paged(items: readonly JsonObject[]): JsonObject {
    if (items.length <= pageSize) return list(items);
    const next = `/org/acme/page/${pages.size}`;
    pages.set(next, {});
    pages.set(next, paged(items.slice(pageSize)));
    return list(items.slice(0, pageSize), next);
  }
  return (seen) => {
    const other = instead?.(seen);
    if (other !== undefined) return other;
    const page = pages.get(seen.path);
    if (page !== undefined) return { body: page };
    const [path = ''] = seen.path.split('?');
    const ofPath = records.filter((each) => {
      const self = links(each);
      return path.endsWith('-query') || !path.includes('/gvc/')
        ? path.split('/')[3] === each['kind']
        : self.startsWith(`${path}/`);
    });
    if (path.endsWith('/-query')) return { body: paged(ofPath.filter((each) => matches(each, seen.body ?? {}))) };
    if (path.endsWith('/-reveal')) {
      const secret = records.find((each) => path === `${links(each)}/-reveal`);
      return secret === undefined ? notFound : { body: { ...secret, data: { payload: 'value' } } };
    }
    return path.split('/').length === 4 || path.split('/').length === 6 ? { body: paged(ofPath) } : notFound;
  };
}

const notFound: Reply = { status: 404, body: { status: 404, message: 'no such path' } };

function links(each: JsonObject): string {
  const [self] = listAt(each, 'links');
  return isObject(self) ? (stringAt(self, 'href') ?? '') : '';
}

function matches(each: JsonObject, query: JsonObject): boolean {
  const spec = objectAt(query, 'spec');
  const hits = listAt(spec, 'terms').map((term) => {
    if (!isObject(term)) return false;
    const tag = stringAt(term, 'tag');
    const value = tag === undefined ? own(each, stringAt(term, 'property') ?? '') : own(objectAt(each, 'tags'), tag);
    return term['op'] === 'exists' ? value !== undefined : value === term['value'];
  });
  return spec['match'] === 'any' ? hits.includes(true) : !hits.includes(false);
}

function request(declared: readonly Ref[], referenced: readonly Ref[] = []): SnapshotRequest {
  return { org: 'acme', owner: 'shop', declared, referenced };
}

const gvc = (name: string): Ref => ({ kind: 'gvc', name });
const workload = (home: string, name: string): Ref => ({ kind: 'workload', gvc: home, name });
const secret = (name: string): Ref => ({ kind: 'secret', name });

/** Requests other than the owner query of each kind and `/discovery`. */
function extra({ lines, seen }: Fixture): readonly string[] {
  return lines().filter((line, index) => {
    const terms = listAt(objectAt(seen[index]?.body ?? {}, 'spec'), 'terms');
    const owner = terms.some((term) => isObject(term) && term['tag'] === 'gantry/stack');
    return !owner && line !== 'GET /discovery';
  });
}

describe('a custom kind', () => {
  withKinds({ widget: onlyNamed });
  const kindRef = (): Ref => ({ kind: customKind('widget') ?? 'org', name: 'one' });
  const noWidgets = ({ path }: Seen) => (path.includes('/widget') ? notFound : undefined);

  test('with declared records that the platform does not know is an error that names it', async () => {
    const fixture = await serve(platform({ records: [], instead: noWidgets }));
    const reading = fetchSnapshot(fixture.client, request([kindRef()]));
    await expect(reading).rejects.toMatchObject({
      code: 'api.not-found',
      message: 'the platform knows no kind widget: there is nothing at /org/acme/widget',
    });
  });

  test('without declared records may be missing, and is read if it exists', async () => {
    const without = await serve(platform({ records: [], instead: noWidgets }));
    expect((await fetchSnapshot(without.client, request([]))).resources.size).toBe(0);
    const fixture = await serve(platform({ records: [record('widget', 'old', mine)] }));
    expect([...(await fetchSnapshot(fixture.client, request([]))).resources.keys()]).toEqual(['widget/old']);
  });

  test('that is defined after the first requests is still read', async () => {
    const fixture = await serve(platform({ records: [record('late', 'old', mine)] }));
    const first = askFirst(fixture.client, 'shop');
    defineCustomKind('late', onlyNamed);
    const snapshot = await fetchSnapshot(fixture.client, request([]), first);
    expect([...snapshot.resources.keys()]).toEqual(['late/old']);
  });
});

describe('requests', () => {
  test('are one query for each kind and /discovery, if everything declared is owned', async () => {
    const records = [record('gvc', 'shop', mine), record('workload', 'web', mine, 'shop')];
    const fixture = await serve(platform({ records }));
    const snapshot = await fetchSnapshot(fixture.client, request([gvc('shop'), workload('shop', 'web')]));
    expect([...snapshot.resources.keys()].sort()).toEqual(['gvc/shop', 'workload/shop/web']);
    expect(extra(fixture)).toEqual([]);
    expect(snapshot.requests).toBe(creatableKinds.length + 1);
  });

  test('grow in number with pages, not with other records of the org', async () => {
    const owned = Array.from({ length: 25 }, (_, index) => record('group', `g${index}`, mine));
    const foreign = Array.from({ length: 300 }, (_, index) => record('group', `f${index}`));
    const fixture = await serve(platform({ records: [...owned, ...foreign], pageSize: 10 }));
    const snapshot = await fetchSnapshot(fixture.client, request([]));
    expect(snapshot.resources.size).toBe(25);
    expect(extra(fixture)).toHaveLength(2);
  });

  test('get declared and referenced records of others by name, 100 in one query', async () => {
    const records = Array.from({ length: 250 }, (_, index) => record('secret', `s${index}`));
    const fixture = await serve(platform({ records }));
    const referenced = Array.from({ length: 250 }, (_, index) => secret(`s${index}`));
    const snapshot = await fetchSnapshot(fixture.client, request([], [...referenced, ...referenced, secret('absent')]));
    expect(snapshot.resources.size).toBe(250);
    expect(extra(fixture)).toEqual(Array.from({ length: 3 }, () => 'POST /org/acme/secret/-query?limit=1000'));
  });

  test('never ask for records in a GVC that does not exist', async () => {
    const fixture = await serve(platform({ records: [] }));
    const declared = [gvc('new'), ...Array.from({ length: 500 }, (_, index) => workload('new', `w${index}`))];
    await fetchSnapshot(fixture.client, request(declared));
    expect(extra(fixture)).toEqual(['POST /org/acme/gvc/-query?limit=1000']);
  });

  test('look up a GVC for its declared children, and leave out equal names in other GVCs', async () => {
    const records = [
      record('gvc', 'a'),
      record('gvc', 'b'),
      record('workload', 'web', {}, 'a'),
      record('workload', 'web', {}, 'b'),
    ];
    const fixture = await serve(platform({ records }));
    const snapshot = await fetchSnapshot(fixture.client, request([workload('a', 'web')]));
    expect([...snapshot.resources.keys()].sort()).toEqual(['gvc/a', 'workload/a/web']);
    expect(extra(fixture)).toHaveLength(2);
  });

  test('read.query: list a collection whose query is refused', async () => {
    const records = [record('gvc', 'shop', mine), record('gvc', 'declared'), record('gvc', 'foreign')];
    const instead = ({ path }: Seen) =>
      path.includes('/gvc/-query') ? { status: 400, body: { status: 400, message: 'no queries' } } : undefined;
    const fixture = await serve(platform({ records, instead }));
    const snapshot = await fetchSnapshot(fixture.client, request([gvc('shop'), gvc('declared')]));
    expect([...snapshot.resources.keys()].sort()).toEqual(['gvc/declared', 'gvc/shop']);
    expect(extra(fixture)).toEqual(['GET /org/acme/gvc?limit=1000']);
  });

  test('read.kinds: find no records of a kind that the installation does not have', async () => {
    const instead = ({ path }: Seen) => (path.includes('/cloudaccount') ? notFound : undefined);
    const fixture = await serve(platform({ records: [record('gvc', 'shop', mine)], instead }));
    expect((await fetchSnapshot(fixture.client, request([]))).resources.size).toBe(1);
  });

  test('fail with an error for an unknown org', async () => {
    const { client } = await serve(() => notFound);
    await expect(fetchSnapshot(client, request([]))).rejects.toMatchObject({
      code: 'api.not-found',
      message: expect.stringContaining('the org acme'),
    });
  });

  test('fail with one error for a bad token', async () => {
    const { client } = await serve(() => ({ status: 401, body: { status: 401, message: 'no' } }));
    await expect(fetchSnapshot(client, request([gvc('a'), workload('a', 'w')]))).rejects.toMatchObject({
      code: 'api.unauthorized',
    });
  });
});

describe('secrets', () => {
  const records = [record('secret', 'mine', mine), record('secret', 'other', mine), record('secret', 'foreign')];

  test('are revealed only if they are declared and exist', async () => {
    const fixture = await serve(platform({ records }));
    const snapshot = await fetchSnapshot(fixture.client, request([secret('mine'), secret('new')], [secret('foreign')]));
    expect(snapshot.resources.get('secret/mine')?.record['data']).toEqual({ payload: 'value' });
    expect(snapshot.resources.get('secret/other')?.record['data']).toBeUndefined();
    expect(extra(fixture).filter((line) => line.includes('reveal'))).toEqual(['GET /org/acme/secret/mine/-reveal']);
  });

  test('are listed apart if their values are refused', async () => {
    const instead = ({ path }: Seen) =>
      path.endsWith('-reveal') ? { status: 403, body: { status: 403, message: 'needs reveal' } } : undefined;
    const { client } = await serve(platform({ records, instead }));
    const snapshot = await fetchSnapshot(client, request([secret('mine')]));
    expect([...snapshot.unrevealed]).toEqual(['secret/mine']);
    expect(snapshot.resources.get('secret/mine')?.version).toBe(1);
  });
});

describe('closures', () => {
  const records = [
    record('gvc', 'old', mine),
    record('gvc', 'kept', mine),
    record('workload', 'web', mine, 'old'),
    record('volumeset', 'foreign', {}, 'old'),
    record('workload', 'web', mine, 'kept'),
  ];

  test('of owned GVCs that are no longer declared contain everything in them', async () => {
    const fixture = await serve(platform({ records }));
    const snapshot = await fetchSnapshot(fixture.client, request([gvc('kept')]));
    expect([...snapshot.closures.keys()]).toEqual(['old']);
    const closure = snapshot.closures.get('old');
    expect(closure?.known).toBe(true);
    expect(closure?.children.map(({ id }) => id).toSorted()).toEqual(['volumeset/old/foreign', 'workload/old/web']);
    expect(extra(fixture)).toHaveLength(3 + 2); // The caller, and policies.
    expect([closure?.unseen, closure?.views]).toEqual([undefined, 'untold']); // The caller is unknown.
    expect(snapshot.resources.has('volumeset/old/foreign')).toBe(false);
  });

  test('are unknown if one kind cannot be listed (read.list-of-gvc)', async () => {
    const instead = ({ path }: Seen) =>
      path.startsWith('/org/acme/gvc/old/volumeset')
        ? { status: 403, body: { status: 403, message: 'no' } }
        : undefined;
    const { client } = await serve(platform({ records, instead }));
    const snapshot = await fetchSnapshot(client, request([gvc('kept')]));
    expect(snapshot.closures.get('old')).toMatchObject({ known: false, children: [] });
  });

  const noSuchPath = { status: 404, body: { status: 404, message: 'no such path' } };

  test('of a GVC that is deleted during the read are known to be empty', async () => {
    const instead = ({ path, body }: Seen) => {
      if (path.startsWith('/org/acme/gvc/old/')) return noSuchPath;
      const byName = path.startsWith('/org/acme/gvc/-query') && JSON.stringify(body).includes('"old"');
      return byName ? { body: list([]) } : undefined;
    };
    const { client } = await serve(platform({ records, instead }));
    const snapshot = await fetchSnapshot(client, request([gvc('kept')]));
    expect(snapshot.closures.get('old')).toMatchObject({ known: true, children: [] });
  });

  test('are unknown if the installation lacks a kind, although the GVC exists', async () => {
    const instead = ({ path }: Seen) => (/\/volumeset\b(?!\/-query)/.test(path) ? noSuchPath : undefined);
    const { client } = await serve(platform({ records, instead }));
    const snapshot = await fetchSnapshot(client, request([gvc('kept')]));
    expect(snapshot.closures.get('old')).toMatchObject({ known: false, children: [] });
  });
});

describe('records of others', () => {
  test('include users by name or e-mail address, under the words of the reference', async () => {
    const records = [
      record('user', 'u1', { email: 'Ann@shop.example' }),
      record('user', 'bob', { email: 'bob@shop.example' }),
    ];
    const instead = ({ path }: Seen) => (path.includes('/user/-query') ? { body: list(records) } : undefined);
    const { client } = await serve(platform({ records, instead }));
    const users: readonly Ref[] = [
      { kind: 'user', name: 'ann@shop.example' },
      { kind: 'user', name: 'bob' },
      { kind: 'user', name: 'eve' },
    ];
    const snapshot = await fetchSnapshot(client, request([], users));
    expect([...snapshot.resources.keys()]).toEqual(['user/ann@shop.example', 'user/bob']);
  });

  test.each([
    { reply: { body: { directives: 'all' } }, directives: 'all' },
    { reply: { body: { endpoints: {} } }, directives: 'stated' },
    { reply: notFound, directives: 'stated' },
  ])(
    'read.discovery, write.all-directives: /discovery that answers $reply means directives: $directives',
    async ({ reply, directives }) => {
      const instead = ({ path }: Seen) => (path === '/discovery' ? reply : undefined);
      const { client } = await serve(platform({ records: [], instead }));
      expect((await fetchSnapshot(client, request([]))).directives).toBe(directives);
    },
  );

  test.each([
    { said: { dryRun: 'honoured' }, dryRun: 'honoured' },
    { said: { dryRun: true }, dryRun: undefined },
    { said: {}, dryRun: undefined },
  ])('write.dry-run: /discovery that says $said means dryRun: $dryRun', async ({ said, dryRun }) => {
    const instead = ({ path }: Seen) => (path === '/discovery' ? { body: said } : undefined);
    const { client } = await serve(platform({ records: [], instead }));
    expect((await fetchSnapshot(client, request([]))).dryRun).toBe(dryRun);
  });

  test.each(['write.all-directives', 'write.preconditions', 'write.dry-run'] as const)(
    '%s: a contrary answer counts more than /discovery',
    async (id) => {
      const said = { directives: 'all', preconditions: 'honoured', dryRun: 'honoured' };
      const instead = ({ path }: Seen) => (path === '/discovery' ? { body: said } : undefined);
      const capabilities = new Capabilities([[id, 'otherwise']]);
      const { client } = await serve(platform({ records: [], instead }), { capabilities });
      const { directives, preconditions, dryRun } = await fetchSnapshot(client, request([]));
      expect({ directives, preconditions, dryRun }).toEqual({
        directives: id === 'write.all-directives' ? 'stated' : 'all',
        preconditions: id === 'write.preconditions' ? 'unsaid' : undefined,
        dryRun: id === 'write.dry-run' ? undefined : 'honoured',
      });
      expect(capabilities.of(id)).toBe('otherwise');
    },
  );

  test('read.discovery: a platform without it gets one request', async () => {
    const instead = ({ path }: Seen) => (path === '/discovery' ? notFound : undefined);
    const { client, lines } = await serve(platform({ records: [], instead }));
    for (let run = 0; run < 2; run += 1) await fetchSnapshot(client, request([]));
    expect(lines().filter((line) => line === 'GET /discovery')).toHaveLength(1);
  });

  test('without an owner only names are requested', async () => {
    const fixture = await serve(platform({ records: [record('gvc', 'shop', mine)] }));
    const snapshot = await fetchSnapshot(fixture.client, { ...request([gvc('shop')]), owner: '' });
    expect([...snapshot.resources.keys()]).toEqual(['gvc/shop']);
    expect([...fixture.lines()].sort()).toEqual(['GET /discovery', 'POST /org/acme/gvc/-query?limit=1000']);
  });
});

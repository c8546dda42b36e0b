import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { renderStatus } from '../../src/cli/commands/status.ts';
import { confirmAbsence } from '../../src/client/absence.ts';
import { fetchSnapshot } from '../../src/client/fetchSnapshot.ts';
import { readStatus } from '../../src/gantry/readStatus.ts';
import type { SnapshotRequest } from '../../src/manifest/live/snapshot.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';
import type { Ref } from '../../src/schema/record/ref.ts';
import { makePalette } from '../../src/terminal/palette.ts';
import { type Fixture, list, type Reply, record, type Seen, serve } from './fakeServer.ts';

const mine = { tags: { 'gantry/stack': 'shop' } };
const refused = (status: number): Reply => ({ status, body: { status, message: 'not here' } });
const gvc = (name: string): Ref => ({ kind: 'gvc', name });
const workload = (name: string): Ref => ({ kind: 'workload', gvc: 'shop', name });

const records = [
  record('gvc', 'shop', mine),
  record('gvc', 'other'),
  record('workload', 'web', mine, 'shop'),
  record('workload', 'old', mine, 'shop'),
  record('workload', 'lost', mine, 'other'),
  record('workload', 'web', {}, 'other'),
  record('group', 'team', mine),
];

/** Requests of kinds that the platform does not know get the answer `unknown`. */
const known: ReadonlySet<string | undefined> = new Set(['gvc', 'workload', 'group', 'identity', 'volumeset']);

interface Without {
  readonly queries?: Reply;
  readonly lists?: Reply;
  readonly listsOfOrg?: Reply;
  readonly unknown?: Reply;
  readonly instead?: (seen: Seen) => Reply | undefined;
}

function platform({ queries, lists, listsOfOrg, unknown = refused(404), instead }: Without) {
  return (seen: Seen): Reply => {
    const other = instead?.(seen);
    if (other !== undefined) return other;
    const [path = ''] = seen.path.split('?');
    const [, top, org, ...rest] = path.split('/');
    const [first, home, inside] = rest;
    if (top !== 'org' || org !== 'acme') return unknown;
    if (rest.length === 0) return refused(404);
    if (!known.has(first) || (inside !== undefined && !known.has(inside))) return unknown;
    if (home === '-query')
      return queries ?? { body: list(records.filter((each) => each['kind'] === first && isAsked(each, seen))) };
    const at = `/org/acme/${rest.join('/')}`;
    if (rest.length === 1 || rest.length === 3) {
      const isScoped = first === 'workload' || first === 'identity' || first === 'volumeset';
      const answer = lists ?? (isScoped && rest.length === 1 ? listsOfOrg : undefined);
      return answer ?? { body: list(records.filter((each) => each['kind'] === (inside ?? first) && isIn(each, home))) };
    }
    const found = records.find((each) => selfOf(each) === at);
    return found === undefined ? refused(404) : { body: found };
  };
}

/** Whether a query asks for the record, by the tag of the owner or by name. */
function isAsked({ name, tags }: JsonObject, { body }: Seen): boolean {
  const spec = JSON.stringify(body);
  return spec.includes('gantry/stack') ? JSON.stringify(tags).includes('shop') : spec.includes(`"${String(name)}"`);
}

function selfOf({ links }: JsonObject): string {
  return JSON.stringify(links).match(/"self","href":"([^"]+)"/)?.[1] ?? '';
}

function isIn(each: JsonObject, home: string | undefined): boolean {
  return home === undefined || selfOf(each).startsWith(`/org/acme/gvc/${home}/`);
}

function request(declared: readonly Ref[]): SnapshotRequest {
  return { org: 'acme', owner: 'shop', declared, referenced: [] };
}

const declared = [gvc('shop'), workload('web'), workload('new'), { kind: 'group', name: 'team' } as const];

async function read(fixture: Fixture, refs: readonly Ref[] = declared) {
  const snapshot = await fetchSnapshot(fixture.client, request(refs));
  return { snapshot, ids: [...snapshot.resources.keys()].sort(), gaps: Object.fromEntries(snapshot.gaps ?? []) };
}

describe('the ways to read records, in their order', () => {
  test('read.list-of-org: lists of each GVC replace lists of the org, and find owned records in every GVC', async () => {
    const fixture = await serve(platform({ queries: refused(404), listsOfOrg: refused(405) }));
    const { ids, gaps } = await read(fixture);
    expect(ids).toEqual(['group/team', 'gvc/shop', 'workload/other/lost', 'workload/shop/old', 'workload/shop/web']);
    expect(gaps).toEqual({});
    expect(fixture.client.capabilities.of('read.query')).toBe('otherwise');
  });

  test('read.query: an unrequested record in the answer to a query is not owned', async () => {
    const all = { body: list(records.filter(({ kind }) => kind === 'group').concat(record('group', 'theirs'))) };
    const fixture = await serve(
      platform({ instead: ({ path }) => (path.includes('/group/-query') ? all : undefined) }),
    );
    expect((await fixture.client.owned('shop', ['group'])).map(({ id }) => id)).toEqual(['group/team']);
  });

  test.each([404, 405, 501])('read.list: if no list works (%i), declared records are read by name', async (status) => {
    const fixture = await serve(
      platform({ queries: refused(status), lists: refused(status), unknown: refused(status) }),
    );
    const { snapshot, ids, gaps } = await read(fixture);
    expect(ids).toEqual(['group/team', 'gvc/shop', 'workload/shop/web']);
    expect([...(snapshot.absent ?? [])]).toEqual(['workload/shop/new']);
    expect(Object.keys(gaps)).toHaveLength(creatableKinds.length);
    expect(fixture.client.capabilities.of('read.list')).toBe('otherwise');
    // A query of each kind, one list of the org, /discovery, and each declared record.
    expect(fixture.lines()).toHaveLength(creatableKinds.length + 1 + 1 + declared.length);
    // Neither a read record nor a refused path is requested again.
    const before = fixture.client.requests();
    await confirmAbsence(fixture.client, snapshot, [workload('new')]);
    expect(await fixture.client.owned('shop', ['workload'], [workload('web')])).toHaveLength(1);
    expect(fixture.client.requests() - before).toBe(1);
  });

  test('read.query-tag: a record that exists by name but is left out by the owner query shows that more may be missing', async () => {
    const instead = ({ path, body }: Seen) =>
      path.includes('/workload/-query') && JSON.stringify(body).includes('gantry/stack')
        ? { body: list([]) }
        : undefined;
    const { ids, gaps } = await read(await serve(platform({ instead })));
    expect(ids).toEqual(['group/team', 'gvc/shop', 'workload/shop/web']);
    expect(gaps).toEqual({ workload: expect.stringContaining('left out workload/shop/web') });
  });

  test('a cut list makes declared records be read by name', async () => {
    const cut = { body: { ...list([record('group', 'old', mine)]), total: 9 } };
    const instead = ({ path }: Seen) => (path.includes('/group/-query') ? cut : undefined);
    const { ids, gaps } = await read(await serve(platform({ instead })));
    expect(ids).toContain('group/team');
    expect(ids).toContain('group/old');
    expect(gaps).toEqual({ group: expect.stringContaining('it shows 1 of 9') });
  });
});

test.each([404, 405])(
  '%i on a list or query that has worked earlier in the run is an error, as a proxy without a server sends it',
  async (status) => {
    let isAway = false;
    const instead = () => (isAway ? refused(status) : undefined);
    const { client } = await serve(platform({ instead }));
    expect((await client.owned('shop', ['group'])).map(({ id }) => id)).toEqual(['group/team']);
    isAway = true;
    await expect(client.owned('shop', ['group'], [{ kind: 'group', name: 'team' }])).rejects.toMatchObject({ status });
    isAway = false;
    expect(await client.owned('shop', ['group'])).toHaveLength(1);
  },
);

describe('a kind that the platform does not know', () => {
  const page: Reply = { text: '<html><body>Not here</body></html>', headers: { 'content-type': 'text/html' } };
  test.each<readonly [string, Reply]>([
    ['401', refused(401)],
    ['403', refused(403)],
    ['404', refused(404)],
    ['405', refused(405)],
    ['500', refused(500)],
    ['501', refused(501)],
    ['a page of HTML', page],
  ])('read.unknown-kind: and answers with %s, has no records and ends no run', async (_, unknown) => {
    const fixture = await serve(platform({ unknown }));
    const { ids, gaps, snapshot } = await read(fixture);
    expect(ids).toContain('workload/shop/old');
    expect(gaps).toEqual({});
    expect(snapshot.directives).toBe('stated');
    // The kind that cannot exist is requested once.
    expect(fixture.lines().filter((line) => line.includes('gantry-unknown')).length).toBeLessThanOrEqual(3);
  });

  test('is not assumed if its answer differs from the answer to a kind that cannot exist', async () => {
    const instead = ({ path }: Seen) => (path.startsWith('/org/acme/agent') ? refused(403) : undefined);
    const { gaps } = await read(await serve(platform({ instead })));
    expect(gaps).toEqual({ agent: expect.stringContaining('not here') });
  });
});

describe('read.absent: a name whose view is forbidden', () => {
  test('exists hidden if an unused name is reported as absent', async () => {
    const { client, lines } = await serve(({ path }) => refused(path.endsWith('/gantry-unknown') ? 404 : 403));
    await expect(client.read(gvc('shop'))).rejects.toMatchObject({ code: 'api.forbidden' });
    await expect(client.read(gvc('other'))).rejects.toMatchObject({ code: 'api.forbidden' });
    expect(lines()).toEqual(['GET /org/acme/gvc/shop', 'GET /org/acme/gvc/gantry-unknown', 'GET /org/acme/gvc/other']);
  });

  test('counts as absent if every unused name is forbidden', async () => {
    const { client } = await serve(() => refused(403));
    expect(await client.read(gvc('shop'))).toBeUndefined();
    expect(await client.read({ kind: 'secret', name: 'key' })).toBeUndefined();
  });
});

describe('the org', () => {
  test('does not exist if neither it nor any record in it exists', async () => {
    const { client } = await serve(() => refused(404));
    await expect(fetchSnapshot(client, request(declared))).rejects.toMatchObject({
      message: expect.stringContaining('the org acme does not exist'),
    });
  });

  test('does not exist for status either, which then calls no record absent', async () => {
    const { client } = await serve(() => refused(404));
    const stack = { owner: 'shop', desired: undefined, scope: 'partial' } as const;
    await expect(readStatus({ client, org: 'acme', tellRetriesTo() {}, close }, stack)).rejects.toMatchObject({
      message: expect.stringContaining('the org acme does not exist'),
    });
  });

  test('exists if it exists by name, although no list works', async () => {
    const fixture = await serve(({ path }) => (path === '/org/acme' ? { body: { name: 'acme' } } : refused(404)));
    expect((await read(fixture)).ids).toEqual([]);
  });

  test('is not reported as missing if the platform has no GET for it', async () => {
    const fixture = await serve(({ path }) => refused(path === '/org/acme' ? 405 : 404));
    expect((await read(fixture)).ids).toEqual([]);
  });
});

describe('link.self: links of records', () => {
  test.each<readonly [string, (gvc: string, name: string) => readonly JsonObject[]]>([
    [
      'absolute',
      (home, name) => [{ rel: 'self', href: `https://api.example/v1/org/acme/gvc/${home}/workload/${name}` }],
    ],
    ['short', (home, name) => [{ rel: 'self', href: `//gvc/${home}/workload/${name}` }]],
    ['relative', (home, name) => [{ rel: 'self', href: `gvc/${home}/workload/${name}` }]],
    ['of the GVC alone', (home) => [{ rel: 'gvc', href: `//gvc/${home}` }]],
    ['the name of the GVC', (home) => [{ rel: 'gvc', href: home }]],
  ])('may be %s', async (_, links) => {
    const { client } = await serve(() => ({
      body: list([
        { ...record('workload', 'web', {}, 'shop'), links: links('shop', 'web') },
        { ...record('workload', 'web', {}, 'other'), links: links('other', 'web') },
      ]),
    }));
    expect((await client.list('workload')).map(({ id }) => id)).toEqual(['workload/shop/web', 'workload/other/web']);
  });

  test('may be missing: then a record is the requested one, at the requested place', async () => {
    const bare = { ...record('workload', 'web', {}, 'shop'), links: [] };
    const { client } = await serve(({ path }) => ({ body: path.includes('?') ? list([bare]) : bare }));
    expect((await client.list('workload', 'shop'))[0]?.id).toBe('workload/shop/web');
    expect((await client.read(workload('web')))?.id).toBe('workload/shop/web');
  });

  test('link.gvc: if they are missing in a list over all GVCs, the GVCs are listed one by one', async () => {
    const bare = (each: JsonObject) => ({ ...each, links: [] });
    const world = platform({});
    const fixture = await serve((seen) => {
      const { body, ...reply } = world(seen);
      return { ...reply, text: JSON.stringify(body, (key, value) => (key === 'items' ? value.map(bare) : value)) };
    });
    const { ids, gaps } = await read(fixture);
    expect(ids).toContain('workload/shop/old');
    expect(ids).toContain('workload/other/lost');
    expect(gaps).toEqual({});
  });
});

test('read.query, read.discovery: a platform known to lack queries and /discovery gets none of them', async () => {
  const answer = platform({ queries: refused(404), lists: refused(405) });
  const request = { org: 'acme', owner: 'shop', declared: [gvc('shop'), workload('web')], referenced: [] };
  const first = await serve(answer);
  await fetchSnapshot(first.client, request);
  expect(first.client.capabilities.of('read.query')).toBe('otherwise');
  const second = await serve(answer, { capabilities: first.client.capabilities });
  const { resources, requests } = await fetchSnapshot(second.client, request);
  expect([...resources.keys()].sort()).toEqual(['gvc/shop', 'workload/shop/web']);
  expect(requests).toBe(3); // The list of GVCs, and the two by name.
});

test('read.list: the status of a stack reports that the platform does not list all of it', async () => {
  const instead = ({ path }: Seen) => (path.includes('/workload') ? refused(400) : undefined);
  const fixture = await serve(platform({ instead }));
  const stack = { owner: 'shop', desired: undefined, scope: 'whole' } as const;
  const status = await readStatus({ client: fixture.client, org: 'acme', tellRetriesTo() {}, close }, stack);
  expect(status.unlisted).toMatch(/^the platform does not list every workload \(/);
  const text = renderStatus(status, { palette: makePalette(false), columns: 200 });
  expect(text).toContain('Not all may be shown: the platform does not list every');
});

const close = () => Promise.resolve();

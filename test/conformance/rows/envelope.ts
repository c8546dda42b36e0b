import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { problemPaths } from '../harness/fieldRows.ts';
import { specOf, town } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { ownRow, parted, partOf, type Row, row } from '../harness/row.ts';
import type { Wire } from '../harness/wire.ts';

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const foreign = '00000000-0000-4000-8000-000000000000';

/** The three kinds whose create and PATCH forms the specification names: a collection and a record. */
const formKinds: Readonly<Record<string, (wire: Wire) => Promise<{ collection: string; record: JsonObject }>>> = {
  gvc: async (wire) => ({ collection: 'gvc', record: { name: wire.name('gvc') } }),
  workload: async (wire) => ({
    collection: `gvc/${await town(wire)}/workload`,
    record: { name: wire.name('work'), spec: specOf('standard') },
  }),
  domain: async (wire) => ({ collection: 'domain', record: { name: `${wire.name('shop')}.com` } }),
};

async function eachForm(wire: Wire, check: (collection: string, record: JsonObject) => Promise<void>): Promise<void> {
  for (const form of Object.values(formKinds)) {
    const { collection, record } = await form(wire);
    await check(collection, record);
  }
}

/** Fields that the specification of the platform does not show (platform/identity, platform/location, platform/task). */
interface Shown {
  readonly kind: string;
  readonly says: string;
  readonly collection?: (wire: Wire) => Promise<string>;
  readonly sent: JsonObject;
  readonly shown: object;
}

const memberQuery = { kind: 'user', spec: { match: 'any', terms: [{ op: '=', tag: 'team', value: 'shop' }] } };
const resources = { networkResources: [{ name: 'database', IPs: ['10.0.0.1'], ports: [5432] }] };

// biome-ignore format: a row is a case
const shownByKind: readonly Shown[] = [
  { kind: 'identity', says: 'an identity stores network resources, and shows the object created for it',
    collection: async (wire) => `gvc/${await town(wire)}/identity`, sent: resources,
    shown: { ...resources, status: { objectName: expect.any(String) } } },
  { kind: 'ipset', says: 'an IP set stores its link and its locations with their retention policy',
    sent: { spec: { link: '//gvc/any', locations: [{ name: '//location/aws-us-east-1', retentionPolicy: 'free' }] } },
    shown: { spec: { link: '/org/local/gvc/any',
      locations: [{ name: '/org/local/location/aws-us-east-1', retentionPolicy: 'free' }] } } },
  { kind: 'group', says: 'a group stores members, a member query and a matcher, and shows its origin',
    sent: { memberLinks: ['//user/ann@example.com'], memberQuery, identityMatcher: { expression: 'email' } },
    shown: { origin: 'default', memberLinks: [expect.stringMatching(/^\/org\/local\/user\//)], memberQuery,
      identityMatcher: { expression: 'email', language: 'jmespath' } } },
  { kind: 'auditctx', says: 'an audit context has a name, a description and tags, and its origin',
    sent: { tags: { a: 'b' } }, shown: { origin: 'default', tags: { a: 'b' } } },
];

/** Demands that a domain keeps a description of 250 characters, and cannot have a longer one. */
export async function boundedDescription(wire: Wire): Promise<void> {
  const name = `${wire.name('shop')}.com`;
  expect((await wire.ok('POST', 'domain', { name }))['description']).toBe(name);
  const description = 'd'.repeat(250);
  expect((await wire.ok('PATCH', `domain/${name}`, { description }))['description']).toBe(description);
  for (const [method, path] of [
    ['POST', 'domain'],
    ['PATCH', `domain/${name}`],
  ] as const) {
    const longer = { name: method === 'POST' ? `other-${name}` : name, description: `${description}d` };
    expect(problemPaths(await wire.refused(400, method, path, longer))).toContain('description');
  }
}

export const envelopeRows: readonly Row[] = [
  row('concepts.record/id', 'id is set by the server, and a sent one is ignored', async (wire) => {
    const created = await wire.ok('POST', 'gvc', { name: wire.name('gvc'), id: foreign });
    expect(created['id']).toMatch(uuid);
    expect(created['id']).not.toBe(foreign);
    expect((await wire.get(`gvc/${created['name']}`))['id']).toBe(created['id']);
  }),
  row('concepts.record/name', 'name is required on create', async (wire) => {
    const name = wire.name('gvc');
    expect((await wire.ok('POST', 'gvc', { name }))['name']).toBe(name);
    expect(problemPaths(await wire.refused(400, 'POST', 'gvc', {}))).toContain('name');
  }),
  row('concepts.record/kind', 'kind is the resource kind, in every record', async (wire) => {
    const gvc = await town(wire);
    expect((await wire.get(`gvc/${gvc}`))['kind']).toBe('gvc');
    expect((await wire.get('group/superusers'))['kind']).toBe('group');
    await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), kind: 'group' });
  }),
  row(
    'concepts.record/version',
    'version is an integer that the server counts, and a sent one is ignored on create',
    async (wire) => {
      const name = wire.name('gvc');
      expect((await wire.ok('POST', 'gvc', { name, version: 9 }))['version']).toBe(1);
      expect((await wire.ok('PATCH', `gvc/${name}`, { description: 'other' }))['version']).toBe(2);
    },
  ),
  row(
    'concepts.record/description',
    'description is stored, is the name by default, and has at most 250 characters',
    boundedDescription,
  ),
  row('concepts.record/tags', 'tags is a free map of keys to values', async (wire) => {
    const name = wire.name('gvc');
    const tags = { team: 'shop', 'a.b/c': 'x', count: 3, on: true };
    expect((await wire.ok('POST', 'gvc', { name, tags }))['tags']).toEqual(tags);
    const { tags: merged } = await wire.ok('PATCH', `gvc/${name}`, { tags: { team: null, more: 'y' } });
    expect(merged).toEqual({ 'a.b/c': 'x', count: 3, on: true, more: 'y' });
    expect((await wire.ok('POST', 'gvc', { name: wire.name('gvc') }))['tags']).toEqual({});
  }),
  ownRow('concepts.record/created', 'created is an ISO 8601 date-time that no client sets', {}, async (wire) => {
    const created = await wire.ok('POST', 'gvc', { name: 'shop', created: '2001-01-01T00:00:00.000Z' });
    expect(created['created']).toMatch(dateTime);
    expect(created['created']).not.toContain('2001');
    await wire.advance('1h');
    await wire.ok('PATCH', 'gvc/shop', { description: 'later' });
    expect((await wire.get('gvc/shop'))['created']).toBe(created['created']);
  }),
  ownRow('concepts.record/lastModified', 'lastModified is the date-time of the last change', {}, async (wire) => {
    const created = await wire.ok('POST', 'gvc', { name: 'shop' });
    expect(created['lastModified']).toMatch(dateTime);
    await wire.advance('90m');
    expect((await wire.get('gvc/shop'))['lastModified']).toBe(created['lastModified']);
    const { lastModified } = await wire.ok('PATCH', 'gvc/shop', { description: 'later' });
    expect(Date.parse(String(lastModified)) - Date.parse(String(created['lastModified']))).toBe(90 * 60 * 1000);
  }),
  row('concepts.record/links', 'links have rel and href: of itself, the org, its GVC if it has one', async (wire) => {
    const gvc = await town(wire);
    const name = wire.name('identity');
    const { links } = await wire.ok('POST', `gvc/${gvc}/identity`, {
      name,
      links: [{ rel: 'self', href: '/wrong' }],
    });
    expect(links).toEqual(
      expect.arrayContaining([
        { rel: 'self', href: `/org/local/gvc/${gvc}/identity/${name}` },
        { rel: 'org', href: '/org/local' },
        { rel: 'gvc', href: `/org/local/gvc/${gvc}` },
      ]),
    );
    expect(JSON.stringify(links)).not.toContain('/wrong');
  }),
  row('concepts.record/spec', 'spec is an object of the kind, and an unknown field is refused', async (wire) => {
    const created = await wire.ok('POST', 'gvc', { name: wire.name('gvc'), spec: { domain: 'a.example.com' } });
    expect(created['spec']).toMatchObject({ domain: 'a.example.com' });
    const error = await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec: { nope: 1 } });
    expect(JSON.stringify(error)).toContain('nope');
  }),
  row('concepts.record/status', 'status is an object of the kind that only the server writes', async (wire) => {
    const name = `${wire.name('shop')}.com`;
    const { status } = await wire.ok('POST', 'domain', { name, status: { status: 'mine' } });
    expect(at(status, 'status')).toMatch(/^[a-z]+[A-Za-z]*$/);
    expect(at(status, 'status')).not.toBe('mine');
    const patched = await wire.ok('PATCH', `domain/${name}`, { status: { status: 'mine' } });
    expect(at(patched, 'status/status')).not.toBe('mine');
    expect(patched['version']).toBe(1);
  }),
  row('concepts.record/alias', 'a GVC has an alias of 13 letters and digits, which no client changes', async (wire) => {
    const { name, alias } = await wire.ok('POST', 'gvc', { name: wire.name('gvc'), alias: 'mine' });
    expect(alias).toMatch(/^[a-z0-9]{13}$/);
    expect((await wire.ok('PATCH', `gvc/${name}`, { alias: 'mine', description: 'x' }))['alias']).toBe(alias);
  }),
  row(
    'concepts.record/create forms',
    'the create forms of GVC, workload and domain carry description and tags',
    (wire) =>
      eachForm(wire, async (collection, record) => {
        const sent = { ...record, description: 'said', tags: { a: 'b' } };
        expect(await wire.ok('POST', collection, sent)).toMatchObject({ description: 'said', tags: { a: 'b' } });
      }),
  ),
  row('concepts.record/PATCH forms', 'the PATCH forms of GVC, workload and domain carry description and tags', (wire) =>
    eachForm(wire, async (collection, record) => {
      await wire.ok('POST', collection, record);
      const change = { description: 'said', tags: { a: 'b' } };
      expect(await wire.ok('PATCH', `${collection}/${record['name']}`, change)).toMatchObject({
        ...change,
        version: 2,
      });
    }),
  ),
  row(
    'concepts.record/PATCH name',
    'the PATCH forms also carry name: the same name changes nothing, and another one is refused',
    (wire) =>
      eachForm(wire, async (collection, record) => {
        await wire.ok('POST', collection, record);
        const item = `${collection}/${record['name']}`;
        expect((await wire.ok('PATCH', item, { name: record['name'] ?? '' }))['version']).toBe(1);
        await wire.refused(400, 'PATCH', item, { name: `other-${record['name']}` });
      }),
  ),
  ...kindRows(),
];

function kindRows(): readonly Row[] {
  return [
    ...shownByKind.map(({ kind, says, collection = async () => kind, sent, shown }) =>
      row(`concepts.record/${kind}`, says, async (wire) => {
        const created = await wire.ok('POST', await collection(wire), { name: wire.name(kind), ...sent });
        expect(created).toMatchObject({ kind, ...shown });
      }),
    ),
    row(
      'concepts.record/serviceaccount',
      'a service account shows its keys, without their values, and its origin',
      async (wire) => {
        const name = wire.name('robot');
        expect(await wire.ok('POST', 'serviceaccount', { name })).toMatchObject({ origin: 'default' });
        const key = await wire.ok('POST', `serviceaccount/${name}/-addKey`, { description: 'first' });
        const account = await wire.get(`serviceaccount/${name}`);
        expect(itemsAt(account, 'keys')).toMatchObject([{ name: key['name'], description: 'first' }]);
        expect(JSON.stringify(account)).not.toContain(String(key['key']));
      },
    ),
    row('concepts.record/task', 'a task shows its addressee, its creator, its subject and its status', async (wire) => {
      const emails = [`${wire.name('guest')}@example.com`];
      await wire.ok('POST', 'user/-invite', { emails, groupLink: '/org/local/group/viewers' });
      const tasks = itemsAt(await wire.get('task'), 'items');
      expect(tasks.find(({ targetEmail }) => targetEmail === emails[0])).toMatchObject({
        kind: 'task',
        status: 'pending',
        id: expect.stringMatching(uuid),
        type: expect.any(String),
        creatorLink: expect.stringMatching(/^\/org\/local\/user\//),
        created: expect.stringMatching(dateTime),
      });
    }),
    parted(
      'concepts.record/location',
      'a location shows provider, region, whether it is enabled, and where it lies',
      partOf('a location shows provider, region, whether it is enabled, and where it lies', async (wire) => {
        const location = await wire.get('location/aws-eu-central-1');
        expect(location).toMatchObject({
          kind: 'location',
          provider: 'aws',
          region: 'eu-central-1',
          origin: 'builtin',
          tags: {},
          spec: { enabled: true },
        });
        expect(Object.keys(Object(at(location, 'status/geo')))).toEqual(
          expect.arrayContaining(['lat', 'lon', 'country', 'city', 'continent']),
        );
      }),
      partOf('an org has at least twelve locations of three providers', async (wire) => {
        const locations = itemsAt(await wire.get('location'), 'items');
        expect(locations.length).toBeGreaterThanOrEqual(12);
        expect(new Set(locations.map(({ provider }) => provider))).toEqual(new Set(['aws', 'gcp', 'azure']));
        for (const { name, provider, region } of locations) expect(name).toBe(`${provider}-${region}`);
        const names = ['aws-eu-central-1', 'aws-us-east-1', 'aws-us-west-2', 'gcp-us-east1', 'azure-eastus2'];
        expect(locations.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      }),
    ),
  ];
}

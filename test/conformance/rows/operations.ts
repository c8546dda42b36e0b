import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { allPages, creates } from '../harness/client.ts';
import { makeCron } from '../harness/cron.ts';
import {
  allow,
  container,
  east,
  filled,
  makeCaller,
  makeGvc,
  makeIdentity,
  makeVolumeSet,
  makeWorkload,
  specOf,
  town,
} from '../harness/fixtures.ts';
import { itemsAt } from '../harness/place.ts';
import { ownRow, type Part, parted, partOf, type Row, row } from '../harness/row.ts';
import { mounted } from '../harness/volumes.ts';
import type { Wire } from '../harness/wire.ts';

/** The three kinds whose create and PATCH forms the specification names. */
interface Form {
  readonly kind: string;
  readonly collection: (wire: Wire) => Promise<string>;
  readonly name: (wire: Wire) => string;
  readonly spec: JsonObject;
  readonly change: JsonObject;
  /** Part of the answer to the PATCH. */
  readonly shown: object;
}

// biome-ignore format: a row is a case
const forms: readonly Form[] = [
  { kind: 'gvc', collection: async () => 'gvc', name: (wire) => wire.name('gvc'),
    spec: { env: [{ name: 'A', value: 'b' }] }, change: { spec: { domain: 'a.example.com' } },
    shown: { kind: 'gvc', alias: expect.any(String), status: {},
      spec: { domain: 'a.example.com', env: [{ name: 'A', value: 'b' }] } } },
  { kind: 'workload', collection: async (wire) => `gvc/${await town(wire)}/workload`, name: (wire) => wire.name('work'),
    spec: specOf('standard'), change: { spec: { '$patch/containers': [{ name: 'main', image: 'shop/web:2' }] } },
    shown: { spec: { containers: [{ name: 'main', image: 'shop/web:2', cpu: '50m' }] } } },
  { kind: 'domain', collection: async () => 'domain', name: (wire) => `${wire.name('shop')}.com`,
    spec: { dnsMode: 'cname' }, change: { spec: { certChallengeType: 'dns01' } },
    shown: { spec: { dnsMode: 'cname', certChallengeType: 'dns01' }, status: expect.any(Object) } },
];

const formRows: readonly Row[] = forms.flatMap(({ kind, collection, name, spec, change, shown }) => [
  row(`wire.operations/POST ${kind}`, `POST of a ${kind} with all its members returns the record`, async (wire) => {
    const body = { name: name(wire), description: 'd', tags: { a: 'b' }, spec };
    const sent = kind === 'workload' ? { ...body, health: { readiness: 'x' } } : body;
    expect(await creates(wire, await collection(wire), sent)).toMatchObject(body);
  }),
  row(`wire.operations/PATCH ${kind}`, `PATCH of a ${kind} returns the record`, async (wire) => {
    const item = { name: name(wire), spec };
    const path = await collection(wire);
    await wire.ok('POST', path, item);
    const patched = await wire.ok('PATCH', `${path}/${item.name}`, change);
    expect(patched).toMatchObject({ name: item.name, version: 2, ...shown });
  }),
]);

export const operationRows: readonly Row[] = [
  row(
    'wire/path parameters',
    'org, gvc and name are parts of the path, and a missing record is answered with 404',
    async (wire) => {
      const gvc = await town(wire);
      expect((await wire.get(`/org/local/gvc/${gvc}`))['name']).toBe(gvc);
      expect((await wire.get('group/v%69ewers'))['name']).toBe('viewers');
      const beside = [`gvc/${gvc.toUpperCase()}`, `gvc/${gvc}/domain`, `gvc/${gvc}/-nothing`];
      for (const path of [
        '/org/none/gvc',
        `/org/none/gvc/${gvc}`,
        'gvc/none',
        'gvc/none/workload',
        'none',
        ...beside,
      ]) {
        await wire.refused(404, 'GET', path);
      }
    },
  ),
  row('wire/Authorization', 'each request carries Authorization, and is refused without', async (wire) => {
    for (const [method, path] of [
      ['GET', 'gvc'],
      ['POST', 'gvc'],
      ['GET', '/org/none'],
      ['DELETE', 'gvc/none'],
    ] as const) {
      expect((await wire.call(method, path, undefined, { authorization: null })).status).toBe(401);
    }
  }),
  row('wire/JSON', 'bodies are JSON with any content type, and other bodies are refused', async (wire) => {
    const headers = { 'content-type': 'text/plain' };
    expect((await wire.call('POST', 'gvc', { name: wire.name('gvc') }, { headers })).status).toBe(201);
    for (const body of ['', '{', '[]']) await wire.refused(400, 'POST', 'gvc', body);
    const marked = wire.name('gvc');
    await wire.ok('POST', 'gvc', `\ufeff{"name":"${marked}"}`);
    await wire.get(`gvc/${marked}`);
    expect((await wire.call('GET', 'gvc')).headers.get('content-type')).toMatch(/^application\/json/);
  }),
  row('wire/list query parameters', 'a list is split into pages, which next links connect', async (wire) => {
    const { gvc, names } = await filled(wire);
    const first = await wire.get(`gvc/${gvc}/identity`);
    expect(first).toMatchObject({ kind: 'list', itemKind: 'identity' });
    expect(itemsAt(first, 'items')).toHaveLength(50);
    const found = await allPages(wire, 'GET', `gvc/${gvc}/identity`);
    expect(found.map(({ name }) => name).toSorted()).toEqual(names);
    expect(itemsAt(await wire.get(`gvc/${gvc}/identity?limit=7`), 'items')).toHaveLength(7);
  }),
  ...formRows,
  row('wire.operations/GET domain', 'GET of a domain is answered when the caller may view it', async (wire) => {
    const name = `${wire.name('shop')}.com`;
    await wire.ok('POST', 'domain', { name });
    const caller = await makeCaller(wire);
    const before = await wire.call('GET', `domain/${name}`, undefined, { authorization: caller.key });
    expect(before.status).toBe(403);
    expect(before.body['message']).toContain('[view]');
    await allow(wire, 'domain', 'view', caller.link);
    expect((await wire.call('GET', `domain/${name}`, undefined, { authorization: caller.key })).body['name']).toBe(
      name,
    );
  }),
  ownRow(
    'wire.operations/POST workload command',
    'POST of a command to a workload is answered with 201 and the address of the command',
    {},
    async (wire) => {
      const workload = await makeCron(wire, { schedule: '0 0 1 1 *' }, { runSeconds: 1 });
      await commandIsMade(wire, workload, { type: 'runCronWorkload', spec: { location: east } });
    },
  ),
  ownRow(
    'wire.operations/POST volumeset command',
    'POST of a command to a volume set is answered with 201 and the address of the command',
    {},
    async (wire) => {
      const { set } = await mounted(wire);
      const spec = { location: east, volumeIndex: 0, newStorageCapacity: 20 };
      await commandIsMade(wire, set, { type: 'expandVolume', spec });
    },
  ),
  parted(
    'wire.operations/status codes',
    'success and failure have the status codes of platform/wire.operations',
    ...statusParts(),
  ),
];

/** Demands exactly 201, the Location, and that the command can be read, listed and queried there. */
async function commandIsMade(wire: Wire, item: string, body: JsonObject): Promise<void> {
  const reply = await wire.call('POST', `${item}/-command`, body);
  expect(reply.status, reply.text).toBe(201);
  const location = reply.headers.get('location') ?? '';
  expect(location).toMatch(new RegExp(`^/org/local/${item}/-command/[^/]+$`));
  const id = location.split('/').at(-1);
  expect(await wire.get(location)).toMatchObject({
    id,
    kind: 'command',
    type: body['type'],
    spec: body['spec'],
    version: expect.any(Number),
    created: expect.any(String),
    lifecycleStage: expect.stringMatching(/^(pending|running|completed)$/),
    ownerId: expect.any(String),
    status: expect.any(Object),
    links: expect.arrayContaining([{ rel: 'self', href: location }]),
  });
  const list = await wire.get(`${item}/-command`);
  expect(list).toMatchObject({ kind: 'list', itemKind: 'command' });
  expect(itemsAt(list, 'items').map((entry) => entry['id'])).toContain(id);
  const query = await wire.ok('POST', `${item}/-command/-query`, {});
  expect(itemsAt(query, 'items').map((entry) => entry['id'])).toContain(id);
}

function statusParts(): readonly Part[] {
  return [
    partOf('POST 201, and 409 for a name that is taken', async (wire) => {
      const name = wire.name('gvc');
      expect((await wire.call('POST', 'gvc', { name })).status).toBe(201);
      await wire.refused(409, 'POST', 'gvc', { name });
    }),
    partOf('PATCH 200, 404 for a missing record, 409 for another version or id', async (wire) => {
      const gvc = await makeGvc(wire);
      await wire.refused(404, 'PATCH', 'gvc/none', {});
      await wire.refused(409, 'PATCH', `gvc/${gvc}`, { version: 7, description: 'x' });
      await wire.refused(409, 'PATCH', `gvc/${gvc}`, { id: '00000000-0000-4000-8000-000000000000', description: 'x' });
      expect((await wire.call('PATCH', `gvc/${gvc}`, { version: 1, description: 'x' })).status).toBe(200);
    }),
    partOf('DELETE 202, then 404', async (wire) => {
      const gvc = await makeGvc(wire);
      const identity = await makeIdentity(wire, gvc);
      const workload = await makeWorkload(wire, gvc, specOf('standard', { identityLink: identity }));
      const set = `gvc/${gvc}/volumeset/${await makeVolumeSet(wire, gvc)}`;
      const inGvc = await makeIdentity(wire, gvc);
      for (const path of [workload, identity, set, `gvc/${gvc}`]) {
        const reply = await wire.call('DELETE', path);
        expect([reply.status, reply.body]).toEqual([202, {}]);
        await wire.refused(404, 'GET', path);
        await wire.refused(404, 'DELETE', path);
      }
      await wire.refused(404, 'GET', inGvc);
    }),
    partOf('DELETE of the org and of an audit context 405, and POST of an image 405', async (wire) => {
      await wire.refused(405, 'DELETE', '/org/local');
      const name = wire.name('audit');
      await wire.ok('POST', 'auditctx', { name });
      await wire.refused(405, 'DELETE', `auditctx/${name}`);
      await wire.refused(405, 'POST', 'image', { name: 'web:1' });
    }),
    partOf('DELETE of a protected, built-in or referenced record 400', async (wire) => {
      const name = wire.name('gvc');
      await wire.ok('POST', 'gvc', { name, tags: { 'scheme/protected': 'true' } });
      const gvc = await makeGvc(wire);
      const kept = { name: wire.name('identity'), tags: { 'scheme/protected': 'true' } };
      await wire.ok('POST', `gvc/${gvc}/identity`, kept);
      const protectedWork = await makeWorkload(wire, await makeGvc(wire), specOf('standard'));
      await wire.ok('PATCH', protectedWork, { tags: kept.tags });
      const guarded = [protectedWork, `gvc/${name}`, `gvc/${gvc}/identity/${kept.name}`, `gvc/${gvc}`];
      for (const path of [
        ...guarded,
        'group/superusers',
        'group/viewers',
        'location/aws-us-east-1',
        'policy/viewers-gvc',
      ]) {
        await wire.refused(400, 'DELETE', path);
        await wire.get(path);
      }
      const set = await makeVolumeSet(wire, gvc);
      const volumes = [{ uri: `scheme://volumeset/${set}`, path: '/data' }];
      const workload = await makeWorkload(wire, gvc, specOf('stateful', { containers: [container({ volumes })] }));
      const error = await wire.refused(400, 'DELETE', `gvc/${gvc}/volumeset/${set}`);
      expect(error['message']).toContain(workload.split('/').at(-1));
    }),
  ];
}

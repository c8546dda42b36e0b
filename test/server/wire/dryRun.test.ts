import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt, own } from '../../../src/base/json/json.ts';
import type { Method } from '../../../src/server/api/openapi/described.ts';
import { takesDryRun } from '../../../src/server/api/openapi/described.ts';
import { routes } from '../../../src/server/routeTable.ts';
import { container, makeShop, platformForAll } from '../platform.ts';

const platform = platformForAll({ clock: 'virtual', dev: true }, async ({ send }) => {
  await makeShop({ send }, 'aws-eu-central-1');
  await send('POST', 'gvc/shop/workload', { name: 'web', spec: { type: 'serverless', containers: [container()] } });
  await send('POST', 'gvc/shop/volumeset', {
    name: 'files',
    spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' },
  });
  await send('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'p' } });
  await send('POST', 'serviceaccount', { name: 'robot' });
});

/** The whole state: records, versions, audit events, event log, facts and due jobs. */
async function state(): Promise<JsonObject> {
  const { status, body } = await platform.send('GET', '/-snapshot?secrets=true');
  expect(status).toBe(200);
  return body;
}

/** The records only, because a refused write adds an audit event. */
async function records(): Promise<readonly JsonValue[]> {
  const all = listAt(objectAt(objectAt(await state(), 'orgs'), 'local'), 'records');
  expect(all.length).toBeGreaterThan(3);
  return all;
}

interface Case {
  readonly it: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: JsonObject;
  /** Part of the answer. */
  readonly shows: JsonObject;
}

// biome-ignore format: one case a line
const tried: readonly Case[] = [
  { it: 'POST of a record', method: 'POST', path: 'gvc', body: { name: 'other' },
    shows: { name: 'other', version: 1, spec: { endpointNamingFormat: 'org' } } },
  { it: 'POST of a workload, which would be rolled out', method: 'POST', path: 'gvc/shop/workload',
    body: { name: 'job', spec: { type: 'serverless', containers: [container()] } },
    shows: { name: 'job', version: 1 } },
  { it: 'PATCH of a record', method: 'PATCH', path: 'gvc/shop', body: { description: 'changed', tags: { a: '1' } },
    shows: { description: 'changed', tags: { a: '1' }, version: 2 } },
  { it: 'PATCH of a workload, which would be rolled out again', method: 'PATCH', path: 'gvc/shop/workload/web',
    body: { spec: { containers: [container({ image: 'shop/web:2' })] } }, shows: { version: 2 } },
  { it: 'PATCH of a secret', method: 'PATCH', path: 'secret/key', body: { data: { payload: 'q' } },
    shows: { name: 'key', version: 2 } },
  { it: 'PATCH of the org', method: 'PATCH', path: '/org/local', body: { description: 'x' },
    shows: { description: 'x' } },
  { it: 'PUT of a collection', method: 'PUT', path: 'gvc', body: { name: 'put' }, shows: { name: 'put', version: 1 } },
  { it: 'PUT of a record', method: 'PUT', path: 'gvc/shop', body: { description: 'p' }, shows: { description: 'p' } },
  { it: 'DELETE of a GVC with its records', method: 'DELETE', path: 'gvc/shop', shows: {} },
  { it: 'DELETE of a volume set', method: 'DELETE', path: 'gvc/shop/volumeset/files', shows: {} },
  { it: 'an invitation', method: 'POST', path: 'user/-invite', body: { emails: ['ann@example.com'] }, shows: {} },
];

describe('dryRun=true (platform/wire.dry-run)', () => {
  test.each(tried)(
    '$it is answered with 200, and changes and schedules nothing',
    async ({ method, path, body, shows }) => {
      const before = await state();
      const answer = await platform.send(method, `${path}?dryRun=true`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body).toMatchObject(shows);
      expect(answer.headers.get('location')).toBeNull();
      expect(await state()).toEqual(before);
    },
  );

  test.each<[Method, string, JsonObject | undefined, number]>([
    ['POST', 'gvc', { name: 'shop' }, 409],
    ['POST', 'gvc', { name: 'bad', spec: { none: 1 } }, 400],
    ['PATCH', 'gvc/shop', { version: 77, description: 'x' }, 409],
    ['PATCH', 'gvc/none', { description: 'x' }, 404],
    ['DELETE', 'gvc/none', undefined, 404],
    ['PUT', 'gvc/shop', { spec: { none: 1 } }, 400],
    ['PUT', 'gvc/none/workload/web', { spec: {} }, 404],
    ['DELETE', 'location/aws-eu-central-1', undefined, 400],
    ['PATCH', 'gvc/shop', { spec: 'x' }, 400],
  ])(
    '%s %s with %j is refused with %d, as the write itself, without an audit event',
    async (method, path, body, status) => {
      const before = await state();
      const dry = await platform.send(method, `${path}?dryRun=true`, body);
      expect(dry.status).toBe(status);
      expect(await state()).toEqual(before);
      const write = await platform.send(method, path, body);
      expect(write.body['message']).toBe(dry.body['message']);
    },
  );

  test.each<[Method, string, JsonObject | undefined]>([
    [
      'POST',
      'gvc/shop/workload/web/-command',
      { type: 'stopReplica', spec: { location: 'aws-eu-central-1', replica: 'r' } },
    ],
    ['POST', 'serviceaccount/robot/-addKey', { description: 'k' }],
    ['POST', '/audit/org/local/auditctx/releases', {}],
    ['POST', '/org', { name: 'second-org' }],
    ['POST', '/-clock', { advance: '1h' }],
  ])('%s %s cannot be tried, and is refused with 400', async (method, path, body) => {
    const before = await state();
    const { status, body: said } = await platform.send(method, `${path}?dryRun=true`, body);
    expect(status).toBe(400);
    expect(said['message']).toContain('cannot be tried');
    expect(await state()).toEqual(before);
  });

  test.each(['yes', '', 'TRUE', '1', 'true&dryRun=true'])(
    'the value %j is refused before anything is written',
    async (value) => {
      for (const [method, path] of [
        ['PATCH', 'gvc/shop'],
        ['POST', 'gvc'],
        ['DELETE', 'gvc/shop'],
      ] as const) {
        const { status, body } = await platform.send(
          method,
          `${path}?dryRun=${value}`,
          method === 'DELETE' ? undefined : { name: 'shop' },
        );
        expect([status, body['message']]).toEqual([400, 'dryRun is true or false, and is given once']);
      }
      expect((await platform.send('GET', 'gvc/shop')).body).toMatchObject({ version: 1 });
    },
  );

  test.each(['dryrun=true', 'DryRun=true', 'dry-run=true', 'dryRun=true&force=1', 'force=1'])(
    'a write with the unknown parameter in ?%s is refused before anything is written',
    async (query) => {
      const before = await records();
      const writes: readonly (readonly [Method, string, JsonObject?])[] = [
        ['DELETE', 'gvc/shop'],
        ['PATCH', 'gvc/shop', { description: 'x' }],
        ['PUT', 'gvc', { name: 'put' }],
        ['POST', 'gvc', { name: 'other' }],
        ['POST', 'serviceaccount/robot/-addKey', { description: 'k' }],
      ];
      for (const [method, path, body] of writes) {
        const answer = await platform.send(method, `${path}?${query}`, body);
        expect([path, answer.status, answer.body['message']]).toEqual([
          path,
          400,
          expect.stringMatching(/ has no query parameter "(dryrun|DryRun|dry-run|force)"/),
        ]);
      }
      expect(await records()).toEqual(before);
    },
  );

  test('the refusal of a misspelt dryRun suggests the right spelling', async () => {
    const { body } = await platform.send('DELETE', 'gvc/shop?dryrun=true');
    expect(body['message']).toBe('gvc.delete has no query parameter "dryrun". Did you mean "dryRun"?');
  });

  test('the value false is the same as no parameter', async () => {
    expect((await platform.send('POST', 'group?dryRun=false', { name: 'kept' })).status).toBe(201);
    expect((await platform.send('GET', 'group/kept')).status).toBe(200);
  });

  test('the API description has the parameter exactly for the operations that can be tried', async () => {
    const { body } = await platform.send('GET', '/openapi.json');
    const paths = objectAt(body, 'paths');
    const described = routes.filter(({ method, path }) =>
      listAt(objectAt(objectAt(paths, path), method.toLowerCase()), 'parameters').some(
        (each) => isObject(each) && own(each, 'name') === 'dryRun',
      ),
    );
    expect(described.length).toBeGreaterThan(80);
    expect(described.map(({ id }) => id)).toEqual(routes.filter(takesDryRun).map(({ id }) => id));
  });
});

import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/schema/json/json.ts';
import { allow, link, makeCaller, makeGvc, makeIdentity, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** Makes a GVC with tags; its path. */
export async function tagged(wire: Wire, tags: JsonObject): Promise<string> {
  const name = wire.name('gvc');
  await wire.ok('POST', 'gvc', { name, tags });
  return `gvc/${name}`;
}

/** The place of a side service, as the public client finds it. */
export async function service(wire: Wire, name: string): Promise<string> {
  const reply = await wire.call('GET', '/discovery', undefined, { authorization: null });
  expect(reply.status, reply.text).toBe(200);
  const url = at(reply.body, `endpoints/${name}`);
  expect(url).toMatch(/^https?:\/\//);
  return new URL(String(url)).pathname.replace(/\/$/, '');
}

/**
 * Subcommands that every kind has, as the public client sends them (platform/clients.operations,
 * platform/patch.clients).
 */
export const genericCommandRows: readonly Row[] = [
  row('clients/access-report', 'access-report: who may do what with the record, and by which policy', async (wire) => {
    const { link: principal } = await makeCaller(wire);
    await allow(wire, 'gvc', 'edit', principal);
    const gvc = await tagged(wire, {});
    const report = await wire.get(`${gvc}/-accessreport`);
    expect(report).toMatchObject({ kind: 'accessreport', created: expect.any(String), links: expect.any(Array) });
    const view = itemsAt(report, 'permissions').find(({ name }) => name === 'view');
    expect(itemsAt(view, 'bindings')).toContainEqual({
      principalLink: principal,
      grantingPolicyLink: expect.stringMatching(/^\/org\/local\/policy\//),
      grantedPermissions: ['edit'],
      match: 'all',
    });
  }),
  row('clients/audit', 'audit: the events of the record, by its id, from the address in discovery', async (wire) => {
    const path = await tagged(wire, {});
    await wire.ok('PATCH', path, { description: 'other' });
    const { id } = await wire.get(path);
    const base = await service(wire, 'audit');
    const found = await wire.get(`${base}/audit/org/local/resource/id/${id}?contextName=scheme`);
    expect(found).toMatchObject({ kind: 'queryresult', itemKind: 'auditevent', links: expect.any(Array) });
    expect(itemsAt(found, 'items').map((event) => at(event, 'action/type'))).toEqual(['edit', 'create']);
  }),
  row(
    'clients/clone',
    'clone: GET, then POST of the whole record under another name; what is read-only is ignored',
    async (wire) => {
      const gvc = await makeGvc(wire, { env: [{ name: 'A', value: 'b' }] });
      const record = await wire.get(`gvc/${gvc}`);
      const name = wire.name('gvc');
      const reply = await wire.call('POST', 'gvc', { ...record, name, description: `Clone of ${gvc}` });
      expect(reply.status, reply.text).toBe(201);
      const copy = await wire.get(reply.headers.get('location') ?? '');
      expect(copy).toMatchObject({ name, version: 1, description: `Clone of ${gvc}` });
      expect(copy['spec']).toEqual(record['spec']);
      expect([copy['id'], copy['alias']]).not.toContain(record['id']);
      expect(copy['alias']).not.toBe(record['alias']);
    },
  ),
  row('clients/clone workload', 'clone of a workload: status, health and links are ignored too', async (wire) => {
    const gvc = await town(wire);
    const record = await wire.get(await makeWorkload(wire, gvc, specOf('standard')));
    const name = wire.name('work');
    const reply = await wire.call('POST', `gvc/${gvc}/workload`, { ...record, name });
    expect(reply.status, reply.text).toBe(201);
    expect((await wire.get(reply.headers.get('location') ?? ''))['spec']).toEqual(record['spec']);
  }),
  row('clients/create', 'create: POST, then GET of Location', async (wire) => {
    const reply = await wire.call('POST', 'auditctx', { name: wire.name('audit'), description: 'd', tags: { a: 'b' } });
    expect(reply.status).toBe(201);
    expect(await wire.get(reply.headers.get('location') ?? '')).toMatchObject({ description: 'd', tags: { a: 'b' } });
  }),
  row('clients/delete', 'delete: DELETE of each record, answered with 200 or 202, never 204', async (wire) => {
    const paths = [await tagged(wire, {}), await tagged(wire, {})];
    for (const path of paths) expect([200, 202]).toContain((await wire.call('DELETE', path)).status);
    await wire.refused(404, 'DELETE', paths[0] ?? '');
  }),
  parted(
    'clients/edit',
    'edit: PATCH of the whole edited record; with --replace PUT of it',
    [
      'edit sends the whole record back in a PATCH',
      async (wire) => {
        const gvc = await makeGvc(wire);
        const record = await wire.get(`gvc/${gvc}`);
        const edited = await wire.ok('PATCH', `gvc/${gvc}`, { ...record, description: 'edited' });
        expect(edited).toMatchObject({ description: 'edited', version: 2, id: record['id'] ?? '' });
        await wire.refused(409, 'PATCH', `gvc/${gvc}`, { ...record, description: 'too late' });
      },
    ],
    [
      'edit --replace sends it in a PUT, which replaces instead of merging',
      async (wire) => {
        const gvc = await makeGvc(wire, { domain: 'a.example.com' });
        const record = await wire.get(`gvc/${gvc}`);
        const spec = { staticPlacement: { locationLinks: [link.east] } };
        expect([200, 201]).toContain((await wire.call('PUT', `gvc/${gvc}`, { ...record, spec })).status);
        const replaced = await wire.get(`gvc/${gvc}`);
        expect(at(replaced, 'spec/domain')).toBeUndefined();
        expect(replaced).toMatchObject({ id: record['id'], created: record['created'], alias: record['alias'], spec });
      },
    ],
  ),
  row('clients/eventlog', 'eventlog: the events of the record, as a list', async (wire) => {
    const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
    await wire.advance('10m');
    const log = await wire.get(`${workload}/-eventlog`);
    expect(log).toMatchObject({ kind: 'list', itemKind: 'event', links: expect.any(Array) });
    expect(itemsAt(log, 'items').length).toBeGreaterThan(0);
  }),
  parted(
    'clients/get',
    'get: the list and its pages, one record, or several',
    [
      'get without a name reads the list, and follows next',
      async (wire) => {
        for (let index = 0; index < 3; index += 1) await wire.ok('POST', 'agent', { name: wire.name('agent') });
        const first = await wire.get('agent?limit=2');
        const next = itemsAt(first, 'links').find(({ rel }) => rel === 'next');
        const second = await wire.get(String(next?.['href']));
        expect(second).toMatchObject({ kind: 'list', itemKind: 'agent' });
        expect([itemsAt(first, 'items').length, itemsAt(second, 'items').length]).toEqual([2, 1]);
        expect(itemsAt(second, 'links').some(({ rel }) => rel === 'next')).toBe(false);
      },
    ],
    [
      'get with a name reads the record',
      async (wire) => {
        const path = await tagged(wire, { a: 'b' });
        expect(await wire.get(path)).toMatchObject({ kind: 'gvc', tags: { a: 'b' } });
      },
    ],
  ),
  row('clients/patch', 'patch --file: PATCH with the file as it is', async (wire) => {
    const path = await tagged(wire, { a: 'b', c: 'd' });
    const patched = await wire.ok('PATCH', path, {
      tags: { $drop: ['a'] },
      spec: { '$append/env': [{ name: 'A', value: 'b' }] },
    });
    expect(patched).toMatchObject({ tags: { c: 'd' }, spec: { env: [{ name: 'A', value: 'b' }] } });
  }),
  row('clients/permissions', 'permissions: what may be granted for a kind, and what implies what', async (wire) => {
    for (const kind of [
      'gvc',
      'workload',
      'domain',
      'volumeset',
      'identity',
      'ipset',
      'group',
      'serviceaccount',
      'auditctx',
      'task',
    ]) {
      const permissions = await wire.get(`${kind}/-schema/permissions`);
      expect(permissions).toMatchObject({ kind: 'permissions', targetKind: kind, links: expect.any(Array) });
      const names = itemsAt(permissions, 'items').map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['manage', 'view']));
      expect(at(permissions, 'implied/manage')).toEqual(expect.arrayContaining(['view']));
    }
    const { implied } = await wire.get('workload/-schema/permissions');
    expect(at(implied, 'exec')).toEqual(expect.arrayContaining(['exec.runCronWorkload', 'exec.stopReplica']));
  }),
  row('clients/query', 'query: POST to the collection of the org, without a body for all', async (wire) => {
    const path = await tagged(wire, {});
    const name = path.split('/').at(-1);
    const found: unknown[] = [];
    let page = await wire.ok('POST', 'gvc/-query');
    for (;;) {
      found.push(...itemsAt(page, 'items').map((item) => item['name']));
      const next = itemsAt(page, 'links').find(({ rel }) => rel === 'next');
      if (next === undefined) break;
      page = await wire.get(String(next['href']));
    }
    expect(found).toContain(name);
    expect((await wire.call('POST', 'gvc/-query', 'null')).status).toBe(200);
  }),
  row('clients/tag', 'tag: PATCH of tags, where null removes one', async (wire) => {
    const path = await tagged(wire, { a: 'b', gone: 'x' });
    const patched = await wire.ok('PATCH', path, { tags: { count: 5, gone: null } });
    expect(patched['tags']).toEqual({ a: 'b', count: 5 });
  }),
  parted(
    'clients/update',
    'update: PATCH with version and id, and every value as a string',
    [
      'values come as strings, and are read by the schema',
      async (wire) => {
        const workload = await makeWorkload(wire, await town(wire), specOf('serverless'));
        const { version = 0, id = '' } = await wire.get(workload);
        const autoscaling = { minScale: '2', maxScale: '4' };
        const body = { version, id, spec: { defaultOptions: { debug: 'true', timeoutSeconds: '30', autoscaling } } };
        const patched = await wire.ok('PATCH', workload, body);
        expect(at(patched, 'spec/defaultOptions')).toMatchObject({
          debug: true,
          timeoutSeconds: 30,
          autoscaling: { minScale: 2, maxScale: 4 },
        });
        await wire.refused(409, 'PATCH', workload, body);
      },
    ],
    [
      'lists by += and -=, containers and variables by name, --unset by null',
      async (wire) => {
        const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
        const update = async (spec: JsonObject): Promise<JsonObject> => {
          const { version = 0, id = '' } = await wire.get(workload);
          return wire.ok('PATCH', workload, { version, id, spec });
        };
        const variable = { '$patch/env': [{ name: 'A', value: 'b' }], cpu: '100m' };
        const set = await update({ '$patch/containers': [{ name: 'main', ...variable }] });
        expect(at(set, 'spec/containers/main')).toMatchObject({ cpu: '100m', env: [{ name: 'A', value: 'b' }] });
        const added = await update({ '$patch/containers': [{ name: 'main', '$append/args': ['x'] }] });
        expect(at(added, 'spec/containers/main/args')).toEqual(['x']);
        const unset = await update({
          '$patch/containers': [{ name: 'main', '$drop/env': ['A'], '$drop/args': ['x'] }],
        });
        expect(
          [at(unset, 'spec/containers/main/env'), at(unset, 'spec/containers/main/args')].flat().filter(Boolean),
        ).toEqual([]);
        const identity = await makeIdentity(wire, String(workload.split('/')[1]));
        expect(at(await update({ identityLink: identity }), 'spec/identityLink')).toBe(identity);
        expect(at(await update({ identityLink: null }), 'spec/identityLink')).toBeUndefined();
      },
    ],
    [
      'start and stop: suspend for all locations and for each that has options',
      async (wire) => {
        const localOptions = [{ location: 'aws-us-east-1', suspend: false }];
        const workload = await makeWorkload(wire, await town(wire), specOf('standard', { localOptions }));
        const body = {
          spec: { defaultOptions: { suspend: true }, localOptions: [{ location: 'aws-us-east-1', suspend: true }] },
        };
        const stopped = await wire.ok('PATCH', workload, body);
        expect(at(stopped, 'spec/defaultOptions/suspend')).toBe(true);
        expect(at(stopped, 'spec/localOptions')).toMatchObject([{ suspend: true }]);
        const redeployed = await wire.ok('PATCH', workload, {
          tags: { 'scheme/deployTimestamp': '2026-01-01T00:00:00Z' },
        });
        expect(redeployed).toMatchObject({ version: 3, tags: { 'scheme/deployTimestamp': '2026-01-01T00:00:00Z' } });
      },
    ],
  ),
];

import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { allPages, creates, linked } from '../../harness/client.ts';
import { allow, makeCaller, makeGvc, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, partOf, type Row, row } from '../../harness/row.ts';
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

const listed = ['gvc', 'workload', 'identity', 'volumeset', 'domain', 'ipset', 'user', 'quota', 'image', 'task'];

/** A record of each of some kinds, as paths. */
async function recordsOfKinds(wire: Wire): Promise<readonly string[]> {
  const gvc = await makeGvc(wire);
  const name = wire.name('record');
  await wire.ok('POST', 'serviceaccount', { name });
  await wire.ok('POST', 'group', { name });
  const workload = await makeWorkload(wire, gvc, specOf('standard'));
  return [`gvc/${gvc}`, workload, `serviceaccount/${name}`, `group/${name}`, 'location/aws-us-west-2'];
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
  row('clients/access-report of any kind', 'access-report has the same form for every kind', async (wire) => {
    for (const path of await recordsOfKinds(wire)) {
      expect(await wire.get(`${path}/-accessreport`), path).toMatchObject({
        kind: 'accessreport',
        created: expect.any(String),
        links: expect.any(Array),
      });
    }
  }),
  row('clients/audit', 'audit: the events of the record, by its id, from the address in discovery', async (wire) => {
    const path = await tagged(wire, {});
    await wire.ok('PATCH', path, { description: 'other' });
    const { id } = await wire.get(path);
    const base = await service(wire, 'audit');
    const found = await wire.get(`${base}/audit/org/local/resource/id/${id}?contextName=scheme`);
    expect(found).toMatchObject({ kind: 'queryresult', itemKind: 'auditevent', links: expect.any(Array) });
    expect(itemsAt(found, 'items').map((event) => at(event, 'action/type'))).toEqual(['edit', 'create']);
    const choice = 'resourceType=gvc&contextName=scheme&fromEvent=2000-01-01T00:00:00Z&toEvent=2999-01-01T00:00:00Z';
    expect(await wire.get(`${base}/audit/org/local/resource/id/${id}?${choice}`)).toMatchObject({
      items: itemsAt(found, 'items'),
    });
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
    const collection = `gvc/${await town(wire)}/workload`;
    const original = wire.name('work');
    await creates(wire, collection, { name: original, tags: { a: 'b' }, spec: specOf('standard') });
    const record = await wire.get(`${collection}/${original}`);
    const name = wire.name('work');
    await creates(wire, collection, { ...record, name });
    const copy = await wire.get(`${collection}/${name}`);
    expect(copy).toMatchObject({ version: 1, tags: { a: 'b' } });
    expect(copy['spec']).toEqual(record['spec']);
    expect(copy['id']).not.toBe(record['id']);
    expect(linked(copy, 'self')).toBe(`/org/local/${collection}/${name}`);
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
  row('clients/eventlog', 'eventlog: the events of the record, as a list', async (wire) => {
    const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
    await wire.advance('10m');
    const log = await wire.get(`${workload}/-eventlog`);
    expect(log).toMatchObject({ kind: 'list', itemKind: 'event', links: expect.any(Array) });
    expect(itemsAt(log, 'items').length).toBeGreaterThan(0);
    for (const path of [workload, ...(await recordsOfKinds(wire))]) {
      for (const event of await allPages(wire, 'GET', `${path}/-eventlog`)) {
        expect(event).toMatchObject({ kind: 'event', status: expect.any(String), context: expect.any(Object) });
      }
    }
  }),
  parted(
    'clients/get',
    'get: the list and its pages, one record, or several',
    partOf('get without a name reads the list, and follows next', async (wire) => {
      for (let index = 0; index < 3; index += 1) await wire.ok('POST', 'agent', { name: wire.name('agent') });
      const first = await wire.get('agent?limit=2');
      const second = await wire.get(linked(first, 'next') ?? '');
      expect(second).toMatchObject({ kind: 'list', itemKind: 'agent' });
      expect([itemsAt(first, 'items').length, itemsAt(second, 'items').length]).toEqual([2, 1]);
      expect(linked(second, 'next')).toBeUndefined();
    }),
    partOf('every list and every query says its kind, and has its self link', async (wire) => {
      for (const itemKind of listed) {
        expect(await wire.get(itemKind)).toMatchObject({ kind: 'list', itemKind });
        await allPages(wire, 'GET', itemKind);
        const result = await wire.ok('POST', `${itemKind}/-query`);
        expect(result).toMatchObject({ kind: 'queryresult', itemKind, links: expect.any(Array) });
      }
    }),
  ),
  row('clients/permissions', 'permissions: what may be granted for a kind, and what implies what', async (wire) => {
    for (const kind of ['gvc', 'workload', 'group', 'task', 'location']) {
      const permissions = await wire.get(`${kind}/-schema/permissions`);
      expect(permissions).toMatchObject({ kind: 'permissions', targetKind: kind, links: expect.any(Array) });
      const names = itemsAt(permissions, 'items').map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['manage', 'view']));
      expect(at(permissions, 'implied/manage')).toEqual(expect.arrayContaining(['view']));
    }
    const { implied } = await wire.get('workload/-schema/permissions');
    expect(at(implied, 'exec')).toEqual(expect.arrayContaining(['exec.runCronWorkload', 'exec.stopReplica']));
  }),
];

import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { allPages, linked } from '../../harness/client.ts';
import {
  link,
  makeCaller,
  makeGvc,
  makeIdentity,
  makeVolumeSet,
  makeWorkload,
  specOf,
} from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { ownRow, parted, partOf, type Row, row } from '../../harness/row.ts';
import { alone, until, type Wire } from '../../harness/wire.ts';
import { service } from './cliGeneric.ts';

/** Subcommands that single kinds have beyond that (platform/clients.operations). */
export const kindCommandRows: readonly Row[] = [
  row(
    'clients/gvc add-location',
    'gvc add-location and remove-location: GET, then PATCH with the full new list',
    async (wire) => {
      const gvc = await makeGvc(wire);
      const change = (locationLinks: readonly string[]): JsonObject => ({
        spec: { staticPlacement: { locationLinks: [...locationLinks] } },
      });
      const more = ['//location/azure-eastus2', link.east, link.south];
      const added = await wire.ok('PATCH', `gvc/${gvc}`, change(more));
      expect(at(added, 'spec/staticPlacement/locationLinks')).toEqual([
        '/org/local/location/azure-eastus2',
        link.east,
        link.south,
      ]);
      const removed = await wire.ok('PATCH', `gvc/${gvc}`, change([link.east]));
      expect(at(removed, 'spec/staticPlacement/locationLinks')).toEqual([link.east]);
    },
  ),
  ownRow('clients/gvc delete-all-workloads', 'gvc delete-all-workloads: list, and DELETE of each', {}, async (wire) => {
    const gvc = await makeGvc(wire);
    for (let index = 0; index < 3; index += 1) await makeWorkload(wire, gvc, specOf('standard'));
    for (const item of await allPages(wire, 'GET', `gvc/${gvc}/workload`)) {
      expect((await wire.call('DELETE', linked(item, 'self') ?? '')).status).toBe(202);
    }
    await wire.advance('10m');
    expect(at(await wire.get(`gvc/${gvc}/workload`), 'items')).toEqual([]);
  }),
  row('clients/gvc create', 'gvc create: name, locations as links, env, tags and description', async (wire) => {
    const name = wire.name('gvc');
    const spec = { staticPlacement: { locationLinks: [link.east] }, env: [{ name: 'KEY', value: 'VALUE' }] };
    const reply = await wire.call('POST', 'gvc', { name, description: 'shop', tags: { a: 'b', n: 5 }, spec });
    expect(reply.status).toBe(201);
    expect(await wire.get(reply.headers.get('location') ?? '')).toMatchObject({
      description: 'shop',
      tags: { a: 'b', n: 5 },
      spec,
    });
  }),
  row(
    'clients/gvc delete --force',
    'gvc delete --force: workloads, volume sets, identities, each until 404; then the GVC',
    alone({}, async (wire) => {
      const gvc = await makeGvc(wire);
      await makeWorkload(wire, gvc, specOf('standard'));
      await makeVolumeSet(wire, gvc);
      await makeIdentity(wire, gvc);
      for (const kind of ['workload', 'volumeset', 'identity']) {
        for (const item of await allPages(wire, 'GET', `gvc/${gvc}/${kind}`)) {
          const path = linked(item, 'self') ?? '';
          expect((await wire.call('DELETE', path)).status).toBe(202);
          await until(
            wire,
            async () => (await wire.call('GET', path)).status,
            (status) => status === 404,
          );
          await wire.refused(404, 'DELETE', path);
        }
      }
      expect((await wire.call('DELETE', `gvc/${gvc}`)).status).toBe(202);
      for (const path of [`gvc/${gvc}`, `gvc/${gvc}/workload`]) await wire.refused(404, 'GET', path);
    }),
  ),
  row(
    'clients/ipset locations',
    'ipset add-, update- and remove-location: GET, then PATCH with the full list',
    async (wire) => {
      const name = wire.name('ipset');
      await wire.ok('POST', 'ipset', {
        name,
        description: 'd',
        tags: {},
        spec: { locations: [{ name: link.east, retentionPolicy: 'keep' }] },
      });
      // biome-ignore format: a row is a case
      const lists = [
        [{ name: link.east, retentionPolicy: 'keep' }, { name: link.south, retentionPolicy: 'free' }],
        [{ name: link.east, retentionPolicy: 'free' }, { name: link.south, retentionPolicy: 'free' }],
        [{ name: link.south, retentionPolicy: 'free' }],
      ];
      for (const locations of lists) {
        const patched = await wire.ok('PATCH', `ipset/${name}`, { spec: { locations } });
        expect(at(patched, 'spec/locations')).toEqual(locations);
      }
      await wire.refused(400, 'PATCH', `ipset/${name}`, {
        spec: { locations: [{ name: link.east, retentionPolicy: 'hold' }] },
      });
    },
  ),
  row(
    'clients/ipset create',
    'ipset create: a link and locations; there is an address for each, bound while the target links back',
    alone({}, async (wire) => {
      const gvc = await makeGvc(wire, { loadBalancer: { dedicated: true } });
      const name = wire.name('ipset');
      const locations = [
        { name: link.east, retentionPolicy: 'keep' },
        { name: link.south, retentionPolicy: 'keep' },
      ];
      await wire.ok('POST', 'ipset', { name, description: 'd', tags: {}, spec: { link: `//gvc/${gvc}`, locations } });
      await wire.ok('PATCH', `gvc/${gvc}`, { spec: { loadBalancer: { ipSet: `//ipset/${name}` } } });
      await wire.advance('10m');
      const addresses = itemsAt(await wire.get(`ipset/${name}`), 'status/ipAddresses');
      expect(addresses).toHaveLength(2);
      for (const address of addresses) {
        expect(address).toMatchObject({
          state: 'bound',
          ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
          id: expect.any(String),
        });
      }
      await wire.refused(400, 'DELETE', `ipset/${name}`);
      await wire.ok('PATCH', `gvc/${gvc}`, { spec: { loadBalancer: { ipSet: null } } });
      await wire.advance('10m');
      expect(itemsAt(await wire.get(`ipset/${name}`), 'status/ipAddresses').map(({ state }) => state)).toEqual([
        'unbound',
        'unbound',
      ]);
      expect([200, 202]).toContain((await wire.call('DELETE', `ipset/${name}`)).status);
    }),
  ),
  row(
    'clients/group add-member',
    'group add-member and remove-member: an e-mail is looked up, then links are appended and dropped',
    async (wire) => {
      const name = wire.name('group');
      await wire.ok('POST', 'group', { name, memberLinks: [] });
      const user = await wire.get('user/-for/email/ANN%40example.com');
      expect(user).toMatchObject({ kind: 'user', email: 'ann@example.com' });
      for (const other of ['ann@example.com', user['id']]) expect(await wire.get(`user/${other}`)).toEqual(user);
      await wire.refused(404, 'GET', 'user/-for/email/nobody@example.com');
      const { link: account } = await makeCaller(wire);
      const member = linked(user, 'self') ?? '';
      const change = async (patch: JsonObject) => (await wire.ok('PATCH', `group/${name}`, patch))['memberLinks'];
      expect(await change({ '$append/memberLinks': [member, account] })).toEqual([member, account]);
      expect(await change({ '$append/memberLinks': ['//user/ann@example.com'] })).toEqual([member, account]);
      expect(await change({ '$drop/memberLinks': [account] })).toEqual([member]);
      expect(await change({ '$drop/memberLinks': [member] })).toEqual([]);
      expect(await wire.get(`group/${name}`)).toMatchObject({ version: 4 });
      await wire.refused(400, 'PATCH', `group/${name}`, {
        '$append/memberLinks': ['/org/local/user/nobody@example.com'],
      });
    },
  ),
  row(
    'clients/group create',
    'group create: a member query over users, evaluated when access is decided',
    async (wire) => {
      const name = wire.name('group');
      const memberQuery = {
        kind: 'user',
        spec: { match: 'all', terms: [{ op: '=', property: 'email', value: 'ann@example.com' }] },
      };
      const created = await wire.ok('POST', 'group', {
        name,
        description: 'd',
        tags: {},
        memberLinks: [],
        memberQuery,
      });
      expect(created).toMatchObject({ memberLinks: [], memberQuery });
      const wrong = { ...memberQuery, kind: 'gvc' };
      await wire.refused(400, 'POST', 'group', { name: wire.name('group'), memberQuery: wrong });
    },
  ),
  row(
    'clients/serviceaccount keys',
    'add-key needs a description and shows the key; remove-key drops it by name',
    async (wire) => {
      const name = wire.name('robot');
      await wire.ok('POST', 'serviceaccount', { name });
      await wire.refused(400, 'POST', `serviceaccount/${name}/-addKey`, {});
      const reply = await wire.call('POST', `serviceaccount/${name}/-addKey`, { description: 'first' });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({
        name: expect.any(String),
        created: expect.any(String),
        description: 'first',
        key: expect.any(String),
      });
      const authorization = String(reply.body['key']);
      const [keyName = '', encoded = '', rest = ''] = authorization.split('.');
      expect(authorization).toMatch(/^s[a-z0-9]{10}\.[^.]+\.[a-z0-9]{20,}$/);
      expect(keyName).toBe(reply.body['name']);
      expect(Buffer.from(encoded, 'base64url').toString()).toMatch(new RegExp(`^local\\.${name}\\.[a-z0-9]+$`));
      const other = await wire.ok('POST', `serviceaccount/${name}/-addKey`, { description: 'other' });
      const ask = async (key: unknown) =>
        (await wire.call('GET', 'gvc', undefined, { authorization: String(key) })).status;
      for (const form of [authorization, `Bearer ${authorization}`, `bearer ${authorization}`]) {
        expect(await ask(form)).toBe(200);
      }
      expect(await ask(`${authorization}x`)).toBe(401);
      expect((await wire.call('GET', `serviceaccount/${name}`)).text).not.toContain(rest);
      const dropped = await wire.ok('PATCH', `serviceaccount/${name}`, { '$drop/keys': [keyName] });
      expect(itemsAt(dropped, 'keys')).toMatchObject([{ name: other['name'], description: 'other' }]);
      expect([await ask(authorization), await ask(other['key'])]).toEqual([401, 200]);
      await wire.ok('DELETE', `serviceaccount/${name}`);
      expect(await ask(other['key'])).toBe(401);
    },
  ),
  row('clients/identity', 'identities are in a GVC; get --all-gvcs reads them across all', async (wire) => {
    const links = [await makeIdentity(wire, await makeGvc(wire)), await makeIdentity(wire, await makeGvc(wire))];
    const list = await wire.get('/org/local/identity?limit=1000');
    const found = itemsAt(list, 'items').map((item) => linked(item, 'self'));
    expect(found).toEqual(expect.arrayContaining(links));
  }),
  parted(
    'clients/task',
    'tasks are completed, deleted, read, found, and read by the one they are for',
    ...['accept', 'reject'].map((answer) =>
      partOf(`complete --answer ${answer} ends the task with that response`, async (wire: Wire) => {
        const { id } = await makeTask(wire);
        const done = await wire.ok('POST', `/task/${id}`, { answer });
        expect(done).toMatchObject({
          kind: 'task',
          status: 'complete',
          response: expect.objectContaining({ answer }),
        });
        expect(await wire.get(`task/${id}`)).toMatchObject({ status: 'complete' });
        await wire.refused(400, 'POST', `/task/${(await makeTask(wire)).id}`, { answer: 'perhaps' });
        await wire.refused(404, 'POST', '/task/00000000-0000-4000-8000-000000000000', { answer });
      }),
    ),
  ),
  row('clients/auditctx audit', 'audit of an audit context: what was written to it', async (wire) => {
    const name = wire.name('audit');
    await wire.ok('POST', 'auditctx', { name });
    const base = await service(wire, 'audit');
    const event = { resource: { id: 'order-1', type: 'order', name: 'order-1' }, action: { type: 'edit' } };
    const sent = await wire.call('POST', `${base}/audit/org/local/auditctx/${name}?async=true`, event);
    expect(sent.status, sent.text).toBeLessThan(300);
    const found = itemsAt(await wire.get(`${base}/audit/org/local?contextName=${name}`), 'items');
    expect(found).toMatchObject([{ resource: { id: 'order-1', type: 'order' }, context: { name, org: 'local' } }]);
    await wire.refused(400, 'POST', `${base}/audit/org/local/auditctx/${name}`, { action: { type: 'edit' } });
  }),
];

/** Invites somebody; the task that this makes. */
async function makeTask(wire: Wire): Promise<{ id: string; email: string }> {
  const email = `${wire.name('guest')}@example.com`;
  await wire.ok('POST', 'user/-invite', { emails: [email], groupLink: '/org/local/group/viewers' });
  const query = { spec: { terms: [{ op: '=', property: 'targetEmail', value: email }] } };
  const [task] = itemsAt(await wire.ok('POST', 'task/-query', query), 'items');
  return { id: String(task?.['id']), email };
}

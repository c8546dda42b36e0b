import { expect } from 'vitest';
import { makeCaller, makeGvc, makeIdentity, makeVolumeSet, makeWorkload, specOf } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { ownRow, type Row, row } from '../../harness/row.ts';
import { until } from '../../harness/wire.ts';
import { keyIsShownOnce } from '../service.ts';

/** Operations of any kind, and the cascade of a deletion (platform/wire.operations, platform/deletion.cascade). */
export const resourceRows: readonly Row[] = [
  row(
    'wire.paths/generic path',
    'any resource is addressed by /org/org/kind/name with GET, POST, PUT, PATCH, DELETE',
    async (wire) => {
      const name = wire.name('group');
      expect((await wire.call('POST', '/org/local/group', { name })).status).toBe(201);
      expect((await wire.call('GET', `/org/local/group/${name}`)).status).toBe(200);
      expect((await wire.call('PUT', `/org/local/group/${name}`, { name, description: 'x' })).status).toBe(200);
      expect((await wire.call('PATCH', `/org/local/group/${name}`, { description: 'y' })).status).toBe(200);
      expect([200, 202]).toContain((await wire.call('DELETE', `/org/local/group/${name}`)).status);
    },
  ),
  row('wire.paths/create', 'a create is a POST followed by a GET of its Location', async (wire) => {
    const reply = await wire.call('POST', 'group', { name: wire.name('group') });
    expect((await wire.get(reply.headers.get('location') ?? ''))['id']).toBe(reply.body['id']);
  }),
  ownRow('deletion/GVC', 'deleting a GVC removes everything in it', {}, async (wire) => {
    const gvc = await makeGvc(wire);
    const workload = await makeWorkload(wire, gvc, specOf('standard'));
    const identity = await makeIdentity(wire, gvc);
    const set = await makeVolumeSet(wire, gvc);
    await wire.ok('DELETE', `gvc/${gvc}`);
    await wire.advance('1h');
    for (const path of [`gvc/${gvc}`, workload, identity, `gvc/${gvc}/volumeset/${set}`]) {
      expect((await wire.call('GET', path)).status, path).toBe(404);
    }
    for (const kind of ['workload', 'identity', 'volumeset']) expect(at(await wire.get(kind), 'items')).toEqual([]);
  }),
  ownRow(
    'deletion/workloads',
    'deleting the workloads of a GVC removes their deployments and commands',
    {},
    async (wire) => {
      const gvc = await makeGvc(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      await wire.ok('DELETE', workload);
      await until(
        wire,
        async () => (await wire.call('GET', workload)).status,
        (status) => status === 404,
      );
      for (const path of ['/deployment', '/deployment/aws-us-east-1', '/-command', '/-eventlog']) {
        expect((await wire.call('GET', workload + path)).status, path).toBe(404);
      }
      expect(at(await wire.get(`gvc/${gvc}/workload`), 'items')).toEqual([]);
    },
  ),
  row('deletion/service account', 'deleting a service account removes its keys', async (wire) => {
    const { link: account, key } = await makeCaller(wire);
    expect((await wire.call('GET', 'gvc', undefined, { authorization: key })).status).toBe(200);
    await wire.ok('DELETE', account);
    expect((await wire.call('GET', 'gvc', undefined, { authorization: key })).status).toBe(401);
    await wire.ok('POST', 'serviceaccount', { name: account.split('/').at(-1) ?? '' });
    expect((await wire.call('GET', 'gvc', undefined, { authorization: key })).status).toBe(401);
    expect((await wire.get(account))['keys'] ?? []).toEqual([]);
  }),
  row('deletion/key value', 'the value of a key is shown only once', keyIsShownOnce),
];

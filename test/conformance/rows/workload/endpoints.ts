import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { allPages, creates } from '../../harness/client.ts';
import { east, specOf, town } from '../../harness/fixtures.ts';
import { itemsAt } from '../../harness/place.ts';
import { ownRow, type Row, row } from '../../harness/row.ts';
import { command, mounted, snapshotsOf, volumesOf } from '../../harness/volumes.ts';
import type { Wire } from '../../harness/wire.ts';

/** The payloads of the six volume commands that the specification leaves open (platform/commands). */
export function payloadRows(): readonly Row[] {
  const volume = { location: east, volumeIndex: 0 };
  const expected = (id: string, statement: string, check: (wire: Wire, set: string) => Promise<void>): Row =>
    ownRow(`wire.operations/payload ${id}`, statement, {}, async (wire) => check(wire, (await mounted(wire)).set));
  return [
    expected(
      'expandVolume',
      'expandVolume takes location, volumeIndex, newStorageCapacity and timeoutSeconds',
      async (wire, set) => {
        const done = await command(wire, set, 'expandVolume', {
          ...volume,
          newStorageCapacity: 25,
          timeoutSeconds: 600,
        });
        expect(done).toMatchObject({
          kind: 'command',
          type: 'expandVolume',
          lifecycleStage: 'completed',
          ownerId: expect.any(String),
          status: expect.anything(),
          spec: { ...volume, newStorageCapacity: 25, timeoutSeconds: 600 },
        });
        expect(await volumesOf(wire, set)).toMatchObject([{ index: 0, currentSize: 25 }]);
      },
    ),
    expected('shrinkVolume', 'shrinkVolume takes the same members as expandVolume', async (wire, set) => {
      await command(wire, set, 'expandVolume', { ...volume, newStorageCapacity: 25 });
      await command(wire, set, 'shrinkVolume', { ...volume, newStorageCapacity: 12, timeoutSeconds: 600 });
      expect(await volumesOf(wire, set)).toMatchObject([{ index: 0, currentSize: 12 }]);
    }),
    expected('createVolumeSnapshot', 'createVolumeSnapshot takes a name, an expiry and tags', async (wire, set) => {
      const snapshotExpirationDate = '2099-01-01T00:00:00.000Z';
      const spec = { ...volume, snapshotName: 'first', snapshotExpirationDate, snapshotTags: [{ a: 'b' }] };
      expect(await command(wire, set, 'createVolumeSnapshot', spec)).toMatchObject({ lifecycleStage: 'completed' });
      expect(await snapshotsOf(wire, set)).toMatchObject([
        {
          name: 'first',
          id: expect.any(String),
          created: expect.any(String),
          expires: snapshotExpirationDate,
          tags: [{ a: 'b' }],
        },
      ]);
      await wire.refused(409, 'POST', `${set}/-command`, { type: 'createVolumeSnapshot', spec });
    }),
    expected(
      'deleteVolumeSnapshot',
      'deleteVolumeSnapshot takes a name, and commands are listed and queried newest first',
      async (wire, set) => {
        const spec = { ...volume, snapshotName: 'first' };
        await wire.refused(404, 'POST', `${set}/-command`, { type: 'deleteVolumeSnapshot', spec });
        await command(wire, set, 'createVolumeSnapshot', spec);
        expect(await command(wire, set, 'deleteVolumeSnapshot', spec)).toMatchObject({ lifecycleStage: 'completed' });
        expect(await snapshotsOf(wire, set)).toEqual([]);
        const listed = await allPages(wire, 'GET', `${set}/-command`);
        expect(listed.map(({ type }) => type)).toEqual(['deleteVolumeSnapshot', 'createVolumeSnapshot']);
        expect(await allPages(wire, 'POST', `${set}/-command/-query`)).toEqual(listed);
      },
    ),
    expected('restoreVolume', 'restoreVolume takes a name and optionally a zone', async (wire, set) => {
      const spec = { ...volume, snapshotName: 'first' };
      await command(wire, set, 'createVolumeSnapshot', spec);
      expect((await command(wire, set, 'restoreVolume', spec))['lifecycleStage']).toBe('completed');
      await wire.refused(404, 'POST', `${set}/-command`, {
        type: 'restoreVolume',
        spec: { ...volume, snapshotName: 'none' },
      });
    }),
    expected('deleteVolume', 'deleteVolume takes location and volumeIndex', async (wire, set) => {
      expect((await command(wire, set, 'deleteVolume', volume))['lifecycleStage']).toBe('completed');
      await wire.refused(404, 'POST', `${set}/-command`, { type: 'deleteVolume', spec: { ...volume, volumeIndex: 5 } });
    }),
  ];
}

/** Create, read, update, delete and list of the kinds whose endpoints are not documented (platform/concepts.kinds). */
export function endpointRows(): readonly Row[] {
  const bodies: Readonly<Record<string, JsonObject>> = {
    volumeset: { spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 } },
    identity: {},
    domain: {},
    ipset: {},
    group: {},
    serviceaccount: {},
    auditctx: {},
    policy: { targetKind: 'gvc', target: 'all' },
    secret: { type: 'opaque', data: { payload: 'p' } },
    agent: {},
    gvc: {},
    workload: { spec: specOf('standard') },
  };
  const inGvc = new Set(['volumeset', 'identity', 'workload']);
  const rows = Object.entries(bodies).map(([kind, body]) =>
    row(
      `wire.operations/endpoints ${kind}`,
      `a ${kind} is created, read, listed, queried, changed and deleted by its path`,
      async (wire) => {
        const gvc = await town(wire);
        const collection = inGvc.has(kind) ? `gvc/${gvc}/${kind}` : kind;
        const name = kind === 'domain' ? `${wire.name('shop')}.com` : wire.name(kind);
        expect(await creates(wire, collection, { ...body, name })).toMatchObject({ kind, name });
        const item = `${collection}/${name}`;
        expect(await wire.ok('PATCH', item, { description: 'other' })).toMatchObject({
          description: 'other',
          version: 2,
        });
        const query = { spec: { terms: [{ property: 'name', value: name }] } };
        const found = await wire.ok('POST', `${kind}/-query`, query);
        expect(found).toMatchObject({ kind: 'queryresult', itemKind: kind, items: [{ name }], query });
        expect(itemsAt(found, 'links').length).toBeGreaterThan(0);
        expect(await wire.get(`${collection}?limit=1`)).toMatchObject({ kind: 'list', itemKind: kind });
        if (kind === 'auditctx') return;
        expect([200, 202]).toContain((await wire.call('DELETE', item)).status);
        await wire.advance('1h');
        expect((await wire.call('GET', item)).status).toBe(404);
      },
    ),
  );
  return [
    ...rows,
    row(
      'wire.operations/endpoints location',
      'a location is read, listed and disabled; only a byok one is created and deleted',
      async (wire) => {
        expect((await wire.ok('PATCH', 'location/azure-eastus2', { spec: { enabled: false } }))['spec']).toEqual({
          enabled: false,
        });
        const name = wire.name('home');
        await creates(wire, 'location', { name, provider: 'byok' });
        await wire.refused(400, 'POST', 'location', { name: wire.name('cloud'), provider: 'aws' });
        expect([200, 202]).toContain((await wire.call('DELETE', `location/${name}`)).status);
      },
    ),
    row('wire.operations/endpoints task', 'a task is listed, read, completed and deleted', async (wire) => {
      const emails = [`${wire.name('guest')}@example.com`, `${wire.name('guest')}@example.com`];
      await wire.ok('POST', 'user/-invite', { emails, groupLink: '//group/viewers' });
      const tasks = itemsAt(await wire.get('task'), 'items').filter((task) =>
        emails.includes(String(task['targetEmail'])),
      );
      expect(tasks).toHaveLength(2);
      const [first = {}, second = {}] = tasks;
      expect(await wire.get(`task/${first['id']}`)).toMatchObject({ kind: 'task', status: 'pending' });
      expect((await wire.call('DELETE', `task/${second['id']}`)).status).toBeLessThan(203);
    }),
  ];
}

import { expect } from 'vitest';
import { listAt } from '../../../../src/base/json/json.ts';
import { allow, east, makeCaller, makeGvc, makeSecret, makeWorkload, specOf } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, type Row, row } from '../../harness/row.ts';
import { command, mounted } from '../../harness/volumes.ts';
import { alone } from '../../harness/wire.ts';

/**
 * Operations that the specification of the platform does not show: platform/wire.paths, platform/query,
 * platform/commands.
 */
export const subPathRows: readonly Row[] = [
  parted('wire/queries', 'a query gives records or links, sorted, over every kind', [
    'fetch: links gives links, in the order asked for',
    async (wire) => {
      const query = {
        fetch: 'links',
        spec: { terms: [{ property: 'provider', value: 'azure' }], sort: { by: 'name', order: 'desc' } },
      };
      const found = await wire.ok('POST', 'location/-query', query);
      expect(found).toMatchObject({ kind: 'queryresult', itemKind: 'link' });
      const links = listAt(found, 'items').map(String);
      expect(links).toContain('/org/local/location/azure-eastus2');
      expect(links).toEqual(links.toSorted().toReversed());
    },
  ]),
  row(
    'wire/secret values',
    'a value of a secret is read by -reveal only; secrets of a type are listed without',
    async (wire) => {
      const secret = await makeSecret(wire, 'userpass');
      const { link, key } = await makeCaller(wire);
      await allow(wire, 'secret', 'view', link);
      expect((await wire.call('GET', `${secret}/-reveal`, undefined, { authorization: key })).status).toBe(403);
      expect(await wire.get(`${secret}/-reveal`)).toMatchObject({ data: { username: 'u', password: 'p' } });
      const list = await wire.get('secret/-for/type/userpass');
      expect(itemsAt(list, 'items').map(({ type }) => type)).toEqual(['userpass']);
      for (const found of [
        list,
        await wire.get('secret'),
        await wire.get(secret),
        await wire.ok('POST', 'secret/-query', {}),
        await wire.ok('PATCH', secret, { description: 'changed' }),
        await wire.ok('POST', 'secret', { name: wire.name('secret'), type: 'opaque', data: { payload: 'hush-hush' } }),
      ]) {
        expect(JSON.stringify(found)).not.toContain('"data"');
      }
    },
  ),
  row(
    'wire/user and org',
    'users are found by e-mail; the caller, the visible orgs and the org itself are readable',
    async (wire) => {
      expect(await wire.get('user/-for/email/bob@example.com')).toMatchObject({
        kind: 'user',
        email: 'bob@example.com',
      });
      expect(await wire.get('/user')).toMatchObject({ email: 'admin@example.com' });
      expect(itemsAt(await wire.get('/org'), 'items').map(({ name }) => name)).toContain('local');
      expect(await wire.get('/org/local')).toMatchObject({
        kind: 'org',
        status: { active: true, endpointPrefix: expect.any(String) },
      });
    },
  ),
  parted(
    'wire/commands',
    'a command goes from pending by running to its end; it is listed newest first, cancelled while it waits, deleted',
    [
      'the stages of a command are seen as time goes on',
      alone({ commandStageMs: 10_000 }, async (wire) => {
        const { set } = await mounted(wire);
        const spec = { location: east, volumeIndex: 0, newStorageCapacity: 20 };
        const reply = await wire.call('POST', `${set}/-command`, { type: 'expandVolume', spec });
        const location = reply.headers.get('location') ?? '';
        const stages = new Set<unknown>();
        const progress = new Set<unknown>();
        for (let second = 0; second < 200; second += 5) {
          const { lifecycleStage, status } = await wire.get(location);
          stages.add(lifecycleStage);
          if (at(status, 'stage') !== undefined) progress.add(at(status, 'stage'));
          await wire.advance('5s');
        }
        expect([...stages]).toEqual(['pending', 'running', 'completed']);
        expect([...progress][0]).toBe('expand-volume');
        expect([...progress]).toContain('update-volume-set');
      }),
    ],
    [
      'a command is cancelled while it is pending, and 409 when it has ended',
      alone({ commandStageMs: 10_000 }, async (wire) => {
        const { set } = await mounted(wire);
        const body = { type: 'createVolumeSnapshot', spec: { location: east, volumeIndex: 0, snapshotName: 'one' } };
        const location = (await wire.call('POST', `${set}/-command`, body)).headers.get('location') ?? '';
        expect(await wire.ok('PATCH', location, { lifecycleStage: 'cancelled' })).toMatchObject({
          lifecycleStage: 'cancelled',
        });
        await wire.advance('1h');
        expect(await wire.get(location)).toMatchObject({ lifecycleStage: 'cancelled' });
        await wire.refused(409, 'PATCH', location, { lifecycleStage: 'cancelled' });
        expect([200, 202]).toContain((await wire.call('DELETE', location)).status);
        expect((await wire.call('GET', location)).status).toBe(404);
      }),
    ],
    [
      'the newest is first, and a query selects among them',
      alone({}, async (wire) => {
        const { set } = await mounted(wire);
        for (const newStorageCapacity of [20, 30]) {
          await command(wire, set, 'expandVolume', { location: east, volumeIndex: 0, newStorageCapacity });
        }
        const list = itemsAt(await wire.get(`${set}/-command`), 'items');
        expect(list.map((item) => at(item, 'spec/newStorageCapacity'))).toEqual([30, 20]);
        const query = { spec: { match: 'all', terms: [{ property: 'lifecycleStage', op: '=', value: 'completed' }] } };
        const found = await wire.ok('POST', `${set}/-command/-query`, query);
        expect(found).toMatchObject({ kind: 'queryresult', itemKind: 'command' });
        expect(itemsAt(found, 'items')).toHaveLength(2);
      }),
    ],
    [
      'a type that is not known, and one of another kind, are refused',
      async (wire) => {
        const workload = await makeWorkload(wire, await makeGvc(wire), specOf('standard'));
        for (const type of ['expandVolume', 'dance', undefined]) {
          await wire.refused(400, 'POST', `${workload}/-command`, {
            ...(type === undefined ? {} : { type }),
            spec: {},
          });
        }
      },
    ],
    [
      'exec of the command is needed, and exec implies it',
      alone({}, async (wire) => {
        const { set } = await mounted(wire);
        const { link, key } = await makeCaller(wire);
        const send = async (capacity: number): Promise<number> => {
          const spec = { location: east, volumeIndex: 0, newStorageCapacity: capacity };
          return (await wire.call('POST', `${set}/-command`, { type: 'expandVolume', spec }, { authorization: key }))
            .status;
        };
        await allow(wire, 'volumeset', 'edit', link);
        expect(await send(20)).toBe(403);
        await allow(wire, 'volumeset', 'exec', link);
        expect(await send(20)).toBe(201);
      }),
    ],
  ),
  parted(
    'concepts.limits/expansions',
    'a volume is expanded by command four times in 24 hours, where that limit is asked for; growth by itself does not count',
    [
      'the fifth expansion is 429, and a day later there is one again',
      alone({ expandLimit: 4 }, async (wire) => {
        const { set } = await mounted(wire);
        const volume = { location: east, volumeIndex: 0 };
        for (const newStorageCapacity of [11, 12, 13, 14])
          await command(wire, set, 'expandVolume', { ...volume, newStorageCapacity });
        const fifth = { type: 'expandVolume', spec: { ...volume, newStorageCapacity: 15 } };
        await wire.refused(429, 'POST', `${set}/-command`, fifth);
        await wire.advance('25h');
        expect((await wire.call('POST', `${set}/-command`, fifth)).status).toBe(201);
      }),
    ],
    [
      'there is no limit by default',
      alone({}, async (wire) => {
        const { set } = await mounted(wire);
        for (const newStorageCapacity of [11, 12, 13, 14, 15, 16]) {
          await command(wire, set, 'expandVolume', { location: east, volumeIndex: 0, newStorageCapacity });
        }
      }),
    ],
  ),
];

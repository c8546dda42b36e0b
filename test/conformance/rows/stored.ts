import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { container, makeGvc, makeIdentity, makeWorkload, specOf, town } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { ownPart, ownRow, type Part, parted, partOf, type Row } from '../harness/row.ts';

interface Rewritten {
  readonly it: string;
  readonly spec: JsonObject;
  readonly place: string;
  readonly stored: JsonValue;
}

const external = (more: JsonObject): JsonObject => specOf('standard', { firewallConfig: { external: more } });

// biome-ignore format: a row is a case
const rewritten: readonly Rewritten[] = [
  { it: 'address blocks are sorted and unique',
    spec: external({ inboundAllowCIDR: ['192.168.1.0/24', '10.0.0.0/8', '192.168.1.0/24'] }),
    place: 'spec/firewallConfig/external/inboundAllowCIDR', stored: ['10.0.0.0/8', '192.168.1.0/24'] },
  { it: 'an empty list stays an empty list', spec: external({ outboundAllowHostname: [] }),
    place: 'spec/firewallConfig/external/outboundAllowHostname', stored: [] },
  { it: 'an amount is stored as it was sent',
    spec: specOf('standard', { containers: [container({ cpu: '0.1', memory: '0.5Gi' })] }),
    place: 'spec/containers/0/memory', stored: '0.5Gi' },
];

/**
 * How records are stored and returned: platform/concepts.filled, platform/concepts.rewritten, platform/wire.writes,
 * platform/wire.lists.
 */
export const storedRows: readonly Row[] = [
  parted(
    'workload/rewritten',
    'values of a workload are stored as they were sent, except sorted ones',
    ...rewritten.map(
      ({ it, spec, place, stored }): Part => [
        it,
        async (wire) => {
          const workload = await makeWorkload(wire, await town(wire), spec);
          expect(at(await wire.get(workload), place)).toEqual(stored);
        },
      ],
    ),
    partOf('objects that were not sent are absent', async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
      const { spec } = await wire.get(workload);
      expect(Object.keys(Object(spec)).toSorted()).toEqual(['containers', 'type']);
      const shown = Object.keys(Object(at(spec, 'containers/0'))).toSorted();
      expect(shown).toEqual(['cpu', 'image', 'inheritEnv', 'memory', 'name', 'ports']);
    }),
  ),
  parted(
    'domain/rewritten',
    'routes are sorted, the longest prefix first, except on ports with a regex, and header names are lower-cased',
    ...[true, false].map(
      (regex): Part => [
        regex ? 'with a regex the order is kept' : 'without a regex the longest prefix is first',
        async (wire) => {
          const workloadLink = `/org/local/${await makeWorkload(wire, await town(wire), specOf('standard'))}`;
          const matchers: readonly JsonObject[] = [{ prefix: '/' }, { prefix: '/shop/basket' }, { prefix: '/shop' }];
          const routes = [...matchers, ...(regex ? [{ regex: '^/x' }] : [])].map((one) => ({ ...one, workloadLink }));
          const name = `${wire.name('shop')}.com`;
          const spec = { ports: [{ number: 443, protocol: 'http2', routes }] };
          const shown = itemsAt(await wire.ok('POST', 'domain', { name, spec }), 'spec/ports/0/routes');
          const order = regex ? ['/', '/shop/basket', '/shop', undefined] : ['/shop/basket', '/shop', '/'];
          expect(shown.map(({ prefix }) => prefix)).toEqual(order);
        },
      ],
    ),
    partOf('header names of cors are lower-cased', async (wire) => {
      const spec = { ports: [{ number: 443, protocol: 'http2', cors: { allowHeaders: ['X-Shop'] } }] };
      const shown = await wire.ok('POST', 'domain', { name: `${wire.name('shop')}.com`, spec });
      expect(at(shown, 'spec/ports/0/cors/allowHeaders')).toEqual(['x-shop']);
    }),
  ),
  parted(
    'concepts.record/tags rules',
    'tags with null are omitted on create, at most 50 are accepted, and keys have up to 128 characters',
    partOf('null is omitted on create, and an empty value is stored', async (wire) => {
      const created = await wire.ok('POST', 'gvc', { name: wire.name('gvc'), tags: { gone: null, empty: '' } });
      expect(created['tags']).toEqual({ empty: '' });
    }),
    partOf('fifty tags are accepted, and more are refused', async (wire) => {
      const tags = (count: number): JsonObject =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, index]));
      await wire.ok('POST', 'gvc', { name: wire.name('gvc'), tags: tags(50) });
      await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), tags: tags(51) });
    }),
    partOf('values that are objects or lists are refused', async (wire) => {
      for (const value of [{}, []])
        await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), tags: { a: value } });
    }),
  ),
  parted(
    'wire/deletion takes time',
    'a deleted record is shown for a while, but does not exist for any other request',
    ownPart(
      'it can be read, a second deletion is immediately 404, and its name is free when the time is over',
      { deletionDelayMs: 60_000 },
      async (wire) => {
        const name = await makeGvc(wire);
        expect((await wire.call('DELETE', `gvc/${name}`)).status).toBe(202);
        expect((await wire.call('GET', `gvc/${name}`)).status).toBe(200);
        await wire.refused(404, 'DELETE', `gvc/${name}`);
        await wire.refused(409, 'POST', 'gvc', { name });
        await wire.advance('2m');
        await wire.refused(404, 'GET', `gvc/${name}`);
        expect((await wire.call('POST', 'gvc', { name })).status).toBe(201);
      },
    ),
    ownPart(
      'a GVC is not deleted while something in it is still being deleted',
      { deletionDelayMs: 60_000 },
      async (wire) => {
        const gvc = await makeGvc(wire);
        await wire.ok('DELETE', await makeIdentity(wire, gvc));
        expect(await wire.refused(409, 'DELETE', `gvc/${gvc}`)).toMatchObject({ code: 'being_deleted' });
        await wire.advance('2m');
        expect((await wire.call('DELETE', `gvc/${gvc}`)).status).toBe(202);
      },
    ),
  ),
  ownRow('wire/list order', 'a list is in the order of creation of its records', {}, async (wire) => {
    for (const name of ['zebra', 'monkey', 'antelope']) {
      await wire.ok('POST', 'agent', { name });
      await wire.advance('1s');
    }
    expect(itemsAt(await wire.get('agent'), 'items').map(({ name }) => name)).toEqual(['zebra', 'monkey', 'antelope']);
  }),
];

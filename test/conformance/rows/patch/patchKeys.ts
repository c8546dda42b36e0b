import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { container, link, makeCaller, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, itemsAt, joined, nest } from '../../harness/place.ts';
import { type Part, partOf } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

const env = [
  { name: 'A', value: '1' },
  { name: 'B', value: '2' },
];

/** Lists with the key that identifies an item: dropped by it. */
export function keyParts(): readonly Part[] {
  const inContainer = (list: string, items: readonly JsonObject[], key: string): Part => [
    `${list} of a container by ${Object.keys(items[0] ?? {}).find((field) => String(items[0]?.[field]) === key)}`,
    async (wire) => {
      const containers = [container({ [list]: [...items] })];
      const workload = await makeWorkload(wire, await town(wire), specOf('standard', { containers }));
      const item = { name: 'main', [`$drop/${list}`]: [key] };
      const patched = await wire.ok('PATCH', workload, { spec: { '$patch/containers': [item] } });
      expect(itemsAt(patched, `spec/containers/main/${list}`)).toMatchObject(items.slice(1));
    },
  ];
  // biome-ignore format: a row is a case
  return [
    inContainer('env', env, 'A'),
    inContainer('ports', [{ number: 8080, protocol: 'http' }, { number: 8081, protocol: 'tcp' }], '8080'),
    inContainer('volumes',
      [{ path: '/a', uri: 's3://a' }, { path: '/b', uri: 's3://a' }],
      '/a'),
    inSpec('multi by metric', 'defaultOptions/autoscaling', 'multi',
      [{ metric: 'cpu', target: 80 }, { metric: 'memory', target: 70 }], 'cpu', { capacityAI: false }),
    inSpec('inboundHeaderFilter by key', 'firewallConfig/external/http', 'inboundHeaderFilter',
      [{ key: 'x-a', allowedValues: ['a'] }, { key: 'x-b', allowedValues: ['b'] }], 'x-a'),
    inSpec('clusters of the proxy by name', 'sidecar/proxy', 'clusters',
      [{ name: 'one', type: 'STATIC' }, { name: 'two', type: 'STATIC' }], 'one'),
    partOf('networkResources of an identity by name', async (wire) => {
      const one = { name: 'one', IPs: ['10.0.0.1'], ports: [1] };
      const two = { name: 'two', IPs: ['10.0.0.2'], ports: [2] };
      const name = wire.name('identity');
      const collection = `gvc/${await town(wire)}/identity`;
      await wire.ok('POST', collection, { name, networkResources: [one, two] });
      const patch = { '$drop/networkResources': ['one'], '$patch/networkResources': [{ name: 'two', ports: [3] }] };
      expect((await wire.ok('PATCH', `${collection}/${name}`, patch))['networkResources']).toEqual([
        { ...two, ports: [3] },
      ]);
    }),
    partOf('localOptions by location, with its name or its link', async (wire) => {
      const localOptions = [
        { location: 'aws-us-east-1', debug: true },
        { location: 'gcp-us-east1', debug: true },
      ];
      const workload = await makeWorkload(wire, await town(wire), specOf('standard', { localOptions }));
      const patch = {
        spec: {
          '$patch/localOptions': [{ location: link.east, suspend: true }],
          '$drop/localOptions': ['gcp-us-east1'],
        },
      };
      const patched = await wire.ok('PATCH', workload, patch);
      expect(at(patched, 'spec/localOptions')).toMatchObject([{ debug: true, suspend: true }]);
    }),
    partOf('ports of a domain by number, and routes by their matcher', async (wire) => {
      const workloadLink = `/org/local/${await makeWorkload(wire, await town(wire), specOf('standard'))}`;
      const routes = [
        { prefix: '/a', workloadLink },
        { prefix: '/b', workloadLink },
      ];
      const name = `${wire.name('shop')}.com`;
      await wire.ok('POST', 'domain', {
        name,
        spec: { ports: [{ number: 443, protocol: 'http2', routes }, { number: 80 }] },
      });
      const patch = { spec: { '$patch/ports': [{ number: 443, '$drop/routes': ['/a'] }], '$drop/ports': ['80'] } };
      const patched = await wire.ok('PATCH', `domain/${name}`, patch);
      expect(at(patched, 'spec/ports')).toMatchObject([{ number: 443, routes: [{ prefix: '/b' }] }]);
    }),
    partOf('locations of an IP set by name, member links by themselves', async (wire) => {
      const name = wire.name('ipset');
      const kept = { name: link.east, retentionPolicy: 'keep' };
      await wire.ok('POST', 'ipset', { name, spec: { locations: [kept, { ...kept, name: link.south }] } });
      const patched = await wire.ok('PATCH', `ipset/${name}`, { spec: { '$drop/locations': [link.south] } });
      expect(at(patched, 'spec/locations')).toEqual([kept]);
      const { link: member } = await makeCaller(wire);
      const group = wire.name('group');
      await wire.ok('POST', 'group', { name: group, memberLinks: [member] });
      expect((await wire.ok('PATCH', `group/${group}`, { '$drop/memberLinks': [member] }))['memberLinks']).toEqual(
        [],
      );
    }),
  ];
}
/** A list in the spec of a workload, dropped from by its key. */
function inSpec(
  words: string,
  place: string,
  list: string,
  items: readonly JsonObject[],
  key: string,
  options: JsonObject = {},
): Part {
  const check = async (wire: Wire): Promise<void> => {
    const more = joined(
      nest(place, { [list]: [...items] }),
      Object.keys(options).length > 0 ? { defaultOptions: options } : {},
    );
    const workload = await makeWorkload(wire, await town(wire), specOf('standard', more));
    const patched = await wire.ok('PATCH', workload, { spec: nest(place, { [`$drop/${list}`]: [key] }) });
    expect(itemsAt(patched, `spec/${place}/${list}`)).toMatchObject(items.slice(1));
  };
  return [words, check];
}

import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { container, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { itemsAt, joined, nest } from '../../harness/place.ts';
import { type Part, partOf } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

const env = [
  { name: 'A', value: '1' },
  { name: 'B', value: '2' },
];

/** Parts that drop an item from each list by the key of the list. */
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
  ];
}
/** A part that drops an item by its key from a list in the spec of a workload. */
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

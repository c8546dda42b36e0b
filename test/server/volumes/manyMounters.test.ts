import { expect, test } from 'vitest';
import { type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { container, makeShop, manyOf, platformForAll } from '../platform.ts';
import { mostRowsRead } from '../rowsRead.ts';

const count = 300;
/** A read of all mounters returns more rows than this, and other lists, such as all locations, fewer. */
const few = 150;

const platform = platformForAll({}, async (platform) => {
  await makeShop(platform, 'aws-us-east-1', 'aws-us-west-2');
  const spec = { initialCapacity: 10, performanceClass: 'shared', fileSystemType: 'shared' };
  await platform.send('POST', 'gvc/shop/volumeset', { name: 'data', spec });
  await manyOf(count, (at) => make(`web-${at}`));
});

function make(name: string): Promise<unknown> {
  const volumes = [{ uri: 'scheme://volumeset/data', path: '/data' }];
  const spec = { type: 'standard', containers: [container({ volumes })] };
  return platform.send('POST', 'gvc/shop/workload', { name, spec });
}

test('the bill of a shared set with very many mounters is computed in slices', async () => {
  let bill: JsonObject = {};
  const most = await mostRowsRead(async () => {
    bill = (await platform.send('GET', 'gvc/shop/volumeset/data/-bill')).body;
  });
  expect(bill).toMatchObject({ reservedGb: 20, mountPoints: 2 * count });
  expect(most).toBeLessThan(few);
});

test.each([
  ['a new mounter', () => make('one-more'), count + 1],
  ['a deleted mounter', () => platform.send('DELETE', 'gvc/shop/workload/one-more'), count],
  ['a change of the set', () => platform.send('PATCH', 'gvc/shop/volumeset/data', { description: 'x' }), count],
])('%s of a shared set with very many mounters does not read the others', async (_, work, expected) => {
  const most = await mostRowsRead(work);
  const { body } = await platform.send('GET', 'gvc/shop/volumeset/data');
  const status = objectAt(body, 'status');
  expect(listAt(status, 'workloadLinks')).toHaveLength(expected);
  expect(listAt(status, 'locations')).toMatchObject([{ desiredVolumeCount: 1 }, { desiredVolumeCount: 1 }]);
  expect(most).toBeLessThan(few);
});

test('volumes become unbound when their last mounter is deleted', async () => {
  const spec = { initialCapacity: 10, performanceClass: 'shared', fileSystemType: 'shared' };
  await platform.send('POST', 'gvc/shop/volumeset', { name: 'lone', spec });
  const volumes = [{ uri: 'scheme://volumeset/lone', path: '/data' }];
  for (const name of ['first', 'second']) {
    const workload = { name, spec: { type: 'standard', containers: [container({ volumes })] } };
    await platform.send('POST', 'gvc/shop/workload', workload);
  }
  const lifecycles: unknown[] = [];
  for (const name of ['first', 'second']) {
    await platform.send('DELETE', `gvc/shop/workload/${name}`);
    const { body } = await platform.send('GET', 'gvc/shop/volumeset/lone');
    lifecycles.push(...listAt(objectAt(body, 'status'), 'locations'));
  }
  expect(lifecycles).toMatchObject(
    ['bound', 'bound', 'unbound', 'unbound'].map((lifecycle) => ({ volumes: [{ lifecycle }] })),
  );
});

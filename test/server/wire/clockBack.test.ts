import { expect, test } from 'vitest';
import { stringAt } from '../../../src/base/json/json.ts';
import { container, makeShop, names, type TestPlatform, testPlatform } from '../platform.ts';

const createdMs = Date.parse('2026-05-01T12:00:00Z');

/** Sets the clock back by an hour after all records were created, as the clock of another server can be behind. */
async function setBack(work: (platform: TestPlatform) => Promise<void>): Promise<void> {
  let nowMs = createdMs;
  const platform = await testPlatform({ now: () => nowMs });
  await makeShop(platform, 'aws-us-east-1');
  await platform.send('POST', 'gvc/shop/workload', {
    name: 'web',
    spec: { type: 'standard', containers: [container()] },
  });
  await platform.send('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'x' } });
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  nowMs -= 3_600_000;
  await work(platform);
  await platform.close();
}

test('lastModified is never before created, after any change', async () => {
  await setBack(async (platform) => {
    const changes: readonly (readonly [string, string, string, object])[] = [
      ['PATCH', 'gvc/shop', 'gvc/shop', { description: 'new' }],
      ['PATCH', 'gvc/shop/workload/web', 'gvc/shop/workload/web', { description: 'new' }],
      ['PUT', 'secret/key', 'secret/key', { name: 'key', type: 'opaque', data: { payload: 'y' } }],
      ['POST', 'serviceaccount/robot/-addKey', 'serviceaccount/robot', { description: 'x' }],
      ['PATCH', 'group/viewers', 'group/viewers', { memberLinks: ['//serviceaccount/robot'] }],
      ['PATCH', 'org', '/org/local', { description: 'new' }],
    ];
    for (const [method, path, shown, body] of changes) {
      await platform.send(method, path === 'org' ? '/org/local' : path, body);
      const record = (await platform.send('GET', shown)).body;
      const [created, modified] = [stringAt(record, 'created'), stringAt(record, 'lastModified')];
      expect([shown, Number(record['version'])], JSON.stringify(record)).toEqual([shown, 2]);
      expect(modified, shown).toBe(created);
    }
  });
});

test('queries compare the shown time', async () => {
  await setBack(async (platform) => {
    await platform.send('PATCH', 'gvc/shop', { description: 'new' });
    const terms = [{ property: 'lastModified', op: '>=', value: new Date(createdMs).toISOString() }];
    expect(names(await platform.send('POST', 'gvc/-query', { spec: { terms } }))).toEqual(['shop']);
  });
});

test('the times of a command are never before its creation', async () => {
  let nowMs = createdMs;
  const platform = await testPlatform({ now: () => nowMs });
  const made = await platform.send('POST', '-command', { type: 'echo', spec: { seconds: 3600 } });
  nowMs -= 3_600_000;
  const path = `-command/${stringAt(made.body, 'id')}`;
  await platform.send('PATCH', path, { lifecycleStage: 'cancelled' });
  const { body } = await platform.send('GET', path);
  await platform.close();
  expect([body['created'], body['lastModified']]).toEqual(Array(2).fill(new Date(createdMs).toISOString()));
});

import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { own } from '../../../src/base/json/json.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { container, makeShop, names, type TestPlatform, testPlatform } from '../platform.ts';

const folder = temporaryFolder('from');
const running: TestPlatform[] = [];
afterEach(async () => {
  for (const platform of running.splice(0)) await platform.close();
});

async function started(options: Parameters<typeof testPlatform>[0] = {}): Promise<TestPlatform> {
  const platform = await testPlatform(options);
  running.push(platform);
  return platform;
}

async function shop(platform: TestPlatform): Promise<void> {
  await makeShop(platform, 'aws-us-east-1');
  await platform.send('POST', 'secret', { name: 'pass', type: 'opaque', data: { payload: 'geheim-1' } });
  const env = [{ name: 'PASS', value: 'scheme://secret/pass' }];
  await platform.send('POST', 'gvc/shop/workload', {
    name: 'web',
    spec: { type: 'standard', containers: [container({ env })] },
  });
  await platform.send('PATCH', 'gvc/shop', { description: 'the shop' });
}

test('a snapshot contains no value of a secret unless requested', async () => {
  const platform = await started();
  await shop(platform);
  expect(JSON.stringify((await platform.send('GET', '/-snapshot')).body)).not.toContain('geheim-1');
  const whole = await platform.send('GET', '/-snapshot?secrets=true');
  expect(JSON.stringify(whole.body)).toContain('geheim-1');
});

test('a platform started from a snapshot answers as the original', async () => {
  const first = await started();
  await shop(first);
  const { body } = await first.send('GET', '/-snapshot?secrets=true');
  const second = await started({ from: body });
  for (const path of ['gvc/shop', 'gvc/shop/workload/web', 'secret/pass/-reveal', 'location', '/org/local', 'policy']) {
    const [before, after] = [await first.send('GET', path), await second.send('GET', path)];
    expect([path, after.status, after.body]).toEqual([path, 200, before.body]);
  }
});

test('PUT of a snapshot replaces the whole state, including references and tags', async () => {
  const first = await started();
  await shop(first);
  const { body } = await first.send('GET', '/-snapshot?secrets=true');
  const second = await started();
  await second.send('POST', 'gvc', { name: 'other' });
  expect((await second.send('PUT', '/-snapshot', body)).status).toBe(200);
  expect(names(await second.send('GET', 'gvc'))).toEqual(['shop']);
  expect(own((await second.send('GET', 'gvc/shop')).body, 'version')).toBe(2);
  expect((await second.send('DELETE', 'gvc/shop')).status).toBe(202);
});

test.each([
  [{}, 'format'],
  [{ format: 1 }, 'orgs'],
  [{ format: 1, orgs: { local: {} } }, 'orgs.local.facts.created'],
  [
    { format: 1, orgs: { local: { facts: { created: 'x' }, records: [{ kind: 'cat' }] } } },
    'orgs.local.records.0.kind',
  ],
])('the snapshot %j is refused at %s, and changes nothing', async (body, place) => {
  const platform = await started();
  await platform.send('POST', 'gvc', { name: 'shop' });
  const answer = await platform.send('PUT', '/-snapshot', body);
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { details: { problems: expect.arrayContaining([expect.objectContaining({ path: place })]) } },
  ]);
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(200);
});

test('a virtual clock continues from the time of the loaded snapshot', async () => {
  const first = await started({ clock: 'virtual' });
  const { body: there } = await first.send('POST', '/-clock', { advance: '9d' });
  const { body } = await first.send('GET', '/-snapshot');
  const begun = await started({ clock: 'virtual', from: body });
  expect((await begun.send('GET', '/-clock')).body['now']).toBe(there['now']);
  const put = await started({ clock: 'virtual' });
  await put.send('PUT', '/-snapshot', body);
  expect((await put.send('GET', '/-clock')).body['now']).toBe(there['now']);
});

test('a server starts from a snapshot only with an empty database', async () => {
  const first = await started();
  await shop(first);
  const { body } = await first.send('GET', '/-snapshot');
  const data = join(folder, 'platform.db');
  await (await testPlatform({ data, from: body })).close();
  await expect(testPlatform({ data, from: body })).rejects.toMatchObject({ code: 'server.not-empty' });
  const again = await started({ data });
  expect(names(await again.send('GET', 'gvc'))).toEqual(['shop']);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { container, names, testPlatform } from '../platform.ts';

interface Step {
  readonly path: string;
  readonly body: JsonObject;
}
interface Case {
  readonly it: string;
  readonly given: readonly Step[];
  readonly path: string;
  readonly status: number;
}

const gvc: Step = {
  path: 'gvc',
  body: { name: 'shop', spec: { staticPlacement: { locationLinks: ['//location/aws-us-east-1'] } } },
};
const identity: Step = { path: 'gvc/shop/identity', body: { name: 'web' } };
const volumeSet: Step = {
  path: 'gvc/shop/volumeset',
  body: { name: 'data', spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' } },
};
const workload: Step = {
  path: 'gvc/shop/workload',
  body: {
    name: 'web',
    spec: {
      type: 'stateful',
      identityLink: '//identity/web',
      containers: [
        container({
          volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }],
          env: [{ name: 'A', value: 'scheme://secret/key' }],
        }),
      ],
    },
  },
};
const secret: Step = { path: 'secret', body: { name: 'key', type: 'opaque', data: { payload: 'x' } } };
const guarded: Step = { path: 'gvc/shop/identity', body: { name: 'kept', tags: { 'scheme/protected': 'true' } } };

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'a workload', given: [gvc, identity, volumeSet, workload], path: 'gvc/shop/workload/web', status: 202 },
  { it: 'a GVC with all that is in it', given: [gvc, identity, volumeSet, workload], path: 'gvc/shop', status: 202 },
  { it: 'an identity in use', given: [gvc, identity, volumeSet, workload], path: 'gvc/shop/identity/web', status: 400 },
  { it: 'a volume set in use', given: [gvc, identity, volumeSet, workload], path: 'gvc/shop/volumeset/data', status: 400 },
  { it: 'a volume set', given: [gvc, volumeSet], path: 'gvc/shop/volumeset/data', status: 202 },
  { it: 'a secret that a variable names', given: [secret, gvc, identity, volumeSet, workload], path: 'secret/key', status: 202 },
  { it: 'a protected record', given: [gvc, guarded], path: 'gvc/shop/identity/kept', status: 400 },
  { it: 'a GVC with a protected record', given: [gvc, guarded], path: 'gvc/shop', status: 400 },
  { it: 'an audit context', given: [{ path: 'auditctx', body: { name: 'own' } }], path: 'auditctx/own', status: 405 },
  { it: 'a built-in group', given: [], path: 'group/viewers', status: 400 },
  { it: 'a built-in location', given: [], path: 'location/aws-us-east-1', status: 400 },
  { it: 'what is not there', given: [], path: 'gvc/none', status: 404 },
];

test.each(cases)('DELETE of $it answers $status (platform/deletion.references)', async ({ given, path, status }) => {
  const platform = await testPlatform();
  for (const { path: collection, body } of given) {
    const made = await platform.send('POST', collection, body);
    expect(made.body).toMatchObject({ name: body['name'] });
  }
  const answer = await platform.send('DELETE', path);
  const after = await platform.send('GET', path);
  await platform.close();
  expect(answer.status).toBe(status);
  if (status < 300) expect([answer.body, after.status]).toEqual([{}, 404]);
  else if (status !== 404) expect(after.status).toBe(200);
});

test('a deleted record is shown for the configured while, but is gone for a second DELETE (platform/wire.writes)', async () => {
  let nowMs = 1_000_000;
  const platform = await testPlatform({ deletionDelayMs: 100, now: () => nowMs });
  await platform.send('POST', 'gvc', gvc.body);
  const statuses: number[] = [];
  for (const method of ['DELETE', 'GET', 'DELETE', 'GET']) {
    statuses.push((await platform.send(method, 'gvc/shop')).status);
  }
  statuses.push((await platform.send('POST', 'gvc', gvc.body)).status);
  nowMs += 101;
  statuses.push((await platform.send('GET', 'gvc/shop')).status, (await platform.send('POST', 'gvc', gvc.body)).status);
  await platform.close();
  expect(statuses).toEqual([202, 200, 404, 200, 409, 404, 201]);
});

test('a GVC is not deleted while something in it is still being deleted (platform/wire.writes)', async () => {
  let nowMs = 1_000_000;
  const platform = await testPlatform({ deletionDelayMs: 100, now: () => nowMs });
  for (const { path, body } of [gvc, identity]) await platform.send('POST', path, body);
  await platform.send('DELETE', 'gvc/shop/identity/web');
  const refused = await platform.send('DELETE', 'gvc/shop');
  nowMs += 101;
  const accepted = await platform.send('DELETE', 'gvc/shop');
  await platform.close();
  expect([refused.status, refused.body['code'], accepted.status]).toEqual([409, 'being_deleted', 202]);
});

test('what was answered is there after a restart on the same file (platform/concepts.record)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-server-'));
  const data = join(folder, 'platform.db');
  const first = await testPlatform({ data });
  const made = await Promise.all(['one', 'two', 'six'].map((name) => first.send('POST', 'gvc', { name })));
  await first.close();
  const second = await testPlatform({ data });
  const found = await second.send('GET', 'gvc');
  await second.close();
  rmSync(folder, { recursive: true });
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(names(found).toSorted()).toEqual(['one', 'six', 'two']);
});

import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt } from '../../../src/base/json/json.ts';
import { container, manyOf, platformForAll } from '../platform.ts';
import { mostRowsRead } from '../rowsRead.ts';
import { expectSlices, statusFor, tokensOf } from './manyCallers.ts';

const count = 450;
/** A read of all policies returns more rows than this. The server reads 201 to find out that there are many. */
const few = 250;

const principals = ['user/many@example.com', 'serviceaccount/robot', 'group/team', 'gvc/shop/identity/job'] as const;
const callers = ['user/many@example.com', 'serviceaccount/robot', 'user/member@example.com', 'gvc/shop/identity/job'];
const tokens = tokensOf(callers);

const platform = platformForAll({ tokens, users: ['many@example.com', 'member@example.com'] }, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await platform.send('POST', 'gvc/shop/identity', { name: 'job' });
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  await platform.send('POST', 'group', { name: 'team', memberLinks: ['//user/member@example.com'] });
  for (const name of ['web', 'other']) {
    const made = await platform.send('POST', 'gvc/shop/workload', {
      name,
      spec: { type: 'standard', containers: [container()] },
    });
    expect(made.status).toBe(201);
  }
  await manyOf(count, (at) => grant(`policy-${at}`, 'web'));
});

function grant(name: string, workload: string): Promise<unknown> {
  const principalLinks = principals.map((path) => `/org/local/${path}`);
  return platform.send('POST', 'policy', {
    name,
    targetKind: 'workload',
    targetLinks: [`//gvc/shop/workload/${workload}`],
    bindings: [{ permissions: ['view'], principalLinks }],
  });
}

test.each(callers.map((who, at) => [who, at] as const))(
  'the permissions that very many policies give to %s are collected in slices',
  (_, at) => expectSlices(platform, at, few),
);

test('many simultaneous requests after a change of permissions are all answered', async () => {
  await platform.send('POST', 'group', { name: 'another' });
  const statuses = await Promise.all(
    Array.from({ length: 80 }, (_, at) => statusFor(platform, at % callers.length, 'web')),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('granting and revoking a permission take effect immediately', async () => {
  for (let round = 0; round < 3; round += 1) {
    await grant('of-other', 'other');
    expect(await Promise.all(callers.map((_, at) => statusFor(platform, at, 'other')))).toEqual([200, 200, 200, 200]);
    await platform.send('DELETE', 'policy/of-other');
    expect(await Promise.all(callers.map((_, at) => statusFor(platform, at, 'other')))).toEqual([403, 403, 403, 403]);
  }
});

test('requests are answered correctly while permissions change all the time', async () => {
  let goesOn = true;
  async function change(): Promise<void> {
    for (let at = 0; goesOn; at += 1) await platform.send('PATCH', 'group/team', { description: `number ${at}` });
  }
  const changes = change();
  const statuses: number[] = [];
  for (let sent = 0; sent < 5; sent += 1) {
    statuses.push(
      await statusFor(platform, sent % callers.length, 'web'),
      await statusFor(platform, sent % callers.length, 'other'),
    );
  }
  goesOn = false;
  await changes;
  expect(statuses).toEqual([200, 403, 200, 403, 200, 403, 200, 403, 200, 403]);
});

test('the access report of a record that very many policies name is collected in slices', async () => {
  let report: JsonObject = {};
  const most = await mostRowsRead(async () => {
    report = (await platform.send('GET', 'gvc/shop/workload/web/-accessreport')).body;
  });
  const view = listAt(report, 'permissions').find((each) => isObject(each) && each['name'] === 'view');
  const bindings = isObject(view) ? listAt(view, 'bindings').filter(isObject) : [];
  expect(bindings.filter(({ principalLink }) => principalLink === '/org/local/group/team')).toHaveLength(count);
  expect(most).toBeLessThan(few);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { done, guarded, keyOf, letting } from './callers.ts';

const folder = temporaryFolder('access');

test('an org that has lost its last superuser gets the bootstrap user back at the next start (platform/group)', async () => {
  const data = join(folder, 'superuser.db');
  const first = await guarded({
    data,
    users: ['ann@x.example'],
    tokens: [{ token: 'token-of-ann', principal: '//user/ann@x.example' }],
  });
  const ann = first.as('token-of-ann');
  await done(first.admin('PATCH', 'group/superusers', { '$append/memberLinks': ['//user/ann@x.example'] }));
  const deleter = await first.account('deleter', letting('deleter', 'user', ['delete']));
  await done(ann('PATCH', 'group/superusers', { '$drop/memberLinks': ['//user/admin@example.com'] }));
  await done(deleter('DELETE', 'user/ann@x.example'));
  expect((await first.admin('GET', 'group/superusers')).status).toBe(403);
  await first.close();

  const second = await guarded({ data });
  const { body } = await done(second.admin('GET', 'group/superusers'));
  expect(body).toMatchObject({ memberLinks: ['/org/local/user/admin@example.com'] });
  await second.close();
});

test('a restarted server still grants what policies grant, and nothing else', async () => {
  const data = join(folder, 'rights.db');
  const first = await guarded({ data });
  await done(first.admin('POST', 'serviceaccount', { name: 'keeper' }));
  const key = await keyOf(first.admin, 'keeper');
  await done(first.admin('POST', 'policy', { name: 'keeping', ...letting('keeper', 'group', ['view']) }));
  expect((await first.as(key)('GET', 'group/viewers')).status).toBe(200);
  await first.close();

  const second = await guarded({ data });
  const keeper = second.as(key);
  expect((await keeper('GET', 'group/viewers')).status).toBe(200);
  expect((await keeper('PATCH', 'group/viewers', { description: 'x' })).status).toBe(403);
  await second.close();
});

test('two processes on one database grant the same permissions', async () => {
  const data = join(folder, 'both.db');
  const [one, other] = [await guarded({ data }), await guarded({ data })];
  try {
    const here = await one.account('both');
    const there = other.as(await keyOf(one.admin, 'both'));
    expect([(await here('GET', 'group/viewers')).status, (await there('GET', 'group/viewers')).status]).toEqual([
      403, 403,
    ]);
    await done(other.admin('POST', 'policy', { name: 'both-view', ...letting('both', 'group', ['view']) }));
    expect([(await here('GET', 'group/viewers')).status, (await there('GET', 'group/viewers')).status]).toEqual([
      200, 200,
    ]);
    await done(one.admin('DELETE', 'policy/both-view'));
    expect([(await here('GET', 'group/viewers')).status, (await there('GET', 'group/viewers')).status]).toEqual([
      403, 403,
    ]);
  } finally {
    await one.close();
    await other.close();
  }
});

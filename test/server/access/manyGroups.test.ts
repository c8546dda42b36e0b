import { expect, test } from 'vitest';
import { container, manyOf, platformForAll } from '../platform.ts';
import { mostRowsRead } from '../rowsRead.ts';
import { expectSlices, statusFor, tokensOf } from './manyCallers.ts';

const count = 450;
/** A read of all groups returns more rows than this. */
const few = 250;

const callers = ['user/many@example.com', 'serviceaccount/robot', 'gvc/shop/identity/job'] as const;
const tokens = tokensOf(callers);

const platform = platformForAll({ tokens, users: ['many@example.com'] }, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await platform.send('POST', 'gvc/shop/identity', { name: 'job' });
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
  for (const name of ['web', 'other']) {
    const spec = { type: 'standard', containers: [container()] };
    expect((await platform.send('POST', 'gvc/shop/workload', { name, spec })).status).toBe(201);
  }
  const memberLinks = callers.slice(0, 2).map((path) => `//${path}`);
  const identityMatcher = { expression: "name == 'job'" };
  await manyOf(count, (at) => platform.send('POST', 'group', { name: `team-${at}`, memberLinks, identityMatcher }));
  for (const [workload, group] of [
    ['web', `team-${count - 1}`],
    ['other', 'outside'],
  ]) {
    if (group === 'outside') await platform.send('POST', 'group', { name: group });
    const made = await platform.send('POST', 'policy', {
      name: `of-${workload}`,
      targetKind: 'workload',
      targetLinks: [`//gvc/shop/workload/${workload}`],
      bindings: [{ permissions: ['view'], principalLinks: [`//group/${group}`] }],
    });
    expect(made.status).toBe(201);
  }
});

test.each(callers.map((who, at) => [who, at] as const))('the groups of %s are read in slices', (_, at) =>
  expectSlices(platform, at, few),
);

test('the groups of a known identity are not read again', async () => {
  expect(await statusFor(platform, 2, 'web')).toBe(200);
  expect(await mostRowsRead(() => statusFor(platform, 2, 'web'))).toBeLessThan(10);
});

test('the groups of an identity follow changes of its fields and of matchers', async () => {
  await platform.send('PATCH', `group/team-${count - 1}`, {
    identityMatcher: { expression: "name == 'job' && tags.web == 'no'" },
  });
  expect(await statusFor(platform, 2, 'web')).toBe(403);
  await platform.send('PATCH', 'gvc/shop/identity/job', { tags: { web: 'no' } });
  expect(await statusFor(platform, 2, 'web')).toBe(200);
  await platform.send('PATCH', 'gvc/shop/identity/job', { tags: { web: 'yes' } });
  expect(await statusFor(platform, 2, 'web')).toBe(403);
});

test('a caller who leaves a group immediately loses its permissions', async () => {
  await platform.send('PATCH', `group/team-${count - 1}`, { memberLinks: ['//user/many@example.com'] });
  expect([await statusFor(platform, 0, 'web'), await statusFor(platform, 1, 'web')]).toEqual([200, 403]);
});

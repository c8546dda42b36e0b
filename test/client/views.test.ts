import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { list, type Reply, record, type Seen, serve } from './fakeServer.ts';

const robot = record('serviceaccount', 'robot');
const ann = record('user', 'u-1', { id: 'uid-ann', email: 'Ann@shop.example' });

function policy(targetKind: string, permissions: readonly string[], principal: string, target: JsonObject): JsonObject {
  const bindings = [{ permissions, principalLinks: [principal] }];
  return record('policy', `p-${targetKind}-${principal.length}`, { targetKind, bindings, ...target });
}

const all = { target: 'all' };
const inGvc = (...terms: readonly JsonObject[]): JsonObject => ({ targetQuery: { spec: { match: 'all', terms } } });

/** A platform with these policies, and the groups that the caller belongs or does not belong to. */
function platform(
  caller: JsonObject | undefined,
  policies: readonly JsonObject[],
  instead?: (seen: Seen) => Reply | undefined,
) {
  const groups = [
    record('group', 'ours', { memberLinks: ['//serviceaccount/robot', '/org/acme/user/ann@shop.example'] }),
    record('group', 'theirs', { memberLinks: ['//serviceaccount/other'] }),
  ];
  return (seen: Seen): Reply => {
    const other = instead?.(seen);
    if (other !== undefined) return other;
    if (seen.path === '/user')
      return caller === undefined ? { status: 404, body: { message: 'no' } } : { body: caller };
    return { body: list(seen.path.includes('/policy/') ? policies : groups) };
  };
}

describe('a caller can view all records of a kind', () => {
  // biome-ignore format: a row is a case
  const rows: readonly (readonly [string, JsonObject, JsonObject, boolean])[] = [
    ['who is named', robot, policy('secret', ['view'], '//serviceaccount/robot', all), true],
    ['with a permission that implies view', robot, policy('secret', ['create'], '//serviceaccount/robot', all), true],
    ['with only use and reveal: no', robot, policy('secret', ['use', 'reveal'], '//serviceaccount/robot', all), false],
    ['somebody else: no', robot, policy('secret', ['view'], '//serviceaccount/other', all), false],
    ['as a user of the same name: no', robot, policy('secret', ['view'], '//user/robot', all), false],
    ['from another org: no', robot, policy('secret', ['view'], '/org/b/serviceaccount/robot', all), false],
    ['as a member of a group', robot, policy('secret', ['manage'], '//group/ours', all), true],
    ['as no member of the group: no', robot, policy('secret', ['manage'], '//group/theirs', all), false],
    ['a user by e-mail address, in any case', ann, policy('secret', ['view'], '//user/ann@SHOP.example', all), true],
    ['a user by id', ann, policy('secret', ['view'], '//user/uid-ann', all), true],
    ['a user in a group', ann, policy('secret', ['view'], '//group/ours', all), true],
    ['on some records only: no', robot,
      policy('secret', ['view'], '//serviceaccount/robot', { targetLinks: ['//secret/a'] }), false],
    ['on the result of a query: no', robot,
      policy('secret', ['view'], '//serviceaccount/robot', inGvc({ tag: 'a', op: 'exists' })), false],
    ['another kind: no', robot, policy('group', ['view'], '//serviceaccount/robot', all), false],
  ];
  test.each(rows)('%s', async (_, caller, given, expected) => {
    const { client } = await serve(platform(caller, [given]));
    expect((await client.views()).all('secret')).toBe(expected);
  });

  test('of one GVC, by a query for exactly that GVC', async () => {
    const term = { rel: 'gvc', op: '=', value: 'shop' };
    const mine = '//serviceaccount/robot';
    const whole = await serve(platform(robot, [policy('workload', ['view'], mine, inGvc(term))]));
    const views = await whole.client.views();
    expect([views.all('workload', 'shop'), views.all('workload', 'other'), views.all('workload')]).toEqual([
      true,
      false,
      false,
    ]);
    for (const terms of [[term, { tag: 'a', op: 'exists' }], [{ ...term, op: '!=' }], []]) {
      const part = await serve(platform(robot, [policy('workload', ['view'], mine, inGvc(...terms))]));
      expect((await part.client.views()).all('workload', 'shop')).toBe(false);
    }
  });

  test('as an identity only in its own GVC', async () => {
    const rider = record('identity', 'rider', {}, 'shop');
    const policies = [policy('secret', ['view'], '//gvc/other/identity/rider', all)];
    const { client } = await serve(platform(rider, policies));
    expect((await client.views()).all('secret')).toBe(false);
    const own = await serve(platform(rider, [policy('secret', ['view'], '//gvc/shop/identity/rider', all)]));
    expect((await own.client.views()).all('secret')).toBe(true);
  });
});

test("the token's views are read once, with three requests", async () => {
  const { client, lines } = await serve(platform(robot, [policy('secret', ['view'], '//group/ours', all)]));
  await Promise.all([client.views(), client.views()]);
  await client.views();
  expect(lines().toSorted()).toEqual([
    'GET /user',
    'POST /org/acme/group/-query?limit=1000',
    'POST /org/acme/policy/-query?limit=1000',
  ]);
});

test.each([
  ['a platform that does not name the caller', '/user', { status: 404, body: { message: 'no such path' } }, false],
  ['a useless answer about the caller', '/user', { text: '<html>' }, false],
  ['a platform without policies', '/policy', { status: 405, body: { message: 'no' } }, false],
  ['policies that are forbidden', '/policy', { status: 403, body: { message: 'no' } }, true],
  ['groups that are forbidden', '/group', { status: 403, body: { message: 'no' } }, true],
])('access.user, access.policies: with %s, no view of everything is assumed', async (_, path, reply, isTold) => {
  const instead = (seen: Seen) => (seen.path.includes(path) ? reply : undefined);
  const { client } = await serve(platform(robot, [policy('secret', ['view'], '//group/ours', all)], instead));
  const views = await client.views();
  expect([views.all('secret'), views.isKnown]).toEqual([false, isTold]);
});

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

/** A platform with these policies, and the groups of which the caller is a member or not. */
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

describe('who may view all of a kind', () => {
  // biome-ignore format: a row is a case
  const rows: readonly (readonly [string, JsonObject, JsonObject, boolean])[] = [
    ['who is named', robot, policy('secret', ['view'], '//serviceaccount/robot', all), true],
    ['who may do what implies it', robot, policy('secret', ['create'], '//serviceaccount/robot', all), true],
    ['who may only use it: no', robot, policy('secret', ['use', 'reveal'], '//serviceaccount/robot', all), false],
    ['somebody else: no', robot, policy('secret', ['view'], '//serviceaccount/other', all), false],
    ['a user of the same name: no', robot, policy('secret', ['view'], '//user/robot', all), false],
    ['somebody of another org: no', robot, policy('secret', ['view'], '/org/b/serviceaccount/robot', all), false],
    ['a member of a group', robot, policy('secret', ['manage'], '//group/ours', all), true],
    ['who is in no such group: no', robot, policy('secret', ['manage'], '//group/theirs', all), false],
    ['a user by e-mail address, in any case', ann, policy('secret', ['view'], '//user/ann@SHOP.example', all), true],
    ['a user by id', ann, policy('secret', ['view'], '//user/uid-ann', all), true],
    ['a user in a group', ann, policy('secret', ['view'], '//group/ours', all), true],
    ['some records only: no', robot,
      policy('secret', ['view'], '//serviceaccount/robot', { targetLinks: ['//secret/a'] }), false],
    ['what a query finds: no', robot,
      policy('secret', ['view'], '//serviceaccount/robot', inGvc({ tag: 'a', op: 'exists' })), false],
    ['another kind: no', robot, policy('group', ['view'], '//serviceaccount/robot', all), false],
  ];
  test.each(rows)('%s', async (_, caller, given, expected) => {
    const { client } = await serve(platform(caller, [given]));
    expect((await client.views()).all('secret')).toBe(expected);
  });

  test('of one GVC, by a query for exactly that', async () => {
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

  test('an identity is another one in another GVC', async () => {
    const rider = record('identity', 'rider', {}, 'shop');
    const policies = [policy('secret', ['view'], '//gvc/other/identity/rider', all)];
    const { client } = await serve(platform(rider, policies));
    expect((await client.views()).all('secret')).toBe(false);
    const own = await serve(platform(rider, [policy('secret', ['view'], '//gvc/shop/identity/rider', all)]));
    expect((await own.client.views()).all('secret')).toBe(true);
  });
});

test('what the token may view is asked once, with three requests', async () => {
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
  ['a platform that does not say who asks', '/user', { status: 404, body: { message: 'no such path' } }, false],
  ['one that says nothing of use', '/user', { text: '<html>' }, false],
  ['one that has no policies to read', '/policy', { status: 405, body: { message: 'no' } }, false],
  ['policies that may not be read', '/policy', { status: 403, body: { message: 'no' } }, true],
  ['groups that may not be read', '/group', { status: 403, body: { message: 'no' } }, true],
])('access.user, access.policies: with %s, all is not viewed for certain', async (_, path, reply, isTold) => {
  const instead = (seen: Seen) => (seen.path.includes(path) ? reply : undefined);
  const { client } = await serve(platform(robot, [policy('secret', ['view'], '//group/ours', all)], instead));
  const views = await client.views();
  expect([views.all('secret'), views.isKnown]).toEqual([false, isTold]);
});

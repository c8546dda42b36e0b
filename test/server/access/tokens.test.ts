import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/schema/record/problem.ts';
import { readStaticTokens } from '../../../src/server/access/decisions/tokens.ts';
import type { Send } from '../platform.ts';
import { done, type Guarded, guarded, letting } from './callers.ts';

describe('a list of tokens', () => {
  test('is read with principals and times', () => {
    const problems: Problem[] = [];
    const read = readStaticTokens(
      [
        { token: 'token-of-ann', principal: '//user/ann@x.example' },
        { token: 'token-of-app', principal: '/org/acme/gvc/shop/identity/app', expires: '2030-01-01T00:00:00Z' },
      ],
      'local',
      problems,
    );
    expect(problems).toEqual([]);
    expect(read).toEqual([
      { token: 'token-of-ann', principal: '//user/ann@x.example' },
      { token: 'token-of-app', principal: '/org/acme/gvc/shop/identity/app', expiresMs: 1_893_456_000_000 },
    ]);
  });

  // biome-ignore format: a row is a case
  test.each([
    ['no list', { token: 'a-long-token', principal: '//user/a' }, ''],
    ['no object', ['a-long-token'], '0'],
    ['a short token', [{ token: 'short', principal: '//user/a' }], '0.token'],
    ['a token with a space', [{ token: 'a long token', principal: '//user/a' }], '0.token'],
    ['no token', [{ principal: '//user/a' }], '0.token'],
    ['no principal', [{ token: 'a-long-token' }], '0.principal'],
    ['a group', [{ token: 'a-long-token', principal: '//group/g' }], '0.principal'],
    ['an identity without its GVC', [{ token: 'a-long-token', principal: '//identity/i' }], '0.principal'],
    ['a time without a zone', [{ token: 'a-long-token', principal: '//user/a', expires: '2030-01-01T00:00' }],
      '0.expires'],
    ['a day', [{ token: 'a-long-token', principal: '//user/a', expires: '2030-01-01' }], '0.expires'],
    ['a day that does not exist', [{ token: 'a-long-token', principal: '//user/a', expires: '2030-02-30T00:00:00Z' }],
      '0.expires'],
    ['a text that is not a time', [{ token: 'a-long-token', principal: '//user/a', expires: 'soon' }], '0.expires'],
    ['an unknown member', [{ token: 'a-long-token', principal: '//user/a', note: 'x' }], '0.note'],
  ])('with %s is refused', (_, value, path) => {
    const problems: Problem[] = [];
    readStaticTokens(value, 'local', problems);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(JSON.stringify(problems)).not.toContain('a-long-token');
  });

  test('with a token twice is refused', () => {
    const problems: Problem[] = [];
    const one = { token: 'a-long-token', principal: '//user/a' };
    readStaticTokens([one, one], 'local', problems);
    expect(problems.map(({ path }) => path)).toEqual(['1.token']);
  });
});

describe('callers with configured tokens', () => {
  let platform: Guarded;
  let admin: Send;
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  beforeAll(async () => {
    platform = await guarded({
      now: () => nowMs,
      users: ['ann@x.example', 'bob@x.example'],
      tokens: [
        { token: 'token-of-ann', principal: '//user/Ann@x.example' },
        { token: 'token-of-bob', principal: '//user/bob@x.example', expiresMs: Date.parse('2026-02-01T00:00:00Z') },
        { token: 'token-of-ghost', principal: '//user/ghost@x.example' },
        { token: 'token-of-robot', principal: '/org/local/serviceaccount/robot' },
        { token: 'token-of-app', principal: '//gvc/shop/identity/app' },
        { token: 'token-elsewhere', principal: '/org/second-org/serviceaccount/platform' },
      ],
    });
    admin = platform.admin;
    await done(admin('POST', 'gvc', { name: 'shop' }));
  });
  afterAll(() => platform.close());

  test('a user has the permissions of policies that name its e-mail or its id (platform/group.members)', async () => {
    const ann = platform.as('token-of-ann');
    expect((await ann('GET', 'gvc/shop')).status).toBe(403);
    const { body } = await done(admin('GET', 'user/ann@x.example'));
    for (const link of ['//user/ann@x.example', '//user/ANN@x.example', `//user/${body['id']}`]) {
      const bindings = [{ permissions: ['view'], principalLinks: [link] }];
      await done(admin('POST', 'policy', { name: 'for-ann', targetKind: 'gvc', target: 'all', bindings }));
      expect((await ann('GET', 'gvc/shop')).status).toBe(200);
      await done(admin('DELETE', 'policy/for-ann'));
    }
    expect((await ann('GET', 'gvc/shop')).status).toBe(403);
  });

  test('a group finds users by query, by their current tags (platform/access.evaluation)', async () => {
    const ann = platform.as('token-of-ann');
    const memberQuery = { kind: 'user', spec: { terms: [{ tag: 'team', value: 'red' }] } };
    await done(admin('POST', 'group', { name: 'reds', memberQuery }));
    const bindings = [{ permissions: ['view'], principalLinks: ['//group/reds'] }];
    await done(admin('POST', 'policy', { name: 'for-reds', targetKind: 'gvc', target: 'all', bindings }));
    expect((await ann('GET', 'gvc/shop')).status).toBe(403);
    await done(admin('PATCH', 'user/ann@x.example', { tags: { team: 'red' } }));
    expect((await ann('GET', 'gvc/shop')).status).toBe(200);
    await done(admin('PATCH', 'group/reds', { memberQuery: null }));
    expect((await ann('GET', 'gvc/shop')).status).toBe(403);
  });

  test('a token is answered with 401 from its expiry on (platform/errors.statuses)', async () => {
    const bob = platform.as('token-of-bob');
    nowMs = Date.parse('2026-01-31T23:59:59.999Z');
    expect((await bob('GET', 'gvc/shop')).status).toBe(403);
    nowMs = Date.parse('2026-02-01T00:00:00Z');
    expect((await bob('GET', 'gvc/shop')).status).toBe(401);
  });

  test('a token of a user who does not exist is answered with 401 until the user exists', async () => {
    expect((await platform.as('token-of-ghost')('GET', 'gvc/shop')).status).toBe(401);
    const robot = platform.as('token-of-robot');
    expect((await robot('GET', 'gvc/shop')).status).toBe(401);
    await done(admin('POST', 'serviceaccount', { name: 'robot' }));
    expect((await robot('GET', 'gvc/shop')).status).toBe(403);
    await done(admin('DELETE', 'serviceaccount/robot'));
    expect((await robot('GET', 'gvc/shop')).status).toBe(401);
  });

  test('a caller of another org gets 404 for this org and its records', async () => {
    const other = platform.as('token-elsewhere');
    expect((await other('GET', 'gvc/shop')).status).toBe(401);
    await done(admin('POST', '/org', { name: 'second-org' }));
    expect((await other('GET', 'gvc/shop')).status).toBe(404);
    expect((await other('GET', '/org/local')).status).toBe(404);
    expect((await other('GET', '/org/second-org/gvc/shop')).status).toBe(404);
    expect((await other('GET', '/org/second-org')).status).toBe(403);
  });

  test('an identity has the permissions of policies that name it, and of groups whose matcher selects it', async () => {
    const app = platform.as('token-of-app');
    expect((await app('GET', 'gvc/shop')).status).toBe(401);
    await done(admin('POST', 'gvc/shop/identity', { name: 'app', tags: { team: 'red' } }));
    expect((await app('GET', 'gvc/shop')).status).toBe(403);
    const direct = letting('x', 'gvc', ['view']);
    const bindings = [{ permissions: ['view'], principalLinks: ['//gvc/shop/identity/app'] }];
    await done(admin('POST', 'policy', { name: 'direct', ...direct, bindings }));
    expect((await app('GET', 'gvc/shop')).status).toBe(200);
    await done(admin('DELETE', 'policy/direct'));

    const matched = [{ permissions: ['view'], principalLinks: ['//group/matched'] }];
    const identityMatcher = { expression: "tags.team == 'red'" };
    await done(admin('POST', 'group', { name: 'matched', identityMatcher }));
    await done(admin('POST', 'policy', { name: 'for-matched', targetKind: 'gvc', target: 'all', bindings: matched }));
    expect((await app('GET', 'gvc/shop')).status).toBe(200);
    await done(admin('PATCH', 'gvc/shop/identity/app', { tags: { team: 'blue' } }));
    expect((await app('GET', 'gvc/shop')).status).toBe(403);
    const blue = { expression: "$.tags.team === 'blue'", language: 'javascript' };
    await done(admin('PATCH', 'group/matched', { identityMatcher: blue }));
    expect((await app('GET', 'gvc/shop')).status).toBe(200);
    await done(admin('PATCH', 'group/matched', { identityMatcher: { expression: 'while (true) {}' } }));
    expect((await app('GET', 'gvc/shop')).status).toBe(403);
    await done(admin('DELETE', 'gvc/shop/identity/app'));
    expect((await app('GET', 'gvc/shop')).status).toBe(401);
  });
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { isDynamic, isMember, type Principal } from '../../../src/server/access/decisions/membership.ts';

const ann: Principal = {
  kind: 'user',
  links: ['/org/acme/user/ann@x.example', '/org/acme/user/1234'],
  candidate: () => ({ fields: { name: 'ann@x.example', email: 'ann@x.example', tags: { team: 'red' } }, gvc: '' }),
};
const robot: Principal = {
  kind: 'serviceaccount',
  links: ['/org/acme/serviceaccount/robot'],
  candidate: () => ({ fields: { name: 'robot', tags: { team: 'red' } }, gvc: '' }),
};
const app: Principal = {
  kind: 'identity',
  links: ['/org/acme/gvc/shop/identity/app'],
  candidate: () => ({ fields: { name: 'app', tags: { team: 'red' } }, gvc: 'shop' }),
};

const red: JsonObject = { kind: 'user', spec: { match: 'all', terms: [{ tag: 'team', value: 'red' }] } };
const blue: JsonObject = { kind: 'user', spec: { match: 'all', terms: [{ tag: 'team', value: 'blue' }] } };
const matcher: JsonObject = { expression: "tags.team == 'red'" };

interface Case {
  readonly it: string;
  readonly group: JsonObject;
  readonly who: Principal;
  readonly member: boolean;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'a user by e-mail', group: { memberLinks: ['/org/acme/user/ann@x.example'] }, who: ann, member: true },
  { it: 'a user by id (GR2)', group: { memberLinks: ['//user/1234'] }, who: ann, member: true },
  { it: 'a user by e-mail in another case', group: { memberLinks: ['//user/Ann@X.Example'] }, who: ann, member: true },
  { it: 'not another user', group: { memberLinks: ['//user/bob@x.example'] }, who: ann, member: false },
  { it: 'a user by query', group: { memberQuery: red }, who: ann, member: true },
  { it: 'not a user whom the query does not match', group: { memberQuery: blue }, who: ann, member: false },
  { it: 'a user by link, even if the query does not match', group: { memberLinks: ['//user/1234'], memberQuery: blue },
    who: ann, member: true },
  { it: 'every user by an empty query (platform/query)', group: { memberQuery: {} }, who: ann, member: true },
  { it: 'not a user by the matcher of identities', group: { identityMatcher: matcher }, who: ann, member: false },
  { it: 'a service account by link', group: { memberLinks: ['//serviceaccount/robot'] }, who: robot, member: true },
  { it: 'not a service account by the query over users', group: { memberQuery: red }, who: robot, member: false },
  { it: 'an identity by the matcher', group: { identityMatcher: matcher }, who: app, member: true },
  { it: 'not an identity by link (GR1)', group: { memberLinks: ['//gvc/shop/identity/app'] }, who: app, member: false },
  { it: 'not an identity by the query over users', group: { memberQuery: red }, who: app, member: false },
  { it: 'no caller if the group is empty', group: {}, who: ann, member: false },
];

test.each(cases)('members of a group: $it (platform/access.evaluation, platform/group)', ({ group, who, member }) => {
  expect(isMember(group, who, 'acme', () => true)).toBe(member);
});

test('the matcher gets its expression, its language and the record of the identity', () => {
  const calls: unknown[] = [];
  const group = { identityMatcher: { expression: '$.name', language: 'javascript' } };
  const member = isMember(group, app, 'acme', (asked, identity) => {
    calls.push([asked, identity]);
    return false;
  });
  expect(member).toBe(false);
  expect(calls).toEqual([
    [
      { expression: '$.name', language: 'javascript' },
      { name: 'app', tags: { team: 'red' } },
    ],
  ]);
});

test('the default language of a matcher is jmespath (platform/group)', () => {
  isMember({ identityMatcher: matcher }, app, 'acme', ({ language }) => {
    expect(language).toBe('jmespath');
    return true;
  });
  expect.assertions(1);
});

test.each([
  [{ memberLinks: ['//user/a'] }, false],
  [{}, false],
  [{ memberQuery: null }, false],
  [{ memberQuery: {} }, true],
  [{ identityMatcher: matcher }, true],
] as const)('%j has a query or a matcher: %s', (group, dynamic) => {
  expect(isDynamic(group)).toBe(dynamic);
});

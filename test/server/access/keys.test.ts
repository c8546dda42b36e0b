import { expect, test } from 'vitest';
import { leavesSuperusers } from '../../../src/server/access/decisions/membership.ts';
import { keyOwner, newKey } from '../../../src/server/access/decisions/tokens.ts';

const coding = {
  base64url: (text: string) => Buffer.from(text).toString('base64url'),
  textOfBase64url: (text: string) => Buffer.from(text, 'base64url').toString('utf8'),
};

test('a key is s and ten random characters, then its owner, then the secret (platform/access.tokens)', () => {
  const { name, key } = newKey('acme', 'deployer', coding, (length) => 'x'.repeat(length));
  expect(name).toBe('sxxxxxxxxxx');
  const [first, owner, secret, ...more] = key.split('.');
  expect(first).toBe(name);
  expect(coding.textOfBase64url(owner ?? '')).toMatch(/^acme\.deployer\.x{16}$/);
  expect(secret).toMatch(/^x{40}$/);
  expect(more).toEqual([]);
});

test('the owner is read back from the key', () => {
  const { name, key } = newKey('acme', 'deployer', coding, (length) => 'y'.repeat(length));
  expect(keyOwner(key, coding)).toEqual({ org: 'acme', account: 'deployer', key: name });
});

test.each([
  '',
  'secret-token',
  's.a.b.c',
  's..x',
  `a.${coding.base64url('acme.deployer.x')}.y`,
  `s.${coding.base64url('acme')}.y`,
  `s.${coding.base64url('acme.deployer')}.y`,
  's.%%%.y',
])('%s is not a key', (token) => {
  expect(keyOwner(token, coding)).toBeUndefined();
});

const ann = ['/org/acme/user/ann@x.example', '/org/acme/user/1234'];

test.each([
  ['by e-mail', ['//user/ann@x.example', '//user/b'], ['//user/b'], true],
  ['by id', ['/org/acme/user/1234'], [], true],
  ['another member', ['//user/ann@x.example', '//user/b'], ['//user/ann@x.example'], false],
  ['another spelling', ['//user/ann@x.example'], ['/org/acme/user/1234'], false],
  ['a caller who was not a member', ['//user/b'], [], false],
] as const)('leaving superusers: %s (platform/group.built-in)', (_, before, after, leaves) => {
  expect(leavesSuperusers({ memberLinks: before }, { memberLinks: after }, ann, 'acme')).toBe(leaves);
});

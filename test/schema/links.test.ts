import { expect, test } from 'vitest';
import type { LinkFact } from '../../src/schema/facts/fieldFacts.ts';
import { collectionPath, expandLink, linkOf, parseLink, shortLinkOf } from '../../src/schema/record/ref.ts';

const context = { org: 'acme', gvc: 'shop' };
const toIdentity: LinkFact = { to: ['identity'], strength: 'hard', inOwnGvc: true };
const toIdentityAnywhere: LinkFact = { to: ['identity'], strength: 'soft' };
const toLocation: LinkFact = { to: ['location'], strength: 'hard', orName: true };

test.each([
  ['//secret/x', undefined, '/org/acme/secret/x'],
  ['/org/other/secret/x', undefined, '/org/other/secret/x'],
  ['//gvc/g/workload/w', undefined, '/org/acme/gvc/g/workload/w'],
  ['//identity/i', toIdentity, '/org/acme/gvc/shop/identity/i'],
  ['//gvc/other/identity/i', toIdentity, '/org/acme/gvc/other/identity/i'],
  ['//identity/i', toIdentityAnywhere, '/org/acme/identity/i'],
  ['aws-us-east-1', toLocation, '/org/acme/location/aws-us-east-1'],
  ['//location/l', toLocation, '/org/acme/location/l'],
  ['x', undefined, 'x'],
  ['', toLocation, ''],
  ['a/b', toLocation, 'a/b'],
  ['app', toIdentity, 'app'],
  ['scheme://internal/keda', undefined, 'scheme://internal/keda'],
  ['http://127.0.0.1:8080/org/acme/gvc/g/workload/w', undefined, '/org/acme/gvc/g/workload/w'],
  ['https://api.example.com/v1/org/other/secret/x', undefined, '/org/other/secret/x'],
  ['https://api.example.com/org/acme/location/l', toLocation, '/org/acme/location/l'],
  ['https://api.example.com/secret/x', undefined, 'https://api.example.com/secret/x'],
  ['https://org/acme/secret/x', undefined, 'https://org/acme/secret/x'],
  ['https://h/org/acme/secret/x?y', undefined, 'https://h/org/acme/secret/x?y'],
  ['http-east-1', toLocation, '/org/acme/location/http-east-1'],
])('link.short: %o expands (platform/concepts.links)', (text, fact, full) => {
  expect(expandLink(text, context, fact)).toBe(full);
});

test.each([
  ['//secret/x', undefined, { org: 'acme', ref: { kind: 'secret', name: 'x' } }],
  ['/org/o/gvc/g/workload/w', undefined, { org: 'o', ref: { kind: 'workload', name: 'w', gvc: 'g' } }],
  ['//gvc/g', undefined, { org: 'acme', ref: { kind: 'gvc', name: 'g' } }],
  ['//identity/i', toIdentity, { org: 'acme', ref: { kind: 'identity', name: 'i', gvc: 'shop' } }],
  ['/org/o', undefined, { org: 'o', ref: { kind: 'org', name: 'o' } }],
  ['/org/', undefined, undefined],
  ['//org/o', undefined, undefined],
  ['https://h/org/o/gvc/g/workload/w', undefined, { org: 'o', ref: { kind: 'workload', name: 'w', gvc: 'g' } }],
  ['//user/a@b.c', undefined, { org: 'acme', ref: { kind: 'user', name: 'a@b.c' } }],
  ['//identity/i', toIdentityAnywhere, undefined],
  ['//image/name:tag', undefined, { org: 'acme', ref: { kind: 'image', name: 'name:tag' } }],
  ['//dbcluster/x', undefined, undefined],
  ['//gvc/g/secret/s', undefined, undefined],
  ['//secret/x/', undefined, undefined],
  ['//secret', undefined, undefined],
  ['x', undefined, undefined],
  ['scheme://internal/keda', undefined, undefined],
  ['org/o/secret/x', undefined, undefined],
  ['x/org/o/secret/x', undefined, undefined],
  ['/team/o/secret/x', undefined, undefined],
  ['x/team/o/secret/x', undefined, undefined],
  ['/org//secret/x', undefined, undefined],
  ['/org/o/secret/', undefined, undefined],
  ['/org//gvc/g/workload/w', undefined, undefined],
  ['//gvc//workload/w', undefined, undefined],
  ['//gvc/g/workload/', undefined, undefined],
  ['//gvc/g/workload', undefined, undefined],
  ['//gvc/g/workload/w/x', undefined, undefined],
  ['//agent/g/workload/w', undefined, undefined],
  ['//gvc/g/dbcluster/x', undefined, undefined],
  ['/org/o/org/p', undefined, undefined],
])('%o is parsed (platform/concepts.links)', (text, fact, parsed) => {
  expect(parseLink(text, context, fact)).toEqual(parsed);
});

test('a resource has one link, below the collection of its kind (platform/concepts.kinds)', () => {
  expect(linkOf({ kind: 'workload', name: 'w', gvc: 'g' }, 'o')).toBe('/org/o/gvc/g/workload/w');
  expect(linkOf({ kind: 'secret', name: 's' }, 'o')).toBe('/org/o/secret/s');
  expect(linkOf({ kind: 'org', name: 'o' }, 'o')).toBe('/org/o');
  expect(collectionPath('workload', 'o')).toBe('/org/o/workload');
  expect(collectionPath('workload', 'o', 'g')).toBe('/org/o/gvc/g/workload');
});

test.each([
  [{ kind: 'secret', name: 'x' }, '//secret/x'],
  [{ kind: 'workload', name: 'w', gvc: 'g' }, '//gvc/g/workload/w'],
  [{ kind: 'org', name: 'acme' }, '/org/acme'],
] as const)('%o has the short link %s (platform/concepts.links)', (ref, link) => {
  expect(shortLinkOf(ref)).toBe(link);
  expect(parseLink(link, context)).toEqual({ org: 'acme', ref });
});

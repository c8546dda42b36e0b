import { expect, test } from 'vitest';
import { type RefScope, readRef } from '../../src/kinds/readRef.ts';

const secret: RefScope = { kinds: ['secret'], org: 'acme' };
const workload: RefScope = { kinds: ['workload'], org: 'acme', gvc: 'shop' };
const anywhere: RefScope = { ...workload, inAnyGvc: true };
const principal: RefScope = { kinds: ['user', 'group', 'identity'], org: 'acme' };

test.each([
  ['db', secret, { kind: 'secret', name: 'db' }],
  ['secret/db', secret, { kind: 'secret', name: 'db' }],
  ['//secret/db', secret, { kind: 'secret', name: 'db' }],
  ['/org/acme/secret/db', secret, { kind: 'secret', name: 'db' }],
  ['web', workload, { kind: 'workload', name: 'web', gvc: 'shop' }],
  ['//workload/web', workload, { kind: 'workload', name: 'web', gvc: 'shop' }],
  ['//gvc/shop/workload/web', workload, { kind: 'workload', name: 'web', gvc: 'shop' }],
  ['gvc/shop/workload/web', { ...workload, gvc: undefined }, { kind: 'workload', name: 'web', gvc: 'shop' }],
  ['//gvc/other/workload/web', anywhere, { kind: 'workload', name: 'web', gvc: 'other' }],
  ['ann@example.com', principal, { kind: 'user', name: 'ann@example.com' }],
  ['group/team', principal, { kind: 'group', name: 'team' }],
  ['//gvc/shop/identity/web', principal, { kind: 'identity', name: 'web', gvc: 'shop' }],
  ['pushed:1', { kinds: ['image'], org: 'acme' }, { kind: 'image', name: 'pushed:1' }],
  ['acme', { kinds: ['org'], org: 'acme' }, { kind: 'org', name: 'acme' }],
  ['/org/acme', { kinds: ['org'], org: 'acme' }, { kind: 'org', name: 'acme' }],
] as const)('%s names an accepted record', (text, scope, ref) => {
  expect(readRef(text, scope)).toEqual({ ref });
});

test.each([
  ['//gvc/shop', secret, 'kind', '"//gvc/shop" is a link to a gvc, not to a secret'],
  ['gvc/shop', secret, 'kind', '"gvc/shop" is a link to a gvc, not to a secret'],
  ['//gvc/shop/workload/web', { kinds: ['gvc'], org: 'acme' }, 'kind', /a link to a workload, not to a gvc/],
  ['//workload/web', { ...secret, gvc: 'shop' }, 'kind', /a link to a workload, not to a secret/],
  ['//secret/db', principal, 'kind', /a link to a secret, not to a user, a group or an identity/],
  ['/org/acme', secret, 'kind', /a link to an org, not to a secret/],
  ['/org/other/secret/db', secret, 'org', '"/org/other/secret/db" is in the org other, not in acme'],
  ['other', { kinds: ['org'], org: 'acme' }, 'org', '"other" is not the org acme'],
  ['/org/other', { kinds: ['org'], org: 'acme' }, 'org', /in the org other, not in acme/],
  ['//gvc/other/workload/web', workload, 'gvc', /in the GVC other, not in shop/],
  ['web', { ...workload, gvc: undefined }, 'no-gvc', 'a workload belongs to a GVC, and none was given'],
  ['//workload/web', { ...workload, gvc: undefined }, 'no-gvc', /"\/\/workload\/web" names none/],
  ['a/b', secret, 'form', '"a/b" is not a valid name'],
  ['', secret, 'form', '"" is not a valid name'],
  ['..', secret, 'form', '".." is not a valid name'],
  ['-schema', secret, 'form', '"-schema" is not a valid name'],
  ['a b', secret, 'form', '"a b" is not a valid name'],
  ['//secret/..', secret, 'form', '"//secret/.." is not a valid link to a secret'],
  ['//gvc/shop/-query', secret, 'form', /not a valid link to a secret/],
  ['//secret/db/-reveal', secret, 'form', /not a valid link to a secret/],
  ['//secret', secret, 'form', /not a valid link to a secret/],
  ['/etc/passwd', secret, 'form', /not a valid link to a secret/],
  ['//gvc/shop/secret/db', secret, 'form', /not a valid link to a secret/],
] as const)('%s is refused, with the accepted kinds', (text, scope, why, message) => {
  expect(readRef(text, scope)).toMatchObject({
    wrong: { why, message: typeof message === 'string' ? message : expect.stringMatching(message) },
  });
});

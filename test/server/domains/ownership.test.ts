import { describe, expect, test } from 'vitest';
import { isOwnershipProven, ownershipDetails, ownershipHost } from '../../../src/server/records/domainOwnership.ts';

test.each([
  ['example.com', '_scheme.example.com'],
  ['example.co.uk', '_scheme.example.co.uk'],
  ['shop.example.com', '_scheme-shop.example.com'],
  ['a.b.example.com', '_scheme-a.b.example.com'],
])('the DNS record that proves ownership of %s is at %s (platform/domain.ownership)', (name, host) => {
  expect(ownershipHost(name)).toBe(host);
});

test('the refusal names the DNS record to create (platform/domain.ownership)', () => {
  expect(ownershipDetails('shop.example.com', 'id-1')).toEqual({
    ownershipConfig: [{ type: 'TXT', host: '_scheme-shop.example.com', ttl: 600, value: 'id-1' }],
  });
});

describe('ownership of a domain is proven', () => {
  const facts = { name: 'shop.example.com', org: 'acme', orgId: 'id-1', records: [], hasDomain: () => false };
  const txt = (host: string, value: string) => ({ records: [{ host, value }] });

  test.each([
    ['not without a record', {}, false],
    ['by its own record with the id of the org', txt('_scheme-shop.example.com', 'id-1'), true],
    ['by its own record with the name of the org', txt('_scheme-shop.example.com', 'acme'), true],
    ['by a record in any case, with the dot of the root', txt('_Scheme-Shop.Example.com.', 'id-1'), true],
    ['by the record of its apex', txt('_scheme.example.com', 'id-1'), true],
    ['not by the record of another org', txt('_scheme-shop.example.com', 'id-2'), false],
    ['not by the record of a neighbour', txt('_scheme-web.example.com', 'id-1'), false],
    ['by the apex domain that the org has', { hasDomain: (name: string) => name === 'example.com' }, true],
  ])('%s', (_, more, expected) => {
    expect(isOwnershipProven({ ...facts, ...more })).toBe(expected);
  });
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { toLive } from '../../src/client/liveResource.ts';

function workload(...links: readonly JsonObject[]): JsonObject {
  return { id: 'u', kind: 'workload', name: 'web', version: 1, links };
}

const self = { rel: 'self', href: '/org/acme/gvc/shop/workload/web' };

test.each([
  { it: 'of its link to the GVC', links: [{ rel: 'gvc', href: '/org/acme/gvc/shop' }], gvc: 'shop' },
  { it: 'of its own link, if it has no other', links: [self], gvc: 'shop' },
  {
    it: 'of the link to the GVC, if it has both',
    links: [self, { rel: 'gvc', href: '/org/acme/gvc/mall' }],
    gvc: 'mall',
  },
])('a record is in the GVC $it (platform/concepts.links)', ({ links, gvc }) => {
  expect(toLive('workload', workload(...links)).ref).toEqual({ kind: 'workload', name: 'web', gvc });
});

test.each([
  { it: 'no link', links: [] },
  { it: 'a link that is not to a GVC', links: [{ rel: 'self', href: '/org/acme/location/shop' }] },
  { it: 'a link that is too short', links: [{ rel: 'gvc', href: '/org/acme/gvc' }] },
])('link.gvc: a record in a GVC with $it is a bad reply', ({ links }) => {
  expect(() => toLive('workload', workload(...links))).toThrow('without a link to its GVC');
});

test('version.as-number: a version as a text of digits is read as a number', () => {
  expect(toLive('gvc', { id: 'u', kind: 'gvc', name: 'shop', version: '17' }).version).toBe(17);
});

test.each([undefined, '', '1.5', '-1', 'W/"17"', '9'.repeat(20)])(
  'a record with the version %j is refused, and named',
  (version) => {
    const record = { id: 'u', kind: 'gvc', name: 'shop', ...(version === undefined ? {} : { version }) };
    expect(() => toLive('gvc', record)).toThrow('gvc/shop has no version that is a number');
  },
);

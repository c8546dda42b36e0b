import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { withoutReadOnly } from '../../../src/server/records/decisions/writtenRecord.ts';

const query = { spec: { match: 'all', terms: [{ tag: 'a', value: 'b' }] } };

// biome-ignore format: a row is a case
test.each<[string, Kind, JsonObject, JsonObject]>([
  ['members of the envelope (platform/wire.writes)', 'gvc',
    { id: 'x', kind: 'gvc', version: 3, created: '', links: [], status: {}, alias: 'a', name: 'shop', spec: {} },
    { name: 'shop', spec: {} }],
  ['members of the envelope of other kinds (platform/concepts.record)', 'group',
    { name: 'readers', alias: 'a', origin: 'default', tags: { alias: 'a' } },
    { name: 'readers', tags: { alias: 'a' } }],
  ['the context of the query of a GVC (platform/gvc)', 'gvc',
    { spec: { staticPlacement: { locationQuery: { context: { a: 1 }, ...query }, locationLinks: ['//location/l'] } } },
    { spec: { staticPlacement: { locationQuery: query, locationLinks: ['//location/l'] } } }],
  ['the context of the query of a group', 'group', { memberQuery: { ...query, context: {} } }, { memberQuery: query }],
  ['the context of the query of a policy', 'policy', { targetQuery: { ...query, context: {} } },
    { targetQuery: query }],
  ['no other member with the name context', 'gvc',
    { tags: { context: 'x', status: 'y' }, spec: { env: [{ name: 'context', value: 'z' }] } },
    { tags: { context: 'x', status: 'y' }, spec: { env: [{ name: 'context', value: 'z' }] } }],
  ['no directive of a patch (platform/patch.merge)', 'serviceaccount', { keys: [], '$drop/keys': ['s1'], version: 2 },
    { '$drop/keys': ['s1'] }],
  ['nothing in a value that is not an object', 'group', { memberQuery: 5, memberLinks: null },
    { memberQuery: 5, memberLinks: null }],
])('read-only members that are dropped: %s', (_, kind, sent, kept) => {
  expect(withoutReadOnly(kind, sent)).toEqual(kept);
});

import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { lastSegment } from '../../../../src/schema/record/ref.ts';
import { makeIdentity, specOf } from '../../harness/fixtures.ts';
import { itemsAt } from '../../harness/place.ts';
import { ownRow, type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';
import { namesOf, ownTown } from './commands.ts';

async function namesFound(wire: Wire, kind: string, query: JsonObject): Promise<readonly unknown[]> {
  const found = await wire.ok('POST', `${kind}/-query`, query);
  expect(found).toMatchObject({ kind: 'queryresult', itemKind: kind, links: expect.any(Array) });
  return itemsAt(found, 'items').map(({ name }) => name);
}

interface Query {
  /** The option of the client that the row is about. */
  readonly option: 'match' | 'property' | 'tag' | 'others';
  readonly it: string;
  readonly spec: JsonObject;
  /** Those of `alpha`, `beta` and `gamma` that the query finds. */
  readonly found: readonly string[];
}

const every = ['alpha', 'beta', 'gamma'];
const isWeb = { tag: 'tier', value: 'web' };
// biome-ignore format: one query a line
const queries: readonly Query[] = [
  { option: 'match', it: 'all by default', spec: { terms: [isWeb, { op: 'exists', tag: 'size' }] }, found: ['alpha'] },
  { option: 'match', it: 'all', spec: { match: 'all', terms: [isWeb, { op: 'exists', tag: 'size' }] }, found: ['alpha'] },
  { option: 'match', it: 'any', spec: { match: 'any', terms: ['alpha', 'gamma'].map((value) => ({ property: 'name', value })) }, found: ['alpha', 'gamma'] },
  { option: 'match', it: 'none', spec: { match: 'none', terms: [isWeb] }, found: ['gamma'] },
  { option: 'match', it: 'without terms', spec: {}, found: every },
  { option: 'tag', it: '=', spec: { terms: [isWeb] }, found: ['alpha', 'beta'] },
  { option: 'tag', it: '= on a boolean', spec: { terms: [{ tag: 'on', value: true }] }, found: ['beta'] },
  { option: 'tag', it: '= on a boolean as text', spec: { terms: [{ tag: 'on', value: 'true' }] }, found: ['beta'] },
  { option: 'tag', it: '!= on a missing tag', spec: { terms: [{ op: '!=', tag: 'size', value: 3 }] }, found: ['beta', 'gamma'] },
  { option: 'tag', it: '> by number', spec: { terms: [{ op: '>', tag: 'size', value: 3 }] }, found: ['gamma'] },
  { option: 'tag', it: '>=', spec: { terms: [{ op: '>=', tag: 'size', value: 3 }] }, found: ['alpha', 'gamma'] },
  { option: 'tag', it: '< by number as text', spec: { terms: [{ op: '<', tag: 'size', value: '20' }] }, found: ['alpha'] },
  { option: 'tag', it: '<=', spec: { terms: [{ op: '<=', tag: 'size', value: 20 }] }, found: ['alpha', 'gamma'] },
  { option: 'tag', it: 'exists', spec: { terms: [{ op: 'exists', tag: 'size' }] }, found: ['alpha', 'gamma'] },
  { option: 'tag', it: '!exists', spec: { terms: [{ op: '!exists', tag: 'size' }] }, found: ['beta'] },
  { option: 'property', it: '!=', spec: { terms: [{ op: '!=', property: 'name', value: 'beta' }] }, found: ['alpha', 'gamma'] },
  { option: 'property', it: '~ without case', spec: { terms: [{ op: '~', property: 'description', value: 'BET' }] }, found: ['beta'] },
  { option: 'property', it: '~ on everything', spec: { terms: [{ op: '~', property: '*', value: 'data' }] }, found: ['gamma'] },
  { option: 'property', it: '~ on everything, without case', spec: { terms: [{ op: '~', property: '*', value: 'the B' }] }, found: ['beta'] },
  { option: 'property', it: '~ on everything without a match', spec: { terms: [{ op: '~', property: '*', value: 'green' }] }, found: [] },
  { option: 'property', it: '=~', spec: { terms: [{ op: '=~', property: 'name', value: '^(al|ga)' }] }, found: ['alpha', 'gamma'] },
  { option: 'property', it: '=~ with alternatives up to the end', spec: { terms: [{ op: '=~', property: 'description', value: '^The.*(beta|gamma)$' }] }, found: ['beta', 'gamma'] },
  { option: 'property', it: '=~ from the start', spec: { terms: [{ op: '=~', property: 'description', value: '^beta' }] }, found: [] },
  { option: 'property', it: '=~ with a class', spec: { terms: [{ op: '=~', property: 'name', value: '[^a-z0-9]' }] }, found: [] },
  { option: 'property', it: 'contains without a match', spec: { terms: [{ op: 'contains', property: 'description', value: 'behind' }] }, found: [] },
  { option: 'property', it: 'contains', spec: { terms: [{ op: 'contains', property: 'name', value: 'et' }] }, found: ['beta'] },
  { option: 'property', it: '<', spec: { terms: [{ op: '<', property: 'version', value: 1 }] }, found: [] },
  { option: 'property', it: '>=', spec: { terms: [{ op: '>=', property: 'version', value: 1 }] }, found: every },
  { option: 'property', it: 'a dotted path', spec: { terms: [{ property: 'spec.endpointNamingFormat', value: 'org' }] }, found: every },
  { option: 'property', it: 'exists on a member that is only shown', spec: { terms: [{ op: 'exists', property: 'status' }] }, found: every },
  { option: 'property', it: '!exists', spec: { terms: [{ op: '!exists', property: 'region' }] }, found: every },
  { option: 'others', it: 'rel of a link of every record', spec: { terms: [{ rel: 'org', value: 'local' }] }, found: every },
  { option: 'others', it: 'descending order', spec: { sort: { by: 'name', order: 'desc' } }, found: ['gamma', 'beta', 'alpha'] },
];

const refused: readonly JsonObject[] = [
  { terms: [{ op: 'like', tag: 'a', value: 'b' }] },
  { terms: [{ tag: 'a', property: 'b', value: 'c' }] },
  { terms: [{ tag: 'a' }] },
  { terms: [{ op: '=', value: 'x' }] },
  { terms: [{ tag: 'a', value: {} }] },
  { terms: [{ tag: 'a', value: ['b'] }] },
  { terms: [{ op: '=~', tag: 'a', value: '(a' }] },
  { match: 'some' },
];

/** Creates the GVCs `alpha`, `beta` and `gamma`, a second apart. */
async function three(wire: Wire): Promise<void> {
  const tags = [
    ['alpha', { tier: 'web', size: 3 }],
    ['beta', { tier: 'web', on: true }],
    ['gamma', { tier: 'data', size: 20 }],
  ] as const;
  for (const [name, own] of tags) {
    await wire.ok('POST', 'gvc', { name, tags: own, description: `The ${name}` });
    await wire.advance('1s');
  }
}

function finds(
  id: string,
  statement: string,
  option: Query['option'],
  more: (wire: Wire) => Promise<void> = async () => {},
): Row {
  return ownRow(id, statement, {}, async (wire) => {
    await three(wire);
    for (const { it, spec, found } of queries.filter((query) => query.option === option)) {
      expect(await namesFound(wire, 'gvc', { spec }), it).toEqual(found);
    }
    await more(wire);
  });
}

/** Options of `query`: match, property, tag, rel. */
export const queryRows: readonly Row[] = [
  row('clients/query', 'query: --match, --property, --tag', async (wire) => {
    const [a, b] = [wire.name('query'), wire.name('query')];
    for (const name of [a, b]) await wire.ok('POST', 'gvc', { name, tags: { who: name } });
    expect(await namesOf(wire, `gvc query --tag who=${a}`)).toEqual([a]);
    expect(await namesOf(wire, `gvc query --property name=${b} --tag who`)).toEqual([b]);
    const any = await namesOf(wire, `gvc query --match any --tag who=${a} --property name=${b}`);
    expect(any.toSorted()).toEqual([a, b].toSorted());
  }),
  row('clients/query --rel', 'a rel is compared with the name of the linked record: --gvc', async (wire) => {
    const gvc = await ownTown(wire);
    const identity = lastSegment(await makeIdentity(wire, gvc));
    expect(await namesOf(wire, `identity query --rel gvc=${gvc}`)).toEqual([identity]);
    expect(await namesOf(wire, `identity query --gvc ${gvc}`)).toEqual([identity]);
  }),
  finds('clients/query --match', 'match is all, any or none, and all by default', 'match'),
  finds('clients/query --property', 'a property is compared by each operator', 'property', async (wire) => {
    const { created } = await wire.get('gvc/beta');
    const inZone = new Date(Date.parse(String(created)) + 2 * 3_600_000 + 500).toISOString().replace('Z', '+02:00');
    const later = { op: '>', property: 'created', value: inZone };
    expect(await namesFound(wire, 'gvc', { spec: { terms: [later] } })).toEqual(['gamma']);
    await wire.ok('POST', 'gvc/alpha/workload', { name: 'web', spec: specOf('standard') });
    const shown = { terms: [{ property: 'health.readiness', value: 'unknown' }], sort: { by: 'status.endpoint' } };
    expect(await namesFound(wire, 'workload', { spec: shown })).toEqual(['web']);
  }),
  finds('clients/query --tag', 'a tag is compared by each operator, numbers as numbers', 'tag'),
  finds('clients/query others', 'a query has an order, and an invalid query is refused', 'others', async (wire) => {
    for (const spec of refused) await wire.refused(400, 'POST', 'gvc/-query', { spec });
    const spec = { terms: [{ op: '=', property: 'name', value: 'beta' }] };
    const links = await wire.ok('POST', 'gvc/-query', { spec, fetch: 'links' });
    expect(links).toMatchObject({ itemKind: 'link', items: ['/org/local/gvc/beta'] });
  }),
];

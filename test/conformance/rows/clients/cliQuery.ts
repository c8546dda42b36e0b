import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { allPages, linked } from '../../harness/client.ts';
import { makeGvc, makeIdentity } from '../../harness/fixtures.ts';
import { itemsAt } from '../../harness/place.ts';
import { parted, type Row, row } from '../../harness/row.ts';
import { alone, type Wire } from '../../harness/wire.ts';
import { tagged } from './cliGeneric.ts';

async function namesFound(wire: Wire, kind: string, query: JsonObject | undefined): Promise<readonly unknown[]> {
  const found = await wire.ok('POST', `${kind}/-query`, query);
  expect(found).toMatchObject({ kind: 'queryresult', itemKind: kind, links: expect.any(Array) });
  return itemsAt(found, 'items').map(({ name }) => name);
}

/** Options of `query`: match, property, tag, rel. */
export function queryRows(): readonly Row[] {
  const three = async (wire: Wire): Promise<readonly [mark: string, one: string, two: string, both: string]> => {
    const mark = wire.name('mark');
    const make = async (tags: JsonObject): Promise<string> =>
      (await tagged(wire, { mark, ...tags })).split('/').at(-1) ?? '';
    return [mark, await make({ one: 'x' }), await make({ two: 5 }), await make({ one: 'x', two: 7 })];
  };
  const one = { op: '=', tag: 'one', value: 'x' };
  const two = { op: 'exists', tag: 'two' };
  return [
    row(
      'clients/query',
      'query: POST to the collection of the org, without a body for all; pages are followed as those of a list',
      alone({}, async (wire) => {
        const made = Array.from({ length: 60 }, (_, index) => `ctx-${`${index}`.padStart(2, '0')}`);
        for (const [n, name] of made.entries()) await wire.ok('POST', 'auditctx', { name, tags: { n } });
        const all = await allPages(wire, 'GET', 'auditctx');
        expect(all.map(({ name }) => name).filter((name) => name !== 'scheme')).toEqual(made);
        for (const body of [undefined, '', 'null', {}]) {
          const found = await allPages(wire, 'POST', 'auditctx/-query', body);
          expect(found.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
        }
        const from50 = { kind: 'auditctx', spec: { match: 'all', terms: [{ op: '>=', tag: 'n', value: '50' }] } };
        expect(await allPages(wire, 'POST', 'auditctx/-query', from50)).toHaveLength(10);
      }),
    ),
    parted(
      'clients/query --match',
      'match is all, any or none; all where nothing is said',
      [
        'all and any',
        async (wire) => {
          const [mark, first, second, both] = await three(wire);
          const marked = { op: '=', tag: 'mark', value: mark };
          expect(await namesFound(wire, 'gvc', { spec: { match: 'all', terms: [marked, one, two] } })).toEqual([both]);
          expect(await namesFound(wire, 'gvc', { spec: { terms: [marked, one, two] } })).toEqual([both]);
          const terms = [first, second].map((name) => ({ property: 'name', op: '=', value: name }));
          expect(await namesFound(wire, 'gvc', { spec: { match: 'any', terms } })).toEqual([first, second]);
        },
      ],
      [
        'none',
        async (wire) => {
          const [mark, , second] = await three(wire);
          const unmarked = { op: '!=', tag: 'mark', value: mark };
          expect(await namesFound(wire, 'gvc', { spec: { match: 'none', terms: [unmarked, one] } })).toEqual([second]);
          const { items } = await wire.ok('POST', 'location/-query', {
            spec: { match: 'none', terms: [{ op: '=', property: 'provider', value: 'aws' }] },
          });
          const providers = itemsAt({ items: items ?? [] }, 'items').map(({ provider }) => provider);
          expect(providers.length).toBeGreaterThan(0);
          expect(providers).not.toContain('aws');
        },
      ],
    ),
    row('clients/query --property', 'a property is compared by each operator', async (wire) => {
      const [, first, second, both] = await three(wire);
      const names = { match: 'any', terms: [first, second, both].map((name) => ({ property: 'name', value: name })) };
      expect(await namesFound(wire, 'gvc', { spec: names })).toHaveLength(3);
      const location = (terms: JsonObject[]): Promise<readonly unknown[]> =>
        namesFound(wire, 'location', { spec: { terms } });
      expect(await location([{ op: '!=', property: 'provider', value: 'aws' }])).not.toContain('aws-us-east-1');
      expect(await location([{ op: '~', property: 'name', value: 'US-EAST-1' }])).toEqual(['aws-us-east-1']);
      expect(await location([{ op: '>=', property: 'version', value: 1 }])).toContain('aws-us-east-1');
      expect(await location([{ op: '<', property: 'version', value: 1 }])).toEqual([]);
      expect(await location([{ op: 'exists', property: 'region' }])).toContain('aws-us-east-1');
      expect(await location([{ op: '!exists', property: 'region' }])).not.toContain('aws-us-east-1');
    }),
    row('clients/query --tag', 'a tag is compared by each operator, numbers as numbers', async (wire) => {
      const [mark, first, second, both] = await three(wire);
      const found = (term: JsonObject): Promise<readonly unknown[]> =>
        namesFound(wire, 'gvc', { spec: { terms: [{ op: '=', tag: 'mark', value: mark }, term] } });
      expect(await found({ op: '=', tag: 'one', value: 'x' })).toEqual([first, both]);
      expect(await found({ op: '>', tag: 'two', value: 5 })).toEqual([both]);
      expect(await found({ op: '<=', tag: 'two', value: 5 })).toEqual([second]);
      expect(await found({ op: '!=', tag: 'one', value: 'x' })).toEqual([second]);
      expect(await found({ op: '!exists', tag: 'two' })).toEqual([first]);
    }),
    row(
      'clients/query --rel',
      'a rel is compared with the name of what is linked: --gvc of the client',
      async (wire) => {
        const gvc = await makeGvc(wire);
        const identity = await makeIdentity(wire, gvc);
        await makeIdentity(wire, await makeGvc(wire));
        const query = { kind: 'identity', spec: { match: 'all', terms: [{ rel: 'gvc', op: '=', value: gvc }] } };
        expect(await namesFound(wire, 'identity', query)).toEqual([identity.split('/').at(-1)]);
        const everywhere = await allPages(wire, 'GET', 'identity');
        expect(await allPages(wire, 'POST', 'identity/-query', query)).toEqual(
          everywhere.filter((each) => linked(each, 'self') === identity),
        );
      },
    ),
  ];
}

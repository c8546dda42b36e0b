import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { names, platformForAll } from '../platform.ts';

const platform = platformForAll({}, async (platform) => {
  for (const name of ['alpha', 'beta']) await platform.send('POST', 'gvc', { name });
});

const term = { property: 'name', value: 'alpha' };

interface Mistyped {
  readonly query: JsonObject;
  readonly path: string;
  readonly message: string;
}

const mistyped: readonly Mistyped[] = [
  { query: { spec: { term: [term] } }, path: 'spec.term', message: 'did you mean terms?' },
  { query: { spec: { Terms: [term] } }, path: 'spec.Terms', message: 'did you mean terms?' },
  { query: { terms: [term] }, path: 'terms', message: 'known are kind, fetch, context, spec' },
  { query: { Spec: { terms: [term] } }, path: 'Spec', message: 'did you mean spec?' },
  { query: { filter: {} }, path: 'filter', message: 'known are' },
  { query: { spec: { match: 'all', where: null } }, path: 'spec.where', message: 'known are match, terms, sort' },
  { query: { spec: { terms: [{ ...term, opp: '!=' }] } }, path: 'spec.terms.0.opp', message: 'did you mean op?' },
  { query: { spec: { terms: [term, { ...term, values: 1 }] } }, path: 'spec.terms.1.values', message: 'mean value?' },
  { query: { spec: { sort: { by: 'name', oder: 'desc' } } }, path: 'spec.sort.oder', message: 'did you mean order?' },
];

test.each(mistyped)(
  'a query with $path is refused, and the refusal suggests the right member (platform/query)',
  async ({ query, path, message }) => {
    for (const collection of ['gvc/-query', 'workload/-query', '/org/-query', '-command/-query', 'user/-query']) {
      const answer = await platform.send('POST', collection, query);
      expect([answer.status, answer.body['code']], collection).toEqual([400, 'validation_failed']);
      const problem = { path, message: expect.stringContaining(message) };
      expect(answer.body['details']).toMatchObject({
        problems: expect.arrayContaining([expect.objectContaining(problem)]),
      });
    }
    const carried = Buffer.from(JSON.stringify(query)).toString('base64url');
    expect((await platform.send('GET', `gvc?query=${carried}`)).status).toBe(400);
  },
);

test('every member of platform/query is accepted', async () => {
  const sort = { by: 'name', order: 'desc' };
  const terms = [
    { op: '=', property: 'name', value: 'alpha' },
    { tag: 'a', op: '!exists' },
    { rel: 'org', op: '!=', value: 'x' },
  ];
  const query = { kind: 'gvc', fetch: 'items', context: { org: 'local' }, spec: { match: 'all', terms, sort } };
  const answer = await platform.send('POST', 'gvc/-query', query);
  expect([answer.status, names(answer)]).toEqual([200, ['alpha']]);
});

test.each(['', 'null', '{}', '{"spec":null}', '{"spec":{"terms":null,"sort":null}}'])(
  'the query %j finds all records',
  async (body) => {
    expect(names(await platform.send('POST', 'gvc/-query', body))).toEqual(['alpha', 'beta']);
  },
);

test('the refusal of very many unknown members names twenty', async () => {
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`member${index}`, 1]));
  const { body } = await platform.send('POST', 'gvc/-query', many);
  expect(body['details']).toMatchObject({ problems: { length: 20 } });
});

test('a query within a record is checked with its record', async () => {
  const memberQuery = { kind: 'user', spec: { term: [{ property: 'email', value: 'a@x.io' }] } };
  expect((await platform.send('POST', 'group', { name: 'team', memberQuery })).status).toBe(400);
});

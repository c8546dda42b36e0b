import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../../src/base/json/json.ts';
import { names, platformForAll } from '../platform.ts';

let nowMs = 1_000_000;
const platform = platformForAll({ now: () => nowMs }, async (platform) => {
  for (const [name, tags] of [
    ['alpha', { tier: 'web', size: 3 }],
    ['beta', { tier: 'web', on: true }],
    ['gamma', { tier: 'data', size: 20 }],
  ] as const) {
    nowMs += 1000;
    await platform.send('POST', 'gvc', { name, tags, description: `The ${name}` });
    await platform.send('POST', `gvc/${name}/identity`, { name: 'web' });
  }
});

// biome-ignore format: one case a line
const queries: readonly { readonly it: string; readonly spec: JsonObject; readonly found: readonly string[] }[] = [
  { it: 'everything', spec: {}, found: ['alpha', 'beta', 'gamma'] },
  { it: '= on a tag', spec: { terms: [{ tag: 'tier', value: 'web' }] }, found: ['alpha', 'beta'] },
  { it: '= on a boolean tag as text', spec: { terms: [{ tag: 'on', value: 'true' }] }, found: ['beta'] },
  { it: '!= where it is missing', spec: { terms: [{ op: '!=', tag: 'size', value: 3 }] }, found: ['beta', 'gamma'] },
  { it: '> by number', spec: { terms: [{ op: '>', tag: 'size', value: 3 }] }, found: ['gamma'] },
  { it: '>=', spec: { terms: [{ op: '>=', tag: 'size', value: 3 }] }, found: ['alpha', 'gamma'] },
  { it: '<', spec: { terms: [{ op: '<', tag: 'size', value: '20' }] }, found: ['alpha'] },
  { it: '<=', spec: { terms: [{ op: '<=', tag: 'size', value: 20 }] }, found: ['alpha', 'gamma'] },
  { it: '~ without case', spec: { terms: [{ op: '~', property: 'description', value: 'BET' }] }, found: ['beta'] },
  { it: '~ on everything', spec: { terms: [{ op: '~', property: '*', value: 'data' }] }, found: ['gamma'] },
  { it: '=~', spec: { terms: [{ op: '=~', property: 'name', value: '^(al|ga)' }] }, found: ['alpha', 'gamma'] },
  { it: 'contains', spec: { terms: [{ op: 'contains', property: 'name', value: 'et' }] }, found: ['beta'] },
  { it: 'exists', spec: { terms: [{ op: 'exists', tag: 'size' }] }, found: ['alpha', 'gamma'] },
  { it: '!exists', spec: { terms: [{ op: '!exists', tag: 'size' }] }, found: ['beta'] },
  {
    it: 'a dotted property',
    spec: { terms: [{ property: 'spec.endpointNamingFormat', value: 'org' }] },
    found: ['alpha', 'beta', 'gamma'],
  },
  { it: 'any', spec: { match: 'any', terms: ['alpha', 'gamma'].map((value) => ({ property: 'name', value })) }, found: ['alpha', 'gamma'] },
  { it: 'none', spec: { match: 'none', terms: [{ tag: 'tier', value: 'web' }] }, found: ['gamma'] },
  {
    it: 'a time in another zone',
    spec: { terms: [{ op: '>', property: 'created', value: '1970-01-01T02:16:42.500+02:00' }] },
    found: ['gamma'],
  },
  { it: 'rel of a link of every record', spec: { terms: [{ rel: 'org', value: 'local' }] }, found: ['alpha', 'beta', 'gamma'] },
  { it: 'what is shown only', spec: { terms: [{ op: 'exists', property: 'status' }] }, found: ['alpha', 'beta', 'gamma'] },
  { it: 'descending order', spec: { sort: { by: 'name', order: 'desc' } }, found: ['gamma', 'beta', 'alpha'] },
];

test.each(queries)('-query: $it (platform/query)', async ({ spec, found }) => {
  const answer = await platform.send('POST', 'gvc/-query', { spec });
  expect(answer.body).toMatchObject({ kind: 'queryresult', itemKind: 'gvc', links: expect.any(Array) });
  expect(names(answer)).toEqual(found);
});

test('a query may have no body, and of a GVC-scoped kind finds those of one GVC (platform/wire.paths, platform/query)', async () => {
  expect(names(await platform.send('POST', 'gvc/-query'))).toHaveLength(3);
  const spec = { terms: [{ rel: 'gvc', value: 'beta' }] };
  const { body } = await platform.send('POST', 'identity/-query', { spec, fetch: 'links' });
  expect(body).toMatchObject({ itemKind: 'link', items: ['/org/local/gvc/beta/identity/web'] });
});

test.each(['', 'null', '{}', '{"spec": null}'])(
  '-query with the body %j asks for everything (platform/query)',
  async (body) => {
    const answer = await platform.send('POST', 'gvc/-query', body);
    expect(answer.body).toMatchObject({ kind: 'queryresult', query: { spec: { match: 'all', terms: [] } } });
    expect(names(answer)).toHaveLength(3);
  },
);

test('a query finds what a record shows besides (platform/query)', async () => {
  const spec = { containers: [{ name: 'main', image: 'a:1' }], type: 'standard' };
  await platform.send('POST', 'gvc/alpha/workload', { name: 'web', spec });
  const query = {
    spec: { terms: [{ property: 'health.readiness', value: 'unknown' }], sort: { by: 'status.endpoint' } },
  };
  expect(names(await platform.send('POST', 'workload/-query', query))).toEqual(['web']);
});

test.each([
  [{ terms: [{ op: 'like', tag: 'a', value: 'b' }] }],
  [{ terms: [{ tag: 'a', property: 'b', value: 'c' }] }],
  [{ terms: [{ tag: 'a' }] }],
  [{ terms: [{ tag: 'a', value: {} }] }],
  [{ terms: [{ tag: 'a', value: ['b'] }] }],
  [{ terms: [{ op: '=~', tag: 'a', value: '(a' }] }],
  [{ match: 'some' }],
])('-query refuses %j with 400 (platform/query)', async (spec) => {
  expect((await platform.send('POST', 'gvc/-query', { spec })).status).toBe(400);
});

test.each(['gvc?limit=2', 'gvc/-query?limit=2'])(
  'pages of %s hold every record once, in order (platform/wire.lists)',
  async (path) => {
    const seen: unknown[] = [];
    let page = await platform.send(path.includes('-query') ? 'POST' : 'GET', path);
    for (;;) {
      seen.push(...names(page));
      const next = listAt(page.body, 'links').find((link) => isObject(link) && link['rel'] === 'next');
      if (!isObject(next)) break;
      page = await platform.send('GET', stringAt(next, 'href') ?? '');
      expect(page.body['kind']).toBe('list');
    }
    expect(seen).toEqual(['alpha', 'beta', 'gamma']);
  },
);

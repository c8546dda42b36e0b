import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { names, platformForAll } from '../platform.ts';

const platform = platformForAll({}, async (platform) => {
  for (const name of ['alpha', 'beta']) await platform.send('POST', 'gvc', { name });
});

function carried(text: string): string {
  return Buffer.from(text).toString('base64url');
}

test('a too deeply nested query in an address is refused without an internal error (platform/errors.body)', async () => {
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  const answer = await platform.send('GET', `gvc?limit=1&query=${carried(`{"spec":{"terms":[]},"more":${deep}}`)}`);
  expect(answer.status).toBe(400);
});

const tooMuch: readonly { readonly it: string; readonly terms: readonly JsonObject[] }[] = [
  { it: 'more than 1,000 terms', terms: Array(1001).fill({ property: 'name', op: '!=', value: 'x' }) },
  { it: 'more than 10 regular expressions', terms: Array(11).fill({ property: 'name', op: '=~', value: 'a' }) },
  { it: 'a very long path', terms: [{ property: 'a.'.repeat(600), op: '!=', value: 'x' }] },
];

test.each(tooMuch)(
  'a query with $it is refused at every address, so that one request cannot delay the others',
  async ({ terms }) => {
    const query = { spec: { match: 'none', terms } };
    for (const path of ['gvc/-query', '/org/-query', '-command/-query']) {
      expect((await platform.send('POST', path, query)).status, path).toBe(400);
    }
    // The longest query does not fit into an address, so only eleven terms are sent.
    const short = { spec: { match: 'none', terms: terms.slice(0, 11) } };
    const status = terms.length > 11 ? 200 : 400;
    expect((await platform.send('GET', `gvc?query=${carried(JSON.stringify(short))}`)).status).toBe(status);
  },
);

test('a client can query 200 names together (platform/query)', async () => {
  const terms = Array.from({ length: 200 }, (_, index) => ({ property: 'name', value: `name-${index}` }));
  const answer = await platform.send('POST', 'gvc/-query', { spec: { match: 'any', terms } });
  expect(answer.status).toBe(200);
});

test('a query for any of a thousand tags finds them with a value, with any value, and in both ways', async () => {
  await platform.send('POST', 'gvc', { name: 'gamma', tags: { team: 'a', tier: 'web' } });
  await platform.send('POST', 'gvc', { name: 'delta', tags: { team: 'b' } });
  const others = Array.from({ length: 499 }, (_, at) => ({ tag: `no-${at}`, op: '=', value: 'x' }));
  const more = Array.from({ length: 499 }, (_, at) => ({ tag: `none-${at}`, op: 'exists' }));
  async function found(...terms: readonly JsonObject[]): Promise<readonly unknown[]> {
    return names(
      await platform.send('POST', 'gvc/-query', { spec: { match: 'any', terms: [...others, ...more, ...terms] } }),
    );
  }
  expect(await found({ tag: 'team', op: '=', value: 'a' })).toEqual(['gamma']);
  expect(await found({ tag: 'tier', op: 'exists' })).toEqual(['gamma']);
  expect(await found({ tag: 'team', op: '=', value: 'b' }, { tag: 'tier', op: 'exists' })).toEqual(['gamma', 'delta']);
});

test.each([
  [990, ['long']],
  [1_000, []],
])('a regular expression sees the first 1,000 characters of a value: a match at %d', async (at, expected) => {
  const containers = [{ name: 'main', image: `${'x'.repeat(at)}needle` }];
  await platform.send('PUT', 'gvc/alpha/workload', { name: 'long', spec: { type: 'standard', containers } });
  const terms = [{ property: 'spec.containers.0.image', op: '=~', value: 'x?x?x?x?needle' }];
  expect(names(await platform.send('POST', 'gvc/alpha/workload/-query', { spec: { terms } }))).toEqual(expected);
});

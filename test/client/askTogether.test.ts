import { expect, onTestFinished, test } from 'vitest';
import { makeClient } from '../../src/client/client.ts';
import type { Collections } from '../../src/client/collections.ts';
import { askTogether } from '../../src/client/firstReads.ts';
import { NamedReads } from '../../src/client/namedReads.ts';
import { testPlatform } from '../server/platform.ts';

/** A platform with these groups, each owned by the stack of its name, and a client that records queries of groups. */
async function platformWith(owners: readonly string[]) {
  const platform = await testPlatform({ data: ':memory:' });
  const client = makeClient({ endpoint: platform.url, token: 'secret-token', org: 'local' });
  onTestFinished(async () => {
    await client.close();
    await platform.close();
  });
  for (const name of owners) await platform.send('POST', 'group', { name, tags: { 'gantry/stack': name } });
  const terms: number[] = [];
  const noting: Collections & typeof client = {
    ...client,
    query(kind, spec) {
      if (kind === 'group') terms.push(spec.terms.length);
      return client.query(kind, spec);
    },
  };
  return { client: noting, terms };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

test('fifty owners share one query of a kind, the next one starts another, and each gets its own records', async () => {
  const owners = names('owner', 51);
  const { client, terms } = await platformWith(owners);
  const found = await Promise.all(
    [...askTogether(client, owners, new NamedReads())].map(async ([owner, { owned, discovery }]) => {
      await discovery;
      return [owner, (await owned.get('group'))?.resources.map(({ ref }) => ref.name)];
    }),
  );
  expect(found).toEqual(owners.map((owner) => [owner, [owner]]));
  // Two requests for each: a whole record, and a part of one.
  expect(terms).toEqual([100, 2]);
});

test('names that are requested together share one query, and each is requested once', async () => {
  const [one = '', two = ''] = names('named', 2);
  const { client, terms } = await platformWith([one, two]);
  const reads = new NamedReads();
  const fetch = async (...asked: readonly string[]) => {
    const refs = asked.map((name) => ({ kind: 'group', name }) as const);
    const { resources } = await reads.fetch(client, 'group', refs);
    return new Set(resources.map(({ ref }) => ref.name));
  };
  expect(await Promise.all([fetch(one), fetch(two, 'absent')])).toEqual([new Set([one, two]), new Set([one, two])]);
  expect(terms).toEqual([3]);
  expect((await fetch(one, 'absent')).has(one)).toBe(true);
  expect(terms).toEqual([3]);
});

test('a name whose query got no answer is requested again', async () => {
  const { client } = await platformWith(['again']);
  const reads = new NamedReads();
  const fetch = (by: Collections) => reads.fetch(by, 'group', [{ kind: 'group', name: 'again' }]);
  const away = { ...client, query: () => Promise.reject(new Error('away')) };
  await expect(fetch(away)).rejects.toThrow('away');
  expect((await fetch(client)).resources.map(({ ref }) => ref.name)).toEqual(['again']);
});

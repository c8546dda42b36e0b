import { expect, onTestFinished, test } from 'vitest';
import { makeClient } from '../../src/client/client.ts';
import { record, serve } from './fakeServer.ts';

function clientOf(endpoints: readonly string[]) {
  const client = makeClient({ endpoint: endpoints.join(', '), org: 'acme', sleep: async () => {} });
  onTestFinished(() => client.close());
  return client;
}

/** Refuses connections. */
const nowhere = 'http://127.0.0.1:1';

test('if one server is unreachable, the request and all later ones go to the next server', async () => {
  const alive = await serve(() => ({ body: record('gvc', 'shop') }));
  const client = clientOf([nowhere, alive.endpoint]);
  const ref = { kind: 'gvc', name: 'shop' } as const;
  expect(await client.read(ref)).toMatchObject({ ref });
  expect(client.requests()).toBe(2);
  await client.read(ref);
  expect(client.requests()).toBe(3);
});

test('a write whose connection breaks is not sent to another server: it may have been carried out', async () => {
  const broken = await serve(() => ({ cut: true }));
  const alive = await serve(() => ({ body: record('gvc', 'shop') }));
  const client = clientOf([broken.endpoint, alive.endpoint]);
  await expect(client.create({ kind: 'gvc', name: 'shop' }, { name: 'shop' })).rejects.toMatchObject({
    code: 'api.reply-lost',
  });
  expect(alive.seen).toEqual([]);
  expect(await client.read({ kind: 'gvc', name: 'shop' })).toBeDefined();
});

test('the next page of a list may be on any of the servers, but on no other host', async () => {
  const pages = await serve(({ path }) => {
    if (path.includes('next')) return { body: { kind: 'list', items: [record('gvc', 'two')], links: [] } };
    const links = [{ rel: 'next', href: `${nowhere}/org/acme/gvc?next=2` }];
    return { body: { kind: 'list', items: [record('gvc', 'one')], links } };
  });
  expect(await clientOf([pages.endpoint, nowhere]).list('gvc')).toHaveLength(2);
  await expect(clientOf([pages.endpoint]).list('gvc')).rejects.toMatchObject({ code: 'api.incomplete-list' });
});

test('an invalid endpoint in the list is refused', () => {
  expect(() => makeClient({ endpoint: `${nowhere}, shop`, org: 'acme' })).toThrow(
    expect.objectContaining({ code: 'client.endpoint' }),
  );
});

import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type Client, makeClient } from '../../src/client/client.ts';
import { trailsOfNames } from '../../src/client/trailsOfNames.ts';
import { testPlatform } from '../server/platform.ts';
import { serve } from './fakeServer.ts';

const group = (name: string) => ({ kind: 'group', name }) as const;

test('the deletions of two hundred names cost one request, and each name has its last record', async () => {
  const platform = await testPlatform();
  onTestFinished(() => platform.close());
  const names = Array.from({ length: 200 }, (_, index) => `g-${index}`);
  for (const name of names) await platform.send('POST', 'group', { name, description: 'first' });
  for (const name of names) await platform.send('DELETE', `group/${name}`);
  await platform.send('POST', 'group', { name: 'g-0', description: 'second' });
  await platform.send('DELETE', 'group/g-0');
  const client: Client = makeClient({ endpoint: platform.url, token: 'secret-token', org: 'local' });
  onTestFinished(() => client.close());

  const { trails, unread, requests } = await trailsOfNames(client, [...names, 'never'].map(group));
  expect({ unread, requests, size: trails.size }).toEqual({ unread: false, requests: 1, size: 200 });
  expect(trails.get('group/g-7')).toMatchObject([
    { action: 'delete', version: 1, writer: { name: 'admin@example.com' }, record: { description: 'first' } },
  ]);
  expect(trails.get('group/g-0')).toMatchObject([{ action: 'delete', record: { description: 'second' } }]);
});

test('if the list of deletions has more than five pages, only names missing in it are read', async () => {
  const deletion = (name: string): JsonObject => ({
    resource: {
      id: name,
      type: 'group',
      data: { name, version: 2, links: [{ rel: 'self', href: `/org/acme/group/${name}` }] },
    },
    action: { type: 'delete' },
    result: { status: 'OK' },
  });
  const next = { rel: 'next', href: '/audit/org/acme?next=x' };
  const { client, lines } = await serve((_, count) => ({
    body: count <= 5 ? { items: [deletion(`g-${count}`)], links: [next] } : { items: [], links: [] },
  }));
  const { trails, unread } = await trailsOfNames(
    client,
    [1, 2, 3, 4, 5, 6].map((number) => group(`g-${number}`)),
  );
  expect([...trails.keys()]).toEqual(['group/g-1', 'group/g-2', 'group/g-3', 'group/g-4', 'group/g-5', 'group/g-6']);
  expect(unread).toBe(false);
  expect(lines().filter((line) => line.includes('/resource/name/'))).toEqual([
    expect.stringContaining('/resource/name/g-6?'),
  ]);
});

test('an unreadable list of deletions is reported as unread, after one request', async () => {
  const { client } = await serve(() => ({ status: 403, body: { status: 403, message: 'no' } }));
  expect(
    await trailsOfNames(
      client,
      [1, 2, 3, 4, 5].map((number) => group(`g-${number}`)),
    ),
  ).toEqual({ trails: new Map(), unread: true, requests: 1 });
});

import { describe, expect, test } from 'vitest';
import { Api } from '../../src/commands/call/api.ts';
import { readAll, readNamed } from '../../src/gantry/readLive.ts';
import { recordsOf } from '../../src/provider/platform/records.ts';
import { list, type Reply, record, serve } from './fakeServer.ts';

const items = [record('gvc', 'a'), record('gvc', 'b')];
const [first, second] = items;
const refused = (status: number): Reply => ({ status, body: { message: 'not here' } });

describe('a command on single resources', () => {
  test.each<readonly [string, object]>([
    ['nextLink', { nextLink: '/org/acme/gvc?page=2' }],
    ['a token', { nextToken: '2' }],
    ['a relative address', { next: '?page=2' }],
  ])('reads the pages of a list that continues by %s', async (_, more) => {
    const { client } = await serve(({ path }) => ({
      body: /page=2|nextToken=2/.test(path) ? { items: [second] } : { items: [first], ...more },
    }));
    const { items: found, isCut } = await new Api({ client }, undefined).list('/org/acme/gvc', 50);
    expect([found, isCut]).toEqual([items, false]);
  });

  test('reports that a list is cut, and fails if it needs the whole list', async () => {
    const { client } = await serve(() => ({ body: { items: [first], total: 2 } }));
    const api = new Api({ client }, undefined);
    expect((await api.list('/org/acme/gvc', 50)).isCut).toBe(true);
    await expect(api.list('/org/acme/gvc', 0)).rejects.toMatchObject({ code: 'api.incomplete-list' });
  });
});

describe('adopt', () => {
  test('finds a named record that no query or list shows', async () => {
    const { client } = await serve(({ path }) => (path === '/org/acme/gvc/a' ? { body: first } : refused(405)));
    const { live, left } = await readNamed(client, [{ kind: 'gvc', name: 'a' }]);
    expect([live.map(({ id }) => id), left]).toEqual([['gvc/a'], []]);
    const empty = await serve(({ path }) => (path === '/org/acme/gvc/a' ? { body: first } : { body: list([]) }));
    expect((await readNamed(empty.client, [{ kind: 'gvc', name: 'a' }])).live).toHaveLength(1);
  });

  test('reports what a list leaves out, and which kinds cannot be listed', async () => {
    const { client } = await serve(({ path }) => {
      if (path.startsWith('/org/acme/gvc?')) return { body: { items: [first], total: 2 } };
      return path.startsWith('/org/acme/agent') ? refused(500) : { body: list([]) };
    });
    const { live, left } = await readAll({ client, org: 'acme' }, undefined);
    expect(live.map(({ id }) => id)).toEqual(['gvc/a']);
    const reasons = Object.fromEntries(left.map(({ id, because }) => [id, because]));
    expect(reasons['gvc/*']).toBe('not all are listed: it shows 1 of 2');
    expect(reasons['agent/*']).toContain('they cannot be listed');
  });

  test('does not call an org missing because no list works', async () => {
    const { client } = await serve(() => refused(405));
    await expect(readAll({ client, org: 'acme' }, undefined)).rejects.toMatchObject({ code: 'api.incomplete-list' });
    const none = await serve(() => refused(404));
    await expect(readAll({ client: none.client, org: 'acme' }, undefined)).rejects.toMatchObject({
      message: expect.stringContaining('the org acme does not exist'),
    });
  });
});

test('the provider reads records by name that a cut list does not show', async () => {
  const { client } = await serve(({ path }) =>
    path === '/org/acme/gvc/b' ? { body: second } : { body: { items: [first], total: 2 } },
  );
  const records = recordsOf(client);
  expect((await records.foundBefore({ kind: 'gvc', name: 'b' }))?.id).toBe('gvc/b');
  expect((await records.read({ ref: { kind: 'gvc', name: 'b' } }))?.id).toBe('gvc/b');
});

import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt } from '../../../src/base/json/json.ts';
import { type Answer, nextOf, platformForEach } from '../platform.ts';

const platform = platformForEach({ clock: 'virtual' });

function said(answer: Answer): readonly unknown[] {
  return listAt(answer.body, 'items').map((item) => isObject(item) && isObject(item['spec']) && item['spec']['n']);
}

async function echo(spec: JsonObject): Promise<Answer> {
  return platform.send('POST', '-command', { type: 'echo', spec, tags: { n: String(spec['n']) } });
}

test('commands are listed newest first, in pages (platform/wire.lists, platform/commands)', async () => {
  for (const n of [1, 2, 3]) await echo({ n });
  const first = await platform.send('GET', '-command?limit=2');
  expect(first.body).toMatchObject({ kind: 'list', itemKind: 'command' });
  expect(said(first)).toEqual([3, 2]);
  const second = await platform.send('GET', nextOf(first.body) ?? 'no link');
  expect(said(second)).toEqual([1]);
  expect(second.body['links']).toEqual([{ rel: 'self', href: '/org/local/-command' }]);
});

test('commands are found by the query language, in pages of a list (platform/wire.paths, platform/query)', async () => {
  for (const n of [1, 2, 3, 4]) await echo({ n });
  const terms = [
    { tag: 'n', op: '!=', value: '3' },
    { property: 'lifecycleStage', value: 'completed' },
  ];
  const first = await platform.send('POST', '-command/-query?limit=2', { spec: { match: 'all', terms } });
  expect(first.body).toMatchObject({ kind: 'queryresult', itemKind: 'command', query: { spec: { terms } } });
  expect(said(first)).toEqual([4, 2]);
  const second = await platform.send('GET', nextOf(first.body) ?? 'no link');
  expect(second.body).toMatchObject({ kind: 'list' });
  expect(said(second)).toEqual([1]);
  const sort = { by: 'spec.n', order: 'asc' };
  expect(said(await platform.send('POST', '-command/-query', { spec: { sort } }))).toEqual([1, 2, 3, 4]);
  expect(said(await platform.send('POST', '-command/-query'))).toEqual([4, 3, 2, 1]);
  expect((await platform.send('POST', '-command/-query', { spec: { terms: [{}] } })).status).toBe(400);
});

test('a command that ended cannot be cancelled, and can be deleted once (platform/commands.stages)', async () => {
  const made = await echo({ n: 1 });
  const path = made.headers.get('location') ?? '';
  expect((await platform.send('PATCH', path, { lifecycleStage: 'cancelled' })).status).toBe(409);
  expect((await platform.send('PATCH', path, { lifecycleStage: 'completed' })).status).toBe(400);
  expect((await platform.send('PATCH', path, {})).status).toBe(400);
  expect((await platform.send('DELETE', path)).status).toBe(202);
  expect((await platform.send('DELETE', path)).status).toBe(404);
  expect((await platform.send('GET', path)).status).toBe(404);
});

test('a command without a type, or with a type of another kind of record, is answered with 400 (platform/commands)', async () => {
  for (const body of [{ spec: {} }, { type: 'stopReplica', spec: { location: 'l', replica: 'r' } }]) {
    const answer = await platform.send('POST', '-command', body);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  }
});

test('a command of another record, or of a missing record, is answered with 404', async () => {
  const { headers } = await echo({ n: 1 });
  const id = headers.get('location')?.split('/').at(-1);
  await platform.send('POST', 'gvc', { name: 'shop' });
  expect((await platform.send('GET', `gvc/shop/workload/none/-command`)).status).toBe(404);
  expect((await platform.send('GET', `gvc/shop/workload/none/-command/${id}`)).status).toBe(404);
});

test('a delayed echo is pending until its time, can be cancelled, and then never answers (platform/commands.stages)', async () => {
  const waits = (await echo({ n: 1, seconds: 60 })).headers.get('location') ?? '';
  const stopped = (await echo({ n: 2, seconds: 60 })).headers.get('location') ?? '';
  expect((await platform.send('GET', waits)).body).toMatchObject({ lifecycleStage: 'pending', status: {} });
  expect((await platform.send('PATCH', stopped, { lifecycleStage: 'cancelled' })).status).toBe(200);
  await platform.send('POST', '/-clock', { advance: '61s' });
  expect((await platform.send('GET', waits)).body).toMatchObject({
    lifecycleStage: 'completed',
    status: { echo: { n: 1, seconds: 60 } },
  });
  expect((await platform.send('GET', stopped)).body).toMatchObject({ lifecycleStage: 'cancelled', status: {} });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../src/base/json/json.ts';
import { itemsFrom, nextOf, platformForEach } from '../platform.ts';

const startMs = Date.parse('2026-03-31T12:00:00.000Z');
const hourMs = 3_600_000;

let nowMs: number;
beforeEach(() => {
  nowMs = startMs;
});
const platform = platformForEach({ now: () => nowMs });

const trail = '/audit/org/local';

async function events(query = '', path = trail): Promise<readonly JsonObject[]> {
  const { status, body } = await platform.send('GET', `${path}${query}`);
  expect(status).toBe(200);
  return listAt(body, 'items').filter(isObject);
}

/** `action kind name result`, newest first. */
async function told(query = '', path = trail): Promise<readonly string[]> {
  return (await events(query, path)).map((event) => {
    const resource = objectAt(event, 'resource');
    const words = [objectAt(event, 'action'), resource].map((part) => stringAt(part, 'type'));
    return [...words, stringAt(resource, 'name'), stringAt(objectAt(event, 'result'), 'status')].join(' ');
  });
}

describe('the trail has one event for each write (platform/audit.trail)', () => {
  test('newest first, in the shape of a query result: create, edit, delete', async () => {
    await platform.send('POST', 'group', { name: 'team' });
    await platform.send('PATCH', 'group/team', { description: 'other' });
    await platform.send('DELETE', 'group/team');
    expect(await told()).toEqual(['delete group team OK', 'edit group team OK', 'create group team OK']);
    const { body } = await platform.send('GET', trail);
    expect(body).toMatchObject({ kind: 'queryresult', itemKind: 'auditevent', links: [{ rel: 'self', href: trail }] });
  });

  test("the events of a GVC are found by the GVC's alias", async () => {
    const gvc = await platform.send('POST', 'gvc', { name: 'shop' });
    await platform.send('POST', 'gvc', { name: 'other' });
    await platform.send('POST', 'gvc/shop/identity', { name: 'main' });
    await platform.send('DELETE', 'gvc/shop');
    expect(await told(`?gvcAlias=${String(gvc.body['alias'])}`)).toEqual([
      'delete gvc shop OK',
      'delete identity main OK',
      'create identity main OK',
      'create gvc shop OK',
    ]);
  });

  test('a PUT that creates a record is a creation, one that replaces it an edit, and a dry run has no event', async () => {
    await platform.send('PUT', 'group/team?dryRun=true', { name: 'team' });
    await platform.send('PUT', 'group?dryRun=true', { name: 'Bad Name' });
    await platform.send('PUT', 'group', { name: 'team' });
    await platform.send('PUT', 'group/team', { description: 'other' });
    expect(await told()).toEqual(['edit group team OK', 'create group team OK']);
  });

  test('reads and queries leave no event', async () => {
    await platform.send('GET', 'group/viewers');
    await platform.send('POST', 'group/-query');
    await platform.send('POST', 'group/-query', { spec: { terms: [{ op: 'nope' }] } });
    await platform.send('DELETE', 'group/-query');
    await platform.send('DELETE', 'nope/x');
    expect(await told()).toEqual([]);
  });

  test('the deletion of an account is an edit of each of its groups (platform/deletion.references)', async () => {
    await platform.send('POST', 'serviceaccount', { name: 'robot' });
    await platform.send('POST', 'group', { name: 'team', memberLinks: ['//serviceaccount/robot'] });
    await platform.send('DELETE', 'serviceaccount/robot');
    expect((await told()).slice(0, 2).toSorted()).toEqual(['delete serviceaccount robot OK', 'edit group team OK']);
    const [event = {}] = await events('?resourceType=group');
    expect(own(objectAt(objectAt(event, 'resource'), 'data'), 'version')).toBe(2);
  });
});

describe('the trail has one event for each refused write (platform/audit.trail)', () => {
  const refused: readonly (readonly [string, string, unknown, string])[] = [
    ['POST', 'group', { name: 'viewers' }, 'create group viewers CONFLICT'],
    ['POST', 'group', { name: 'Bad' }, 'create group Bad INVALID'],
    ['POST', 'gvc/none/identity', { name: 'main' }, 'create identity main NOT_FOUND'],
    ['PATCH', 'group/none', {}, 'edit group none NOT_FOUND'],
    ['PATCH', 'group/viewers', { version: 9 }, 'edit group viewers CONFLICT'],
    ['PUT', 'group/viewers', { name: 'other' }, 'edit group viewers INVALID'],
    ['PATCH', 'policy/superusers-gvc', { description: 'x' }, 'edit policy superusers-gvc INVALID'],
    ['DELETE', 'group/viewers', undefined, 'delete group viewers INVALID'],
    ['DELETE', 'group/none', undefined, 'delete group none NOT_FOUND'],
    ['PATCH', 'group/viewers', '{"a":', 'edit group viewers INVALID'],
    ['PATCH', 'group/viewers', '[]', 'edit group viewers INVALID'],
    ['POST', 'group', 'null', 'create group  INVALID'],
    ['DELETE', 'auditctx/scheme', undefined, 'delete auditctx scheme NOT_ALLOWED'],
    ['DELETE', '/org/local', undefined, 'delete org local NOT_ALLOWED'],
    ['PATCH', '/org/local', '[', 'edit org local INVALID'],
    ['POST', '/org', { name: 'index' }, 'create org index INVALID'],
  ];

  test.each(refused)('%s %s %j is recorded as %s', async (method, path, body, event) => {
    const answer = await platform.send(method, path, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const [found = {}, ...more] = await events();
    expect([await told(), more]).toEqual([[event], []]);
    expect(stringAt(objectAt(found, 'result'), 'message')).toContain(stringAt(answer.body, 'message'));
  });

  test('the event of a refused change shows the unchanged record', async () => {
    const before = await platform.send('GET', 'group/viewers');
    await platform.send('PATCH', 'group/viewers', { nope: 1 });
    const [event = {}] = await events();
    expect(objectAt(event, 'resource')).toMatchObject({ id: before.body['id'], data: { name: 'viewers', version: 1 } });
  });

  test('the event of a refused name does not contain all of a very long name', async () => {
    await platform.send('POST', 'group', { name: 'x'.repeat(100_000) });
    const [event = {}] = await events();
    expect(JSON.stringify(event).length).toBeLessThan(5_000);
  });
});

describe('queries of the trail (platform/audit.trail)', () => {
  beforeEach(async () => {
    await platform.send('POST', 'group', { name: 'team' });
    nowMs += hourMs;
    await platform.send('POST', 'gvc', { name: 'team' });
    nowMs += hourMs;
    await platform.send('DELETE', 'group/team');
    nowMs += hourMs;
  });

  test.each([
    ['', ['delete group team OK', 'create gvc team OK', 'create group team OK']],
    ['?resourceType=gvc', ['create gvc team OK']],
    ['?actionType=delete', ['delete group team OK']],
    ['?fromEvent=90m', ['delete group team OK']],
    ['?fromEvent=2h&toEvent=2h', ['create gvc team OK']],
    ['?toEvent=2026-03-31T12:30:00Z', ['create group team OK']],
    ['?fromEvent=2026-03-31T12:30:00Z&toEvent=now', ['delete group team OK', 'create gvc team OK']],
    ['?fromEvent=1d&contextName=scheme&limit=2', ['delete group team OK', 'create gvc team OK']],
  ])('%s', async (query, expected) => {
    expect(await told(query)).toEqual(expected);
  });

  test('select one record by id and by name', async () => {
    const gvc = await platform.send('GET', 'gvc/team');
    expect(await told('', `${trail}/resource/id/${String(gvc.body['id'])}`)).toEqual(['create gvc team OK']);
    expect(await told('', `${trail}/resource/name/team`)).toHaveLength(3);
    expect(await told('?resourceType=group', `${trail}/resource/name/team`)).toHaveLength(2);
    expect(await told('', `${trail}/resource/id/none`)).toEqual([]);
  });

  test('an event is readable at its self link', async () => {
    const [event = {}] = await events('?resourceType=gvc');
    const [self] = listAt(event, 'links').filter(isObject);
    const { status, body } = await platform.send('GET', String(self?.['href']));
    expect([status, body]).toEqual([200, event]);
    expect((await platform.send('GET', `${trail}/id/none`)).status).toBe(404);
  });

  test('next links give each event exactly once, and a relative window stays fixed (platform/wire.lists)', async () => {
    const first = await platform.send('GET', `${trail}?limit=1&fromEvent=1d`);
    expect(nextOf(first.body)).toContain('fromEvent=2026-03-30T15%3A00%3A00.000Z');
    const seen = await itemsFrom(platform.send, first);
    expect(seen).toEqual(await events());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
  });

  test('a page has 50 events by default (platform/wire.lists)', async () => {
    for (let index = 0; index < 51; index += 1) await platform.send('PATCH', 'gvc/team', { tags: { index } });
    expect((await events('?actionType=edit')).length).toBe(50);
  });

  test('an invalid time, number, cursor or name is refused', async () => {
    for (const query of ['fromEvent=x', 'actionType=view', 'limit=0', 'next=x', 'contextName=']) {
      expect((await platform.send('GET', `${trail}?${query}`)).status, query).toBe(400);
    }
  });

  test('an unknown org or context is answered with 404', async () => {
    expect((await platform.send('GET', '/audit/org/other')).status).toBe(404);
    expect((await platform.send('GET', `${trail}?contextName=none`)).status).toBe(404);
  });
});

describe('a write to an audit context (platform/audit.trail)', () => {
  const event = { resource: { id: 'order-1', type: 'order', name: 'first' }, action: { type: 'edit' } };

  beforeEach(async () => {
    await platform.send('POST', 'auditctx', { name: 'own' });
  });

  test('is answered with 201, the event and its location, and the event is in that context only', async () => {
    const { status, headers, body } = await platform.send('POST', `${trail}/auditctx/own`, event);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${trail}/id/${String(body['id'])}`);
    expect(await told('?contextName=own')).toEqual(['edit order first OK']);
    expect(await told('?contextName=own', `${trail}/resource/id/order-1`)).toEqual(['edit order first OK']);
    expect(await told('', `${trail}/resource/id/order-1`)).toEqual([]);
  });

  test('is answered with 202 if the client does not wait', async () => {
    expect((await platform.send('POST', `${trail}/auditctx/own?async=true`, event)).status).toBe(202);
    expect(await told('?contextName=own')).toHaveLength(1);
  });

  test('can be queried by location, GVC alias and pod', async () => {
    const context = { location: 'aws-us-east-1', gvcAlias: 'abc', podId: 'p1' };
    await platform.send('POST', `${trail}/auditctx/own`, { ...event, context });
    await platform.send('POST', `${trail}/auditctx/own`, event);
    expect(await told('?contextName=own&location=aws-us-east-1&gvcAlias=abc&podId=p1')).toHaveLength(1);
    expect(await told('?contextName=own&podId=p2')).toEqual([]);
  });

  test.each([
    ['nothing', 'own', {}, 400],
    ['no JSON', 'own', '{', 400],
    ['too much', 'own', { resource: { id: 'x', type: 'y', data: 'z'.repeat(70_000) } }, 413],
    ['an event for a context that does not exist', 'none', { resource: { id: 'x', type: 'y' } }, 404],
  ])('%s is refused', async (_, context, body, expected) => {
    const { status } = await platform.send('POST', `${trail}/auditctx/${context}`, body);
    expect(status).toBe(expected);
    expect(await told('?contextName=own')).toEqual([]);
  });
});

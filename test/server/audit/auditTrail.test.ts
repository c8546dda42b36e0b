import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../src/base/json/json.ts';
import { type Answer, container, type TestPlatform, testPlatform } from '../platform.ts';

const startMs = Date.parse('2026-03-31T12:00:00.000Z');
const hourMs = 3_600_000;

let nowMs: number;
let platform: TestPlatform;
beforeEach(async () => {
  nowMs = startMs;
  platform = await testPlatform({ now: () => nowMs });
});
afterEach(() => platform.close());

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

describe('one event for each write (platform/audit.trail)', () => {
  test('create, edit, delete: newest first, in the shape of a query result', async () => {
    await platform.send('POST', 'group', { name: 'team' });
    await platform.send('PATCH', 'group/team', { description: 'other' });
    await platform.send('DELETE', 'group/team');
    expect(await told()).toEqual(['delete group team OK', 'edit group team OK', 'create group team OK']);
    const { body } = await platform.send('GET', trail);
    expect(body).toMatchObject({ kind: 'queryresult', itemKind: 'auditevent', links: [{ rel: 'self', href: trail }] });
  });

  test('who, from where, when, and the record after the action', async () => {
    const made = await platform.send('POST', 'gvc', { name: 'shop', tags: { team: 'a' } });
    const [event = {}] = await events();
    expect(event).toMatchObject({
      eventTime: '2026-03-31T12:00:00.000Z',
      resource: {
        id: made.body['id'],
        name: 'shop',
        type: 'gvc',
        data: { name: 'shop', version: 1, kind: 'gvc', tags: { team: 'a' } },
      },
      action: { type: 'create' },
      subject: { data: { type: 'user', principalLink: expect.stringMatching(/^\/org\/local\/user\/.+@/) } },
      context: { org: 'local', name: 'scheme', remoteIp: expect.stringMatching(/127\.0\.0\.1$/) },
      result: { status: 'OK' },
    });
  });

  test('what happens in a GVC can be found by its alias', async () => {
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

  test('a PUT that makes a record is a creation, one that replaces it an edit, a rehearsal nothing', async () => {
    await platform.send('PUT', 'group/team?dryRun=true', { name: 'team' });
    await platform.send('PUT', 'group?dryRun=true', { name: 'Bad Name' });
    await platform.send('PUT', 'group', { name: 'team' });
    await platform.send('PUT', 'group/team', { description: 'other' });
    expect(await told()).toEqual(['edit group team OK', 'create group team OK']);
  });

  test('reading and asking leave no event', async () => {
    await platform.send('GET', 'group/viewers');
    await platform.send('POST', 'group/-query');
    await platform.send('POST', 'group/-query', { spec: { terms: [{ op: 'nope' }] } });
    await platform.send('DELETE', 'group/-query');
    await platform.send('DELETE', 'nope/x');
    expect(await told()).toEqual([]);
  });

  test('a GVC takes along what is in it: each record has its own event', async () => {
    await platform.send('POST', 'gvc', { name: 'shop' });
    await platform.send('POST', 'gvc/shop/identity', { name: 'main' });
    const spec = { type: 'standard', containers: [container()] };
    await platform.send('POST', 'gvc/shop/workload', { name: 'web', spec });
    await platform.send('DELETE', 'gvc/shop');
    expect((await told('?actionType=delete')).toSorted()).toEqual([
      'delete gvc shop OK',
      'delete identity main OK',
      'delete workload web OK',
    ]);
  });

  test('the groups that a deleted account leaves are edited (platform/deletion.references)', async () => {
    await platform.send('POST', 'serviceaccount', { name: 'robot' });
    await platform.send('POST', 'group', { name: 'team', memberLinks: ['//serviceaccount/robot'] });
    await platform.send('DELETE', 'serviceaccount/robot');
    expect((await told()).slice(0, 2).toSorted()).toEqual(['delete serviceaccount robot OK', 'edit group team OK']);
    const [event = {}] = await events('?resourceType=group');
    expect(own(objectAt(objectAt(event, 'resource'), 'data'), 'version')).toBe(2);
  });
});

describe('one event for each refused write (platform/audit.trail)', () => {
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

  test.each(refused)('%s %s %j is %s', async (method, path, body, event) => {
    const answer = await platform.send(method, path, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const [found = {}, ...more] = await events();
    expect([await told(), more]).toEqual([[event], []]);
    expect(stringAt(objectAt(found, 'result'), 'message')).toContain(stringAt(answer.body, 'message'));
  });

  test('a refused change shows the record as it stays', async () => {
    const before = await platform.send('GET', 'group/viewers');
    await platform.send('PATCH', 'group/viewers', { nope: 1 });
    const [event = {}] = await events();
    expect(objectAt(event, 'resource')).toMatchObject({ id: before.body['id'], data: { name: 'viewers', version: 1 } });
  });

  test('a name that is refused is not kept at any length', async () => {
    await platform.send('POST', 'group', { name: 'x'.repeat(100_000) });
    const [event = {}] = await events();
    expect(JSON.stringify(event).length).toBeLessThan(5_000);
  });
});

describe('no secret is in the trail (platform/audit.trail, rule S7)', () => {
  test('neither the data of a secret, nor a refused one, nor what -reveal shows', async () => {
    await platform.send('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'hunter2' } });
    await platform.send('PATCH', 'secret/key', { '$replace/data': { payload: 'hunter2-b' } });
    await platform.send('PATCH', 'secret/key', { data: { nope: 'hunter2-c' } });
    await platform.send('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'hunter2-d' } });
    await platform.send('POST', 'secret', '{"name": "x", "data": "hunter2');
    await platform.send('GET', 'secret/key/-reveal');
    await platform.send('DELETE', 'secret/key');
    const text = JSON.stringify(await events());
    expect(text).toContain('"name":"key"');
    expect(text).not.toContain('hunter2');
  });

  test('no key of a service account, and no digest of one', async () => {
    await platform.send('POST', 'serviceaccount', { name: 'robot' });
    const { body } = await platform.send('POST', 'serviceaccount/robot/-addKey', { description: 'ci' });
    const text = JSON.stringify(await events());
    expect(await told('?resourceType=serviceaccount')).toHaveLength(2);
    for (const part of String(body['key']).split('.').slice(1)) expect(text).not.toContain(part);
    expect(text).not.toContain('digest');
  });

  test('no token with which an agent registers', async () => {
    const { body } = await platform.send('POST', 'agent', { name: 'door' });
    const token = stringAt(objectAt(objectAt(body, 'status'), 'bootstrapConfig'), 'registrationToken');
    expect(token).toHaveLength(40);
    expect(JSON.stringify(await events())).not.toContain(token);
  });
});

describe('what is asked for (platform/audit.trail)', () => {
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
    ['?subjectName=nobody@example.com', []],
    ['?location=aws-us-east-1', []],
    ['?podId=x', []],
  ])('%s', async (query, expected) => {
    expect(await told(query)).toEqual(expected);
  });

  test('by subject: link, short link or e-mail address', async () => {
    const [event = {}] = await events();
    const link = stringAt(objectAt(objectAt(event, 'subject'), 'data'), 'principalLink') ?? '';
    const name = link.slice(link.lastIndexOf('/') + 1);
    for (const subject of [link, `//user/${name}`, name, name.toUpperCase()]) {
      expect(await told(`?subjectName=${encodeURIComponent(subject)}`), subject).toHaveLength(3);
    }
  });

  test('of one record, by id and by name', async () => {
    const gvc = await platform.send('GET', 'gvc/team');
    expect(await told('', `${trail}/resource/id/${String(gvc.body['id'])}`)).toEqual(['create gvc team OK']);
    expect(await told('', `${trail}/resource/name/team`)).toHaveLength(3);
    expect(await told('?resourceType=group', `${trail}/resource/name/team`)).toHaveLength(2);
    expect(await told('', `${trail}/resource/id/none`)).toEqual([]);
  });

  test('one event, at its self link', async () => {
    const [event = {}] = await events('?resourceType=gvc');
    const [self] = listAt(event, 'links').filter(isObject);
    const { status, body } = await platform.send('GET', String(self?.['href']));
    expect([status, body]).toEqual([200, event]);
    expect((await platform.send('GET', `${trail}/id/none`)).status).toBe(404);
  });

  test('pages follow their next links, no event twice or never; a relative window stands still (platform/wire.lists)', async () => {
    const seen: JsonObject[] = [];
    let path: string | undefined = `${trail}?limit=1&fromEvent=1d`;
    for (let pages = 0; path !== undefined && pages < 9; pages += 1) {
      const { body }: Answer = await platform.send('GET', path);
      seen.push(...listAt(body, 'items').filter(isObject));
      path = listAt(body, 'links')
        .filter(isObject)
        .find(({ rel }) => rel === 'next')
        ?.['href']?.toString();
      if (path !== undefined) expect(path).toContain('fromEvent=2026-03-30T15%3A00%3A00.000Z');
    }
    expect(seen).toEqual(await events());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
  });

  test('a page has 50 events where nothing else is asked for (platform/wire.lists)', async () => {
    for (let index = 0; index < 51; index += 1) await platform.send('PATCH', 'gvc/team', { tags: { index } });
    expect((await events('?actionType=edit')).length).toBe(50);
  });

  test.each([
    'fromEvent=x',
    'toEvent=',
    'actionType=view',
    'limit=0',
    'limit=x',
    'next=x',
    'subjectName=',
    'contextName=',
  ])('%s is refused (400)', async (query) => {
    const { status, body } = await platform.send('GET', `${trail}?${query}`);
    expect([status, body['status'], typeof body['message'], typeof body['id']]).toEqual([400, 400, 'string', 'string']);
  });

  test('another org or context is not there', async () => {
    expect((await platform.send('GET', '/audit/org/other')).status).toBe(404);
    expect((await platform.send('GET', `${trail}?contextName=none`)).status).toBe(404);
  });
});

describe('writing into an audit context (platform/audit.trail)', () => {
  const event = { resource: { id: 'order-1', type: 'order', name: 'first' }, action: { type: 'edit' } };

  beforeEach(async () => {
    await platform.send('POST', 'auditctx', { name: 'own' });
  });

  test('201 with the event and where it is; it is in that context only', async () => {
    const { status, headers, body } = await platform.send('POST', `${trail}/auditctx/own`, event);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${trail}/id/${String(body['id'])}`);
    expect(await told('?contextName=own')).toEqual(['edit order first OK']);
    expect(await told('?contextName=own', `${trail}/resource/id/order-1`)).toEqual(['edit order first OK']);
    expect(await told('', `${trail}/resource/id/order-1`)).toEqual([]);
  });

  test('202 where the client does not wait', async () => {
    expect((await platform.send('POST', `${trail}/auditctx/own?async=true`, event)).status).toBe(202);
    expect(await told('?contextName=own')).toHaveLength(1);
  });

  test('location, GVC alias and pod can be asked for', async () => {
    const context = { location: 'aws-us-east-1', gvcAlias: 'abc', podId: 'p1' };
    await platform.send('POST', `${trail}/auditctx/own`, { ...event, context });
    await platform.send('POST', `${trail}/auditctx/own`, event);
    expect(await told('?contextName=own&location=aws-us-east-1&gvcAlias=abc&podId=p1')).toHaveLength(1);
    expect(await told('?contextName=own&podId=p2')).toEqual([]);
  });

  test.each([
    ['nothing', 'own', {}, 400],
    ['a resource without a type', 'own', { resource: { id: 'x' } }, 400],
    ['a list', 'own', '[]', 400],
    ['no JSON', 'own', '{', 400],
    ['too much', 'own', { resource: { id: 'x', type: 'y', data: 'z'.repeat(70_000) } }, 413],
    ['an event for a context that is not there', 'none', { resource: { id: 'x', type: 'y' } }, 404],
  ])('%s is refused', async (_, context, body, expected) => {
    const { status } = await platform.send('POST', `${trail}/auditctx/${context}`, body);
    expect(status).toBe(expected);
    expect(await told('?contextName=own')).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../../src/base/json/json.ts';
import { type Answer, platformForEach, type Send } from '../platform.ts';

const platform = platformForEach({
  users: ['known@example.com'],
  tokens: [
    { token: 'known-token', principal: '/org/local/user/known@example.com' },
    { token: 'new-token', principal: '//user/new@example.com' },
  ],
});

function items(answer: Answer): readonly JsonObject[] {
  return listAt(answer.body, 'items').filter(isObject);
}

/** Sends as the user known@example.com, who has no permissions. */
function asKnown(...request: Parameters<Send>): Promise<Answer> {
  return platform.as('Bearer known-token')(...request);
}

const invited = { emails: ['new@example.com'], groupLink: '//group/viewers' };

async function taskOf(body: JsonObject = invited): Promise<JsonObject> {
  const [task] = items(await platform.send('POST', 'user/-invite', body));
  if (task === undefined) throw new Error('nobody was invited');
  return task;
}

async function members(group: string): Promise<readonly unknown[]> {
  return listAt((await platform.send('GET', `group/${group}`)).body, 'memberLinks');
}

describe('an invitation (platform/wire.paths, platform/task.answers)', () => {
  test('creates a task, and no user yet', async () => {
    const task = await taskOf({ emails: ['New@Example.com'], groupLink: '/org/local/group/viewers' });
    const self = `/org/local/task/${stringAt(task, 'id')}`;
    expect(task).toEqual({
      id: expect.any(String),
      kind: 'task',
      created: expect.any(String),
      lastModified: expect.any(String),
      links: [
        { rel: 'self', href: self },
        { rel: 'org', href: '/org/local' },
      ],
      description: 'Invitation to the org local',
      targetEmail: 'new@example.com',
      creatorLink: '/org/local/user/admin@example.com',
      type: 'invitation',
      context: { org: 'local', groupLink: '/org/local/group/viewers' },
      status: 'pending',
    });
    expect((await platform.send('GET', self)).body).toEqual(task);
    expect((await platform.send('GET', 'user/-for/email/new@example.com')).status).toBe(404);
  });

  test('that is accepted creates the user, and adds it to the group', async () => {
    const task = await taskOf();
    const answered = await platform.send('POST', `/task/${stringAt(task, 'id')}`, { answer: 'accept' });
    expect(answered.status).toBe(200);
    expect(answered.body).toMatchObject({ id: task['id'], status: 'complete', response: { answer: 'accept' } });
    expect((await platform.send('GET', 'user/new@example.com')).body).toMatchObject({ email: 'new@example.com' });
    expect(await members('viewers')).toEqual(['/org/local/user/new@example.com']);
  });

  test('that is rejected changes nothing else', async () => {
    const task = await taskOf();
    const answered = await platform.send('POST', `/task/${stringAt(task, 'id')}`, { answer: 'reject' });
    expect(answered.body).toMatchObject({ status: 'complete', response: { answer: 'reject' } });
    expect((await platform.send('GET', 'user/new@example.com')).status).toBe(404);
    expect(await members('viewers')).toEqual([]);
  });

  test('can be answered only once', async () => {
    const path = `/task/${stringAt(await taskOf(), 'id')}`;
    await platform.send('POST', path, { answer: 'reject' });
    expect((await platform.send('POST', path, { answer: 'accept' })).status).toBe(409);
  });

  test('cannot be answered with other words', async () => {
    const path = `/task/${stringAt(await taskOf(), 'id')}`;
    expect((await platform.send('POST', path, { answer: 'perhaps' })).status).toBe(400);
    expect((await platform.send('GET', path)).body).toMatchObject({ status: 'pending' });
  });

  test('of an existing user immediately adds it to the group', async () => {
    const answer = await platform.send('POST', 'user/-invite', { ...invited, emails: ['known@example.com'] });
    expect(items(answer)).toEqual([]);
    expect(await members('viewers')).toEqual(['/org/local/user/known@example.com']);
    await platform.send('POST', 'user/-invite', { ...invited, emails: ['known@example.com'] });
    expect(await members('viewers')).toHaveLength(1);
  });

  test('cancels an older pending one', async () => {
    const older = await taskOf();
    const newer = await taskOf();
    const found = items(await platform.send('GET', 'task'));
    expect(found.map(({ id, status }) => [id, status])).toEqual([
      [older['id'], 'canceled'],
      [newer['id'], 'pending'],
    ]);
  });

  test('to a group that was deleted meanwhile only creates the user', async () => {
    await platform.send('POST', 'group', { name: 'short-lived' });
    const task = await taskOf({ emails: ['new@example.com'], groupLink: '//group/short-lived' });
    await platform.send('DELETE', 'group/short-lived');
    expect((await platform.send('POST', `/task/${stringAt(task, 'id')}`, { answer: 'accept' })).status).toBe(200);
    expect((await platform.send('GET', 'user/new@example.com')).status).toBe(200);
  });

  test.each([
    [{}, 'emails'],
    [{ emails: ['nobody'] }, 'emails'],
    [{ emails: ['a@b.c'], groupLink: '//group/none' }, 'groupLink'],
    [{ emails: ['a@b.c'], groupLink: '//user/known@example.com' }, 'groupLink'],
    [{ emails: ['a@b.c'], groupLink: '/org/other/group/viewers' }, 'groupLink'],
    [{ emails: ['a@b.c'], groupLink: 5 }, 'groupLink'],
  ])('%j is refused for its %s, and no user is invited', async (body, field) => {
    const refused = await platform.send('POST', 'user/-invite', body);
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toMatch(new RegExp(`^${field}: `));
    expect(items(await platform.send('GET', 'task'))).toEqual([]);
  });
});

describe('inviting (platform/access.permissions)', () => {
  const bindings = [{ permissions: ['invite'], principalLinks: ['//user/known@example.com'] }];

  test('needs the permission', async () => {
    const refused = await asKnown('POST', '/org/local/user/-invite', { emails: ['new@example.com'] });
    expect(refused.status).toBe(403);
    expect(refused.body['message']).toContain('[invite]');
  });

  test('into a group needs the permission to change the group', async () => {
    await platform.send('POST', 'policy', { name: 'inviters', targetKind: 'user', target: 'all', bindings });
    const alone = await asKnown('POST', '/org/local/user/-invite', { emails: ['new@example.com'] });
    expect(alone.status).toBe(200);
    for (const emails of [['new@example.com'], ['known@example.com']]) {
      const refused = await asKnown('POST', '/org/local/user/-invite', { emails, groupLink: '//group/superusers' });
      expect(refused.status).toBe(403);
      expect(refused.body['message']).toContain('[edit]');
    }
    expect(await members('superusers')).toEqual(['/org/local/user/admin@example.com']);
  });
});

describe('tasks (platform/task.answers)', () => {
  const forKnown = { targetEmail: 'known@example.com', type: 'review', description: 'Look at this', context: { a: 1 } };

  test('are listed for their addressee, in one org and in all', async () => {
    await platform.send('POST', '/org', { name: 'other' });
    const made = await platform.send('POST', 'task/-simulate', forKnown);
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/org/local/task/${stringAt(made.body, 'id')}`);
    await platform.send('POST', 'task/-simulate', { ...forKnown, targetEmail: 'else@example.com' });
    await platform.send('POST', '/org/other/task/-simulate', forKnown);

    const here = await asKnown('GET', '/org/local/task/-forme');
    expect(here.body).toMatchObject({ kind: 'list', itemKind: 'task' });
    expect(items(here)).toEqual([made.body]);
    expect(items(await asKnown('GET', '/task/-forme'))).toHaveLength(2);
    expect(items(await asKnown('GET', '/task'))).toHaveLength(2);
    expect(items(await platform.send('GET', '/task/-forme'))).toEqual([]);
  });

  test("can be answered by an addressee whose org is not the task's", async () => {
    await platform.send('POST', '/org', { name: 'other' });
    await platform.send('POST', '/org/other/user/-invite', { emails: ['known@example.com'] });
    const [task] = items(await asKnown('GET', '/task/-forme'));
    expect((await asKnown('POST', `/task/${stringAt(task ?? {}, 'id')}`, { answer: 'accept' })).status).toBe(200);
    expect((await platform.send('GET', '/org/other/user/known@example.com')).status).toBe(200);
  });

  test('of other users are refused to a caller without permissions', async () => {
    const other = await platform.send('POST', 'task/-simulate', { ...forKnown, targetEmail: 'else@example.com' });
    const path = `/task/${stringAt(other.body, 'id')}`;
    expect((await asKnown('GET', path)).status).toBe(403);
    expect((await asKnown('POST', path, { answer: 'accept' })).status).toBe(403);
    expect((await platform.send('GET', path)).body).toEqual(other.body);
    expect((await platform.send('POST', `/org/local${path}`, { answer: 'accept' })).status).toBe(200);
  });

  test('can be listed, queried and deleted in the org, but not changed', async () => {
    const made = await platform.send('POST', 'task/-simulate', forKnown);
    const path = `task/${stringAt(made.body, 'id')}`;
    const query = {
      spec: {
        terms: [
          { property: 'status', value: 'pending' },
          { property: 'type', value: 'review' },
          { property: 'targetEmail', value: 'known@example.com' },
        ],
      },
    };
    expect(items(await platform.send('POST', 'task/-query', query))).toEqual([made.body]);
    const byTarget = { spec: { terms: [{ property: 'targetEmail', value: 'else@example.com' }] } };
    expect(items(await platform.send('POST', 'task/-query', byTarget))).toEqual([]);
    for (const method of ['PATCH', 'PUT']) expect((await platform.send(method, path, {})).status).toBe(405);
    expect((await platform.send('POST', 'task', forKnown)).status).toBe(405);
    expect((await platform.send('DELETE', path)).status).toBe(202);
    expect((await platform.send('GET', path)).status).toBe(404);
    expect((await platform.send('GET', `/${path}`)).status).toBe(404);
  });

  test('need an address and a context that is an object', async () => {
    for (const body of [{}, { targetEmail: 'x' }, { ...forKnown, context: [] }]) {
      expect((await platform.send('POST', 'task/-simulate', body)).status).toBe(400);
    }
  });
});

describe('users (platform/user)', () => {
  test('are found by e-mail in any case and by id, and can be tagged and deleted, but not renamed', async () => {
    const user = await platform.send('GET', 'user/-for/email/Known@Example.com');
    expect(user.body).toMatchObject({ name: 'known@example.com', email: 'known@example.com', idp: 'local' });
    expect((await platform.send('GET', `user/${stringAt(user.body, 'id')}`)).body).toEqual(user.body);
    const tagged = await platform.send('PATCH', 'user/known@example.com', { tags: { team: 'a' } });
    expect(tagged.body).toMatchObject({ tags: { team: 'a' }, version: 2 });
    for (const body of [{ email: 'x@example.com' }, { name: 'x@example.com' }, { idp: 'x' }]) {
      expect((await platform.send('PATCH', 'user/known@example.com', body)).status).toBe(400);
    }
    expect((await platform.send('DELETE', 'user/known@example.com')).status).toBe(202);
    expect((await platform.send('GET', 'user/known@example.com')).status).toBe(404);
  });
});

test('an invited user can only answer the invitation before the user exists', async () => {
  const invitee = platform.as('new-token');
  const get = async (path: string) => (await invitee('GET', path)).status;
  expect(await get('/task/-forme')).toBe(401);
  const task = await taskOf();
  expect([await get('/task/-forme'), await get('/org/local/group/viewers')]).toEqual([200, 403]);
  expect((await invitee('POST', `/task/${stringAt(task, 'id')}`, { answer: 'accept' })).status).toBe(200);
  expect(await members('viewers')).toEqual(['/org/local/user/new@example.com']);
  expect(await get('/org/local/group/viewers')).toBe(200);
});

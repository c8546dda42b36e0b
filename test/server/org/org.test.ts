import { describe, expect, test } from 'vitest';
import { listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { names, platformForEach } from '../platform.ts';

const platform = platformForEach();

describe('routes outside orgs (platform/wire.discovery)', () => {
  test('return the caller, and the account of the org', async () => {
    const org = await platform.send('GET', '/org/local');
    const user = await platform.send('GET', '/user');
    expect([user.status, user.body['kind']]).toEqual([200, 'user']);
    expect(names(await platform.send('GET', '/account'))).toEqual(['local']);
    const link = stringAt(objectAt(org.body, 'status'), 'accountLink') ?? '';
    expect((await platform.send('GET', link)).body).toMatchObject({ kind: 'account' });
    expect((await platform.send('GET', '/account/other')).status).toBe(404);
    expect((await fetch(`${platform.url}/user`)).status).toBe(401);
  });
});

describe('the org record (platform/org.life)', () => {
  test('has the envelope of every record', async () => {
    const { status, body } = await platform.send('GET', '/org/local');
    expect([status, body]).toMatchObject([
      200,
      {
        kind: 'org',
        id: expect.any(String),
        name: 'local',
        description: 'local',
        version: 1,
        tags: {},
        created: expect.any(String),
        lastModified: expect.any(String),
        links: expect.arrayContaining([{ rel: 'self', href: '/org/local' }]),
        spec: {},
        status: { active: true, accountLink: expect.any(String), endpointPrefix: 'local' },
      },
    ]);
    const list = await platform.send('GET', '/org');
    expect(list.body).toEqual({ kind: 'list', itemKind: 'org', items: [body], links: [{ rel: 'self', href: '/org' }] });
  });

  test('is changed by PATCH with directives, with a new version and an audit event', async () => {
    const changed = await platform.send('PATCH', '/org/local', {
      version: 1,
      tags: { team: 'a' },
      spec: { sessionTimeoutSeconds: 900, observability: { logsRetentionDays: 7 } },
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        version: 2,
        tags: { team: 'a' },
        spec: { sessionTimeoutSeconds: 900, observability: { logsRetentionDays: 7 } },
      },
    ]);
    const dropped = await platform.send('PATCH', '/org/local', { spec: { $drop: ['observability'] } });
    expect(dropped.body).toMatchObject({ version: 3, spec: { sessionTimeoutSeconds: 900 } });
    expect(objectAt(dropped.body, 'spec')).not.toHaveProperty('observability');
    const same = await platform.send('PATCH', '/org/local', { spec: { sessionTimeoutSeconds: 900 } });
    expect(same.body['version']).toBe(3);
    const audit = await platform.send('GET', '/audit/org/local?resourceType=org');
    expect(audit.body['items']).toMatchObject([
      { action: { type: 'edit' }, resource: { type: 'org', name: 'local', data: { version: 3 } } },
      { resource: { data: { version: 3 } } },
      { resource: { data: { version: 2 } } },
    ]);
  });

  test('is replaced by PUT, which needs no name', async () => {
    await platform.send('PATCH', '/org/local', { spec: { sessionTimeoutSeconds: 900 } });
    const { status, body } = await platform.send('PUT', '/org/local', { description: 'ours' });
    expect([status, body['description'], body['version'], objectAt(body, 'spec')]).toEqual([200, 'ours', 3, {}]);
  });

  // biome-ignore format: a row is a case
  const patches = [
    [{ version: 9 }, 409],
    [{ name: 'other' }, 400],
    [{ kind: 'gvc' }, 400],
    [{ nope: 1 }, 400],
    [{ spec: { nope: 1 } }, 400],
    [{ spec: { sessionTimeoutSeconds: 899 } }, 400],
    [{ spec: { observability: { tracesRetentionDays: 3651 } } }, 400],
    [{ spec: { security: { threatDetection: { minimumSeverity: 'error' } } } }, 400],
    [{ spec: { tracing: { sampling: 1 } } }, 400],
    [{ spec: null }, 200],
    [{ $nope: 1 }, 400],
    ['[]', 400],
    ['', 400],
  ] as const;

  test('refuses a PATCH with a wrong version, name, kind or field', async () => {
    for (const [body, expected] of patches) {
      expect((await platform.send('PATCH', '/org/local', body)).status, JSON.stringify(body)).toBe(expected);
    }
  });

  test('can only name an existing secret (platform/deletion.references)', async () => {
    const credentials = '//secret/key';
    const spec = { tracing: { sampling: 1, provider: { tracer: { endpoint: 'a:1', credentials } } } };
    expect((await platform.send('PATCH', '/org/local', { spec })).status).toBe(400);
    await platform.send('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'x' } });
    const { status, body } = await platform.send('PATCH', '/org/local', { spec });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('"credentials":"/org/local/secret/key"');
  });
});

describe('POST /org creates an org', () => {
  test('with status 201, Location, and the content of every org', async () => {
    const made = await platform.send('POST', '/org', { name: 'second', description: 'the other one' });
    expect([made.status, made.headers.get('location')]).toEqual([201, '/org/second']);
    expect(made.body).toMatchObject({ kind: 'org', name: 'second', description: 'the other one', version: 1 });
    expect(made.body['id']).not.toBe((await platform.send('GET', '/org/local')).body['id']);
    expect(names(await platform.send('GET', '/org'))).toEqual(['local', 'second']);
    const list = async (kind: string) => platform.send('GET', `/org/second/${kind}?limit=100`);
    expect(names(await list('group'))).toEqual(expect.arrayContaining(['superusers', 'viewers']));
    const { body: superusers } = await platform.send('GET', '/org/second/group/superusers');
    expect(superusers['memberLinks']).toEqual(['/org/second/user/admin@example.com']);
    expect(names(await list('location')).length).toBeGreaterThanOrEqual(12);
    expect(names(await list('auditctx'))).toEqual(['scheme']);
    expect(names(await list('serviceaccount'))).toHaveLength(1);
    for (const kind of ['auditctx', 'serviceaccount', 'policy']) {
      for (const item of listAt((await list(kind)).body, 'items')) expect(item).toMatchObject({ origin: 'builtin' });
    }
    expect((await platform.send('DELETE', '/org/second')).status).toBe(405);
    expect((await platform.send('POST', '/org/second/gvc', { name: 'shop' })).status).toBe(201);
    expect((await platform.send('GET', '/org/local/gvc/shop')).status).toBe(404);
  });

  test('that can be queried like other records (platform/query)', async () => {
    await platform.send('POST', '/org', { name: 'second', tags: { team: 'a' } });
    const none = await platform.send('POST', '/org/-query');
    expect(none.body).toMatchObject({ kind: 'queryresult', itemKind: 'org', links: [{ rel: 'self', href: '/org' }] });
    expect(names(none)).toEqual(['local', 'second']);
    const spec = { match: 'all', terms: [{ tag: 'team', op: '=', value: 'a' }] };
    const found = await platform.send('POST', '/org/-query', { kind: 'org', fetch: 'links', spec });
    expect(found.body).toMatchObject({ itemKind: 'link', items: ['/org/second'], query: { spec } });
    const sort = { by: 'name', order: 'desc' };
    expect(names(await platform.send('POST', '/org/-query', { spec: { sort } }))).toEqual(['second', 'local']);
    expect((await platform.send('POST', '/org/-query', { kind: 'gvc' })).status).toBe(400);
  });

  test('whose audit trail starts with its creation', async () => {
    await platform.send('POST', '/org', { name: 'second' });
    const { body } = await platform.send('GET', '/audit/org/second');
    expect(body['items']).toMatchObject([
      {
        action: { type: 'create' },
        resource: { type: 'org', name: 'second', data: { version: 1 } },
        subject: { data: { principalLink: expect.stringMatching(/^\/org\/second\/user\//) } },
        context: { org: 'second' },
      },
    ]);
  });

  test.each([{ invitees: [] }, { invitees: null }, {}])(
    'also as clients send it to the billing service, with %j (platform/wire.discovery)',
    async (invited) => {
      const made = await platform.send('POST', '/account/local/org', { org: { name: 'third' }, ...invited });
      const { status, headers, body } = made;
      expect([status, headers.get('location'), body['description']]).toEqual([201, '/org/third', 'third']);
      expect(names(await platform.send('GET', '/org/third/task'))).toEqual([]);
    },
  );

  test('with a task for each invited user, which is about joining its superusers', async () => {
    const invitees = ['Ann@example.com', 'bob@example.com'];
    const made = await platform.send('POST', '/account/local/org', { org: { name: 'third' }, invitees });
    expect(made.status).toBe(201);
    const tasks = await platform.send('GET', '/org/third/task');
    // The tasks were created at the same moment, so they are ordered by their names, which are ids.
    const items = listAt(tasks.body, 'items').toSorted((a) => (JSON.stringify(a).includes('ann@') ? -1 : 1));
    expect(items).toMatchObject([
      { targetEmail: 'ann@example.com', context: { org: 'third', groupLink: '/org/third/group/superusers' } },
      { targetEmail: 'bob@example.com' },
    ]);
    const bad = await platform.send('POST', '/account/local/org', { org: { name: 'fourth' }, invitees: ['nobody'] });
    expect([bad.status, (await platform.send('GET', '/org/fourth')).status]).toEqual([400, 404]);
  });

  test('once for two simultaneous requests, one of which is refused', async () => {
    const both = await Promise.all(['a', 'b'].map(() => platform.send('POST', '/org', { name: 'second' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  // biome-ignore format: a row is a case
  const refused = [
    [{ name: 'local' }, 409],
    [{ name: 'index' }, 400],
    [{ name: 'xserve-1' }, 400],
    [{ name: 'Second' }, 400],
    [{ name: 's'.repeat(65) }, 400],
    [{ name: '__proto__' }, 400],
    [{ name: '../local' }, 400],
    [{ name: 7 }, 400],
    [{ name: '' }, 400],
    [{}, 400],
    [{ name: 'second', description: 'x'.repeat(251) }, 400],
    [{ name: 'second', nope: 1 }, 400],
    [{ name: 'second', kind: 'gvc' }, 400],
    [{ name: 'second', spec: { tracing: { sampling: 1,
      provider: { tracer: { endpoint: 'a:1', credentials: '//secret/x' } } } } }, 400],
    ['[]', 400],
    ['', 400],
  ] as const;

  test('unless its name is taken, missing or invalid, or another field is invalid', async () => {
    for (const [body, expected] of refused) {
      expect((await platform.send('POST', '/org', body)).status, JSON.stringify(body)).toBe(expected);
    }
    expect(names(await platform.send('GET', '/org'))).toEqual(['local']);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { container, names, nextOf, type Send } from '../platform.ts';
import { done, type Guarded, guarded, letting, messageOf } from './callers.ts';

let platform: Guarded;
let admin: Send;

beforeAll(async () => {
  platform = await guarded();
  admin = platform.admin;
  await done(admin('POST', 'gvc', { name: 'shop' }));
  await done(admin('POST', 'gvc', { name: 'lab' }));
  await done(admin('POST', 'secret', { name: 'vault', type: 'opaque', data: { payload: 'x' } }));
  await done(admin('POST', 'gvc/shop/identity', { name: 'app' }));
});
afterAll(() => platform.close());

test('lists and queries omit records that the caller cannot view, and still fill each page (platform/wire.lists)', async () => {
  for (let index = 0; index < 12; index += 1) {
    const tags = { even: index % 2 === 0 };
    await done(admin('POST', 'agent', { name: `agent-${String(index).padStart(2, '0')}`, tags }));
  }
  const targetQuery = { spec: { terms: [{ tag: 'even', value: true }] } };
  const even = await platform.account('even', letting('even', 'agent', ['view'], { targetQuery }));
  const seen: unknown[] = [];
  for (let path: string | undefined = 'agent?limit=2'; path !== undefined; ) {
    const page = await done(even('GET', path));
    seen.push(names(page));
    path = nextOf(page.body);
  }
  expect(seen).toEqual([
    ['agent-00', 'agent-02'],
    ['agent-04', 'agent-06'],
    ['agent-08', 'agent-10'],
  ]);
  for (const query of [undefined, { spec: { sort: { by: 'name' } } }]) {
    expect(names(await even('POST', 'agent/-query', query))).toEqual(seen.flat());
  }
});

describe('what policies grant (platform/access.evaluation)', () => {
  test('create is granted by target all, by the link of the new record, or by a query that it matches', async () => {
    const byLink = await platform.account(
      'by-link',
      letting('by-link', 'gvc', ['create'], { targetLinks: ['//gvc/mine'] }),
    );
    expect((await byLink('POST', 'gvc', { name: 'yours' })).status).toBe(403);
    expect((await byLink('POST', 'gvc', { name: 'mine' })).status).toBe(201);

    const red = { targetQuery: { spec: { terms: [{ tag: 'team', value: 'red' }] } } };
    const byQuery = await platform.account('by-query', letting('by-query', 'gvc', ['create'], red));
    expect((await byQuery('POST', 'gvc', { name: 'plain' })).status).toBe(403);
    expect((await byQuery('PUT', 'gvc/plain', { name: 'plain' })).status).toBe(403);
    expect((await byQuery('POST', 'gvc', { name: 'blue-one', tags: { team: 'blue' } })).status).toBe(403);
    expect((await byQuery('POST', 'gvc', { name: 'red-one', tags: { team: 'red' } })).status).toBe(201);
    expect((await byQuery('PUT', 'gvc', { name: 'red-two', tags: { team: 'red' } })).status).toBe(201);
  });

  test('a changed target of a policy takes effect with the next request', async () => {
    const changing = await platform.account('changing', letting('changing', 'gvc', ['view']));
    const statuses = async () => [
      (await changing('GET', 'gvc/shop')).status,
      (await changing('GET', 'gvc/lab')).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await done(admin('PATCH', 'policy/changing-0', { target: null, targetLinks: ['//gvc/lab'] }));
    expect(await statuses()).toEqual([403, 200]);
  });

  test('viewers view everything and change nothing (platform/group)', async () => {
    const seeing = await platform.account('seeing');
    await done(admin('PATCH', 'group/viewers', { '$append/memberLinks': ['//serviceaccount/seeing'] }));
    for (const path of ['gvc/shop', 'secret/vault', 'policy/changing-0', 'gvc/shop/identity/app', '/org/local']) {
      expect((await seeing('GET', path)).status).toBe(200);
    }
    expect((await seeing('GET', 'secret/vault/-reveal')).status).toBe(403);
    expect((await seeing('PATCH', 'gvc/shop', { description: 'x' })).status).toBe(403);
  });
});

describe('permissions that a write needs in addition to its own', () => {
  test('a new or removed load balancer needs configureLoadBalancer (platform/errors.statuses)', async () => {
    const send = await platform.account('balancing', letting('balancing', 'gvc', ['create', 'edit']));
    const spec = { loadBalancer: { dedicated: true } };
    const refused = await send('POST', 'gvc', { name: 'with-one', spec });
    expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('[configureLoadBalancer]')]);
    expect((await send('POST', 'gvc', { name: 'without' })).status).toBe(201);

    await done(admin('PATCH', 'gvc/shop', { spec }));
    expect((await send('PATCH', 'gvc/shop', { description: 'else' })).status).toBe(200);
    expect((await send('PATCH', 'gvc/shop', { spec: { $drop: ['loadBalancer'] } })).status).toBe(403);
    const more = letting('balancing', 'gvc', ['configureLoadBalancer']);
    await done(admin('POST', 'policy', { name: 'balancing-more', ...more }));
    expect((await send('PATCH', 'gvc/shop', { spec: { $drop: ['loadBalancer'] } })).status).toBe(200);
  });

  test('each new reference needs use, and an existing one does not (platform/access.needs)', async () => {
    const send = await platform.account('using', letting('using', 'workload', ['create', 'edit']));
    const spec = {
      type: 'standard',
      identityLink: '//identity/app',
      containers: [container({ env: [{ name: 'A', value: 'scheme://secret/vault' }] })],
    };
    const make = () => send('POST', 'gvc/shop/workload', { name: 'web', spec });
    expect(messageOf(await make())).toContain('[use]');
    await done(admin('POST', 'policy', { name: 'using-identities', ...letting('using', 'identity', ['use']) }));
    const second = await make();
    expect([second.status, messageOf(second)]).toEqual([403, expect.stringContaining('/secret/vault')]);
    await done(admin('POST', 'policy', { name: 'using-secrets', ...letting('using', 'secret', ['use']) }));
    expect((await make()).status).toBe(201);

    await done(admin('DELETE', 'policy/using-secrets'));
    expect((await send('PATCH', 'gvc/shop/workload/web', { description: 'the same secret' })).status).toBe(200);
  });
});

describe('the superusers (platform/group.built-in)', () => {
  const me = '/org/local/user/admin@example.com';

  test('include the bootstrap user, and manage every kind', async () => {
    expect((await done(admin('GET', 'group/superusers'))).body).toMatchObject({ memberLinks: [me], origin: 'builtin' });
    const policy = await done(admin('GET', 'policy/superusers-secret'));
    expect(policy.body).toMatchObject({
      origin: 'builtin',
      targetKind: 'secret',
      target: 'all',
      bindings: [{ permissions: ['manage'], principalLinks: ['/org/local/group/superusers'] }],
    });
  });

  test('cannot remove themselves from the group, by any request', async () => {
    for (const [method, path, body] of [
      ['PATCH', 'group/superusers', { '$drop/memberLinks': ['//user/admin@example.com'] }],
      ['PATCH', 'group/superusers', { memberLinks: [] }],
      ['PUT', 'group', { name: 'superusers', memberLinks: [] }],
      ['DELETE', 'user/admin@example.com', undefined],
    ] as const) {
      expect((await admin(method, path, body)).status).toBe(400);
    }
    expect((await done(admin('GET', 'group/superusers'))).body).toMatchObject({ memberLinks: [me] });
  });

  test('can remove another superuser', async () => {
    const second = await platform.account('second');
    const change = (send: Send, directive: string, member: string) =>
      send('PATCH', 'group/superusers', { [`$${directive}/memberLinks`]: [`//${member}`] });
    await done(change(admin, 'append', 'serviceaccount/second'));
    expect((await change(second, 'drop', 'serviceaccount/second')).status).toBe(400);
    await done(change(second, 'drop', 'user/admin@example.com'));
    expect((await admin('GET', 'gvc/shop')).status).toBe(403);
    await done(change(second, 'append', 'user/admin@example.com'));
    await done(change(admin, 'drop', 'serviceaccount/second'));
    expect((await second('GET', 'gvc/shop')).status).toBe(403);
  });
});

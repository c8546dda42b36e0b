import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { container, names } from '../platform.ts';
import { done, type Guarded, guarded, letting, messageOf, type Send } from './callers.ts';

let platform: Guarded;
let admin: Send;

beforeAll(async () => {
  platform = await guarded();
  admin = platform.admin;
  await done(admin('POST', 'gvc', { name: 'shop', tags: { tier: 'gold' } }));
  await done(admin('POST', 'gvc', { name: 'lab', tags: { tier: 'lead' } }));
  await done(admin('POST', 'secret', { name: 'vault', type: 'opaque', data: { payload: 'x' } }));
  await done(admin('POST', 'gvc/shop/identity', { name: 'app' }));
});
afterAll(() => platform.close());

describe('what a caller may not do', () => {
  let nobody: Send;
  let viewer: Send;
  beforeAll(async () => {
    nobody = await platform.account('nobody');
    viewer = await platform.account('viewer', letting('viewer', 'gvc', ['view']));
  });

  test('an existing record without the permission is 403, naming it in brackets', async () => {
    const answer = await nobody('GET', 'gvc/shop');
    expect(answer.status).toBe(403);
    expect(messageOf(answer)).toContain('[view]');
    expect(messageOf(await viewer('PATCH', 'gvc/shop', { description: 'x' }))).toContain('[edit]');
    expect(messageOf(await viewer('DELETE', 'gvc/shop'))).toContain('[delete]');
    expect(messageOf(await viewer('POST', 'gvc', { name: 'fresh' }))).toContain('[create]');
  });

  test('an absent record is 404, whatever the caller may do', async () => {
    expect((await nobody('GET', 'gvc/ghost')).status).toBe(404);
    expect((await nobody('PATCH', 'gvc/ghost', {})).status).toBe(404);
    expect((await nobody('DELETE', 'gvc/ghost')).status).toBe(404);
    expect((await nobody('GET', 'gvc/ghost/workload/w')).status).toBe(404);
  });

  test('a foreign and an unknown org are 404, with and without a record', async () => {
    await done(admin('POST', '/org', { name: 'other-org' }));
    for (const path of ['/org/other-org', '/org/other-org/gvc', '/org/no-such-org', '/org/no-such-org/gvc/shop']) {
      expect((await nobody('GET', path)).status).toBe(404);
    }
    expect((await admin('GET', '/org/other-org/gvc')).status).toBe(200);
  });

  test('a refused write has changed nothing', async () => {
    const before = await done(admin('GET', 'gvc/shop'));
    expect((await viewer('PATCH', 'gvc/shop', { description: 'mine' })).status).toBe(403);
    expect((await viewer('PUT', 'gvc', { name: 'shop', description: 'mine' })).status).toBe(403);
    expect((await done(admin('GET', 'gvc/shop'))).body).toEqual(before.body);
  });

  test('lists and queries leave out what may not be viewed', async () => {
    const gold = await platform.account(
      'gold',
      letting('gold', 'gvc', ['view'], { targetQuery: { spec: { terms: [{ tag: 'tier', value: 'gold' }] } } }),
    );
    expect(names(await gold('GET', 'gvc'))).toEqual(['shop']);
    expect(names(await gold('POST', 'gvc/-query'))).toEqual(['shop']);
    expect(names(await gold('POST', 'gvc/-query', { spec: { sort: { by: 'name' } } }))).toEqual(['shop']);
    expect(names(await nobody('GET', 'gvc'))).toEqual([]);
    expect(names(await viewer('GET', 'gvc'))).toEqual(['shop', 'lab']);
  });

  test('no page shows more, and none is shorter for what is left out (platform/wire.lists)', async () => {
    for (let index = 0; index < 12; index += 1) {
      const tags = { even: index % 2 === 0 };
      await done(admin('POST', 'agent', { name: `agent-${String(index).padStart(2, '0')}`, tags }));
    }
    const even = await platform.account(
      'even',
      letting('even', 'agent', ['view'], { targetQuery: { spec: { terms: [{ tag: 'even', value: true }] } } }),
    );
    const seen: unknown[] = [];
    let path = '/org/local/agent?limit=2';
    for (let pages = 0; path !== ''; pages += 1) {
      const page = await done(even('GET', path));
      seen.push(names(page));
      const links = page.body['links'];
      const next = Array.isArray(links) ? links.find((link) => link.rel === 'next') : undefined;
      path = next === undefined ? '' : String(next.href);
      expect(pages).toBeLessThan(5);
    }
    expect(seen).toEqual([
      ['agent-00', 'agent-02'],
      ['agent-04', 'agent-06'],
      ['agent-08', 'agent-10'],
    ]);
  });
});

describe('what policies grant (platform/access.evaluation)', () => {
  test('create: all, the future link, or a query that the new record matches', async () => {
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

  test('a change of a policy counts from the next request on, also of its target query', async () => {
    const changing = await platform.account('changing');
    expect((await changing('GET', 'gvc/shop')).status).toBe(403);
    await done(admin('POST', 'policy', { name: 'now', ...letting('changing', 'gvc', ['view']) }));
    expect((await changing('GET', 'gvc/shop')).status).toBe(200);
    await done(admin('PATCH', 'policy/now', { target: null, targetLinks: ['//gvc/lab'] }));
    expect((await changing('GET', 'gvc/shop')).status).toBe(403);
    expect((await changing('GET', 'gvc/lab')).status).toBe(200);
    await done(admin('DELETE', 'policy/now'));
    expect((await changing('GET', 'gvc/lab')).status).toBe(403);
  });

  test('a group gives its members what it has, as long as they are in it', async () => {
    const member = await platform.account('member');
    await done(admin('POST', 'group', { name: 'team', memberLinks: [] }));
    const bindings = [{ permissions: ['view'], principalLinks: ['//group/team'] }];
    await done(admin('POST', 'policy', { name: 'for-team', targetKind: 'gvc', target: 'all', bindings }));
    expect((await member('GET', 'gvc/shop')).status).toBe(403);
    await done(admin('PATCH', 'group/team', { '$append/memberLinks': ['//serviceaccount/member'] }));
    expect((await member('GET', 'gvc/shop')).status).toBe(200);
    await done(admin('PATCH', 'group/team', { '$drop/memberLinks': ['//serviceaccount/member'] }));
    expect((await member('GET', 'gvc/shop')).status).toBe(403);
  });

  test('viewers view everything and change nothing (platform/group)', async () => {
    const seeing = await platform.account('seeing');
    await done(admin('PATCH', 'group/viewers', { '$append/memberLinks': ['//serviceaccount/seeing'] }));
    for (const path of [
      'gvc/shop',
      'secret/vault',
      'policy/for-team',
      'group/team',
      'gvc/shop/identity/app',
      '/org/local',
    ]) {
      expect((await seeing('GET', path)).status).toBe(200);
    }
    expect((await seeing('GET', 'secret/vault/-reveal')).status).toBe(403);
    expect((await seeing('PATCH', 'gvc/shop', { description: 'x' })).status).toBe(403);
  });
});

describe('permissions beside create, edit and delete', () => {
  test('reveal shows the values of a secret, and edit implies it (platform/access.permissions)', async () => {
    const send = await platform.account('secrets', letting('secrets', 'secret', ['view']));
    const answer = await send('GET', 'secret/vault/-reveal');
    expect(answer.status).toBe(403);
    expect(messageOf(answer)).toContain('[reveal]');
    await done(admin('PATCH', 'policy/secrets-0', { bindings: letting('secrets', '', ['edit'])['bindings'] }));
    expect((await send('GET', 'secret/vault/-reveal')).status).toBe(200);
  });

  test('configureLoadBalancer is needed for a new, changed or removed load balancer (platform/errors.statuses)', async () => {
    const send = await platform.account('balancing', letting('balancing', 'gvc', ['create', 'edit']));
    const refused = await send('PATCH', 'gvc/shop', { spec: { loadBalancer: { dedicated: true } } });
    expect(refused.status).toBe(403);
    expect(messageOf(refused)).toContain('[configureLoadBalancer]');
    expect((await send('POST', 'gvc', { name: 'with-one', spec: { loadBalancer: { dedicated: true } } })).status).toBe(
      403,
    );
    expect((await send('POST', 'gvc', { name: 'without' })).status).toBe(201);

    await done(admin('PATCH', 'gvc/shop', { spec: { loadBalancer: { dedicated: true } } }));
    expect((await send('PATCH', 'gvc/shop', { description: 'else' })).status).toBe(200);
    expect((await send('PATCH', 'gvc/shop', { spec: { $drop: ['loadBalancer'] } })).status).toBe(403);
    const more = letting('balancing', 'gvc', ['configureLoadBalancer']);
    await done(admin('POST', 'policy', { name: 'balancing-more', ...more }));
    expect((await send('PATCH', 'gvc/shop', { spec: { $drop: ['loadBalancer'] } })).status).toBe(200);
  });

  test('use is needed for a new reference, and only for a new one (platform/access.needs)', async () => {
    const send = await platform.account('using', letting('using', 'workload', ['create', 'edit']));
    const spec = {
      type: 'standard',
      identityLink: '//identity/app',
      containers: [container({ env: [{ name: 'A', value: 'scheme://secret/vault' }] })],
    };
    const first = await send('POST', 'gvc/shop/workload', { name: 'web', spec });
    expect(first.status).toBe(403);
    expect(messageOf(first)).toContain('[use]');
    await done(admin('POST', 'policy', { name: 'using-identities', ...letting('using', 'identity', ['use']) }));
    const second = await send('POST', 'gvc/shop/workload', { name: 'web', spec });
    expect(second.status).toBe(403);
    expect(messageOf(second)).toContain('/secret/vault');
    const secrets = letting('using', 'secret', ['use']);
    await done(admin('POST', 'policy', { name: 'using-secrets', ...secrets }));
    expect((await send('POST', 'gvc/shop/workload', { name: 'web', spec })).status).toBe(201);

    await done(admin('DELETE', 'policy/using-secrets'));
    expect((await send('PATCH', 'gvc/shop/workload/web', { description: 'the same secret' })).status).toBe(200);
    await done(admin('DELETE', 'gvc/shop/workload/web'));
  });

  test('addKey is a permission of its own (platform/access.permissions)', async () => {
    const send = await platform.account('keys', letting('keys', 'serviceaccount', ['edit']));
    expect((await send('POST', 'serviceaccount/keys/-addKey', { description: 'x' })).status).toBe(403);
    await done(admin('POST', 'policy', { name: 'keys-more', ...letting('keys', 'serviceaccount', ['addKey']) }));
    expect((await send('POST', 'serviceaccount/keys/-addKey', { description: 'x' })).status).toBe(201);
  });
});

describe('the superusers (platform/group.built-in)', () => {
  const me = '/org/local/user/admin@example.com';

  test('the bootstrap user is one of them, and they manage every kind', async () => {
    expect((await done(admin('GET', 'group/superusers'))).body).toMatchObject({ memberLinks: [me], origin: 'builtin' });
    const policy = await done(admin('GET', 'policy/superusers-secret'));
    expect(policy.body).toMatchObject({
      origin: 'builtin',
      targetKind: 'secret',
      target: 'all',
      bindings: [{ permissions: ['manage'], principalLinks: ['/org/local/group/superusers'] }],
    });
  });

  test('nobody takes himself out, in whatever way', async () => {
    expect(
      (await admin('PATCH', 'group/superusers', { '$drop/memberLinks': ['//user/admin@example.com'] })).status,
    ).toBe(400);
    expect((await admin('PATCH', 'group/superusers', { memberLinks: [] })).status).toBe(400);
    expect((await admin('PUT', 'group', { name: 'superusers', memberLinks: [] })).status).toBe(400);
    expect((await admin('DELETE', 'user/admin@example.com')).status).toBe(400);
    expect((await done(admin('GET', 'group/superusers'))).body).toMatchObject({ memberLinks: [me] });
  });

  test('another one can', async () => {
    const second = await platform.account('second');
    await done(admin('PATCH', 'group/superusers', { '$append/memberLinks': ['//serviceaccount/second'] }));
    expect(
      (await second('PATCH', 'group/superusers', { '$drop/memberLinks': ['//serviceaccount/second'] })).status,
    ).toBe(400);
    await done(second('PATCH', 'group/superusers', { '$drop/memberLinks': ['//user/admin@example.com'] }));
    expect((await admin('GET', 'gvc/shop')).status).toBe(403);
    await done(second('PATCH', 'group/superusers', { '$append/memberLinks': ['//user/admin@example.com'] }));
    await done(admin('PATCH', 'group/superusers', { '$drop/memberLinks': ['//serviceaccount/second'] }));
    expect((await second('GET', 'gvc/shop')).status).toBe(403);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, own } from '../../../src/base/json/json.ts';
import { permissionSchema } from '../../../src/server/access/decisions/permissionCatalog.ts';
import type { Send } from '../platform.ts';
import { done, type Guarded, guarded, keyOf, letting, messageOf } from './callers.ts';
import { catalogue } from './catalogue.ts';

let platform: Guarded;
let admin: Send;
beforeAll(async () => {
  platform = await guarded();
  admin = platform.admin;
  await done(admin('POST', 'gvc', { name: 'shop', tags: { tier: 'gold' } }));
  await done(admin('POST', 'gvc/shop/identity', { name: 'app' }));
});
afterAll(() => platform.close());

function rows(body: JsonObject): ReadonlyMap<unknown, readonly JsonObject[]> {
  const permissions = listAt(body, 'permissions').filter(isObject);
  return new Map(permissions.map((row) => [own(row, 'name'), listAt(row, 'bindings').filter(isObject)]));
}

test('the access report of a record explains each decision (platform/access.report)', async () => {
  await platform.account(
    'editor',
    letting('editor', 'gvc', ['edit'], { targetQuery: { spec: { terms: [{ tag: 'tier', value: 'gold' }] } } }),
    letting('editor', 'gvc', ['delete', 'configureLoadBalancer'], { targetLinks: ['//gvc/shop'] }),
  );
  const { body } = await done(admin('GET', 'gvc/shop/-accessreport'));
  expect(body).toMatchObject({
    kind: 'accessreport',
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    links: [{ rel: 'self', href: '/org/local/gvc/shop/-accessreport' }],
  });
  const found = rows(body);
  expect([...found.keys()]).toEqual(['configureLoadBalancer', 'create', 'delete', 'edit', 'manage', 'view']);

  const of = (permission: string) =>
    (found.get(permission) ?? []).map((row) => [
      String(own(row, 'principalLink')).split('/').at(-1),
      String(own(row, 'grantingPolicyLink')).split('/').at(-1),
      ...listAt(row, 'grantedPermissions'),
      own(row, 'match'),
    ]);
  const superusers = ['superusers', 'superusers-gvc', 'manage', 'all'];
  expect(found.get('manage')).toEqual([
    {
      principalLink: '/org/local/group/superusers',
      grantingPolicyLink: '/org/local/policy/superusers-gvc',
      grantedPermissions: ['manage'],
      match: 'all',
    },
  ]);
  expect(of('create')).toEqual([superusers]);
  expect(of('configureLoadBalancer')).toEqual([superusers, ['editor', 'editor-1', 'configureLoadBalancer', 'link']]);
  expect(of('view')).toEqual([
    superusers,
    ['viewers', 'viewers-gvc', 'view', 'all'],
    ['editor', 'editor-0', 'edit', 'query'],
    ['editor', 'editor-1', 'delete', 'link'],
  ]);
});

test('the report agrees with the decisions: each permission that it grants works, and no other', async () => {
  const { body } = await done(admin('GET', 'gvc/shop/-accessreport'));
  const granted = (permission: string) =>
    (rows(body).get(permission) ?? []).some((row) => own(row, 'principalLink') === '/org/local/serviceaccount/editor');
  const editor = platform.as(await keyOf(admin, 'editor'));
  expect((await editor('GET', 'gvc/shop')).status === 200).toBe(granted('view'));
  expect((await editor('PATCH', 'gvc/shop', { description: 'x' })).status === 200).toBe(granted('edit'));
  expect((await editor('POST', 'gvc', { name: 'other', tags: { tier: 'gold' } })).status === 201).toBe(
    granted('create'),
  );
});

test('a record inside a GVC has an access report, and an absent record has none', async () => {
  const { body } = await done(admin('GET', 'gvc/shop/identity/app/-accessreport'));
  expect(rows(body).get('use')).toMatchObject([{ grantingPolicyLink: '/org/local/policy/superusers-identity' }]);
  expect((await admin('GET', 'gvc/shop/identity/ghost/-accessreport')).status).toBe(404);
  expect((await admin('POST', 'gvc/shop/-accessreport')).status).toBe(405);
});

test('the report of a record needs view on it, the report of the org viewAccessReport', async () => {
  const send = await platform.account('reader', letting('reader', 'org', ['view']), letting('reader', 'gvc', ['view']));
  expect((await send('GET', 'gvc/shop/-accessreport')).status).toBe(200);
  const refused = await send('GET', '/org/local/-accessreport');
  expect(refused.status).toBe(403);
  expect(messageOf(refused)).toContain('[viewAccessReport]');
  await done(admin('POST', 'policy', { name: 'reports', ...letting('reader', 'org', ['viewAccessReport']) }));
  const { body } = await done(send('GET', '/org/local/-accessreport'));
  expect(body).toMatchObject({ links: [{ rel: 'self', href: '/org/local/-accessreport' }] });
  expect(rows(body).get('viewAccessReport')).toMatchObject([
    { grantingPolicyLink: '/org/local/policy/superusers-org', grantedPermissions: ['manage'] },
    { grantingPolicyLink: '/org/local/policy/reports', grantedPermissions: ['viewAccessReport'], match: 'all' },
  ]);
});

test.each(Object.entries(catalogue))(
  'any token can read the permissions of a %s (platform/wire.paths, platform/access.permissions)',
  async (targetKind, names) => {
    const send = await platform.account(`schema-${targetKind}`);
    const href = targetKind === 'org' ? '/org/-schema/permissions' : `/org/local/${targetKind}/-schema/permissions`;
    const { body } = await done(send('GET', href));
    expect(body).toMatchObject({ kind: 'permissions', targetKind, links: [{ rel: 'self', href }] });
    const items = names.split(' ').map((name) => ({ name, description: expect.stringMatching(/\w/) }));
    expect([body['items'], own(body, 'implied')]).toEqual([items, permissionSchema(targetKind)['implied']]);
    expect(own(body, 'implied')).toHaveProperty('manage');
  },
);

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { AccessChange } from '../../../src/plan/model/change.ts';
import { changeOf, declare, foreign, live, plan } from '../world.ts';

type Who = Omit<AccessChange, 'change'>;

function gained(principal: string, permission: string, target: string, more: Partial<Who> = {}): AccessChange {
  return { change: 'gained', principal, permission, target, ...more };
}

function lost(principal: string, permission: string, target: string, more: Partial<Who> = {}): AccessChange {
  return { ...gained(principal, permission, target, more), change: 'lost' };
}

const bind = (permissions: readonly string[], ...principalLinks: readonly string[]): JsonObject => ({
  permissions,
  principalLinks,
});
const onDb = { targetKind: 'secret', targetLinks: ['//secret/db'] };
const teamWeb = { spec: { terms: [{ tag: 'team', value: 'web' }] } };
const server = {
  type: 'serverless',
  containers: [{ name: 'main', image: 'i:1', ports: [{ number: 80, protocol: 'http' }] }],
};
const worker = { type: 'standard', containers: [{ name: 'main', image: 'i:1' }] };
const open = (spec: JsonObject, external: JsonObject, internal: JsonObject = {}): JsonObject => ({
  spec: { ...spec, firewallConfig: { external, internal } },
});

interface Case {
  readonly it: string;
  readonly id: string;
  /** Undefined if it does not exist before or after. */
  readonly from?: JsonObject;
  readonly to?: JsonObject;
  readonly access: readonly AccessChange[];
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'a changed binding, with links in one spelling', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['view', 'edit'], '//group/ops')] },
    to: { ...onDb, bindings: [bind(['view'], '/org/o/group/ops'), bind(['reveal'], '//gvc/acme/identity/finder')] },
    access: [gained('identity/acme/finder', 'reveal', 'secret/db'), lost('group/ops', 'edit', 'secret/db')] },
  { it: 'one target added and one removed', id: 'policy/p', from: { ...onDb, bindings: [bind(['view'], '//user/ana')] },
    to: { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [bind(['view'], '//user/ana')] },
    access: [gained('user/ana', 'view', 'secret/key'), lost('user/ana', 'view', 'secret/db')] },
  { it: 'a new policy on all records', id: 'policy/p',
    to: { targetKind: 'workload', target: 'all', bindings: [bind(['exec'], '//serviceaccount/ci')] },
    access: [gained('serviceaccount/ci', 'exec', 'every workload')] },
  { it: 'a policy on the records that a query finds', id: 'policy/p',
    to: { targetKind: 'gvc',
      targetQuery: {
        spec: { match: 'any', terms: [{ tag: 'team', value: 'web' }, { property: 'name', op: '~', value: 'w' }] } },
      bindings: [bind(['view'], '//user/ana')] },
    access: [gained('user/ana', 'view', 'GVCs where tag team = web or name ~ w')] },
  { it: 'links instead of all records: access to those existed', id: 'policy/p',
    from: { targetKind: 'secret', target: 'all', bindings: [bind(['manage'], '//user/ana')] },
    to: { ...onDb, bindings: [bind(['manage'], '//user/ana')] }, access: [lost('user/ana', 'manage', 'every secret')] },
  { it: 'all records instead of links and a query: the former access is kept', id: 'policy/p',
    from: { ...onDb, targetQuery: teamWeb, bindings: [bind(['view'], '//user/ana')] },
    to: { targetKind: 'secret', target: 'all', bindings: [bind(['view'], '//user/ana')] },
    access: [gained('user/ana', 'view', 'every secret')] },
  { it: 'a query instead of links: its results are unknown', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['view'], '//user/ana')] },
    to: { targetKind: 'secret', targetQuery: teamWeb, bindings: [bind(['view'], '//user/ana')] },
    access: [gained('user/ana', 'view', 'secrets where tag team = web'), lost('user/ana', 'view', 'secret/db')] },
  { it: 'all records of another kind', id: 'policy/p',
    from: { targetKind: 'identity', target: 'all', bindings: [bind(['manage'], '//user/ana')] },
    to: { ...onDb, bindings: [bind(['manage'], '//user/ana')] },
    access: [gained('user/ana', 'manage', 'secret/db'), lost('user/ana', 'manage', 'every identity')] },
  { it: 'a permission instead of a wider one: the wider one is lost', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['manage'], '//group/ops')] },
    to: { ...onDb, bindings: [bind(['reveal'], '//group/ops')] }, access: [lost('group/ops', 'manage', 'secret/db')] },
  { it: 'a wider permission on more records', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['reveal', 'use'], '//group/ops')] },
    to: { targetKind: 'secret', target: 'all', bindings: [bind(['edit'], '//group/ops')] },
    access: [gained('group/ops', 'edit', 'every secret'), lost('group/ops', 'use', 'secret/db')] },
  { it: 'a permission that implies one of another principal: both change', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['manage'], '//user/ana')] },
    to: { ...onDb, bindings: [bind(['reveal'], '//user/bob')] },
    access: [gained('user/bob', 'reveal', 'secret/db'), lost('user/ana', 'manage', 'secret/db')] },
  { it: 'a deleted policy: all access is lost', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['reveal'], '//user/ana', '//group/ops')] },
    access: [lost('user/ana', 'reveal', 'secret/db'), lost('group/ops', 'reveal', 'secret/db')] },
  { it: 'a policy with a changed description: no access changes', id: 'policy/p',
    from: { ...onDb, bindings: [bind(['view'], '//user/ana')], description: 'a' },
    to: { ...onDb, bindings: [bind(['view'], '//user/ana')], description: 'b' }, access: [] },
  { it: 'a member', id: 'group/ops', from: { memberLinks: ['//user/ana'] }, to: { memberLinks: ['//user/bob'] },
    access: [gained('user/bob', 'member', 'group/ops'), lost('user/ana', 'member', 'group/ops')] },
  { it: 'members by a query and by an expression', id: 'group/ops',
    from: { memberLinks: ['//user/ana'], identityMatcher: { expression: "name == 'ci'" } },
    to: { memberLinks: ['//user/ana'], memberQuery: teamWeb },
    access: [gained('users where tag team = web', 'member', 'group/ops'),
      lost("identities that match name == 'ci'", 'member', 'group/ops')] },
  { it: 'another member query', id: 'group/ops', from: { memberQuery: teamWeb },
    to: { memberQuery: { spec: { match: 'any', terms: teamWeb.spec.terms.concat({ tag: 'team', value: 'ops' }) } } },
    access: [gained('users where tag team = web or tag team = ops', 'member', 'group/ops'),
      lost('users where tag team = web', 'member', 'group/ops')] },
  { it: 'an external address, on the port of the endpoint', id: 'workload/shop/web',
    from: open(server, { inboundAllowCIDR: ['10.0.0.0/8'] }),
    to: open(server, { inboundAllowCIDR: ['0.0.0.0/0', '10.0.0.0/8'] }),
    access: [gained('0.0.0.0/0', 'inbound', 'workload/shop/web:443')] },
  { it: 'an address inside an allowed range: no access changes', id: 'workload/shop/web',
    from: open(server, { inboundAllowCIDR: ['0.0.0.0/0'] }),
    to: open(server, { inboundAllowCIDR: ['0.0.0.0/0', '10.0.0.0/8'] }), access: [] },
  { it: 'the ports of a direct load balancer', id: 'workload/shop/web', from: open(worker, {}),
    to: open({ ...worker,
        loadBalancer: {
          direct: { enabled: true, ports: [{ externalPort: 5432, containerPort: 5432, protocol: 'TCP' }] } } },
      { inboundAllowCIDR: ['192.0.2.7'] }), access: [gained('192.0.2.7', 'inbound', 'workload/shop/web:5432')] },
  { it: 'blocked addresses, with the effect reversed', id: 'workload/shop/web',
    from: open(server,
      { inboundAllowCIDR: ['0.0.0.0/0'], inboundBlockedCIDR: ['198.51.100.0/24'], outboundAllowCIDR: ['1.2.0.0/16'] }),
    to: open(server,
      { inboundAllowCIDR: ['0.0.0.0/0'], outboundAllowCIDR: ['1.2.0.0/16'], outboundBlockedCIDR: ['1.2.3.4/32'] }),
    access: [gained('198.51.100.0/24', 'inbound', 'workload/shop/web'),
      lost('workload/shop/web', 'outbound', '1.2.3.4/32')] },
  { it: 'blocked addresses that no rule allows: no access changes', id: 'workload/shop/web',
    from: open(server, { inboundAllowCIDR: ['10.0.0.0/8'], inboundBlockedCIDR: ['198.51.100.0/24'] }),
    to: open(server, { inboundAllowCIDR: ['10.0.0.0/8'], outboundBlockedCIDR: ['1.2.3.4/32'] }), access: [] },
  { it: 'a blocked address that an allowed host name may have', id: 'workload/shop/web',
    from: open(server, { outboundAllowHostname: ['api.example.com'] }),
    to: open(server, { outboundAllowHostname: ['api.example.com'], outboundBlockedCIDR: ['1.2.3.4/32'] }),
    access: [lost('workload/shop/web', 'outbound', '1.2.3.4/32')] },
  { it: 'host names, with the ports that can be called', id: 'workload/shop/web',
    from: open(server, { outboundAllowHostname: ['api.example.com'] }),
    to: open(server,
      { outboundAllowHostname: ['api.example.com'], outboundAllowPort: [{ protocol: 'https', number: 443 }] }),
    access: [gained('workload/shop/web', 'outbound', 'api.example.com:443/https'),
      lost('workload/shop/web', 'outbound', 'api.example.com')] },
  { it: 'workloads of the same GVC, and a list in addition', id: 'workload/shop/web',
    from: open(server, {}, { inboundAllowType: 'none' }),
    to: open(server, {}, { inboundAllowType: 'same-gvc', inboundAllowWorkload: ['//gvc/other/workload/caller'] }),
    access: [gained('every workload in gvc/shop', 'inbound', 'workload/shop/web'),
      gained('workload/other/caller', 'inbound', 'workload/shop/web')] },
  { it: 'workloads of the org instead of a listed one, which is one of them', id: 'workload/shop/web',
    from: open(server, {},
      { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//gvc/other/workload/caller'] }),
    to: open(server, {}, { inboundAllowType: 'same-org', inboundAllowWorkload: ['//gvc/other/workload/caller'] }),
    access: [gained('every workload in the org', 'inbound', 'workload/shop/web')] },
  { it: 'workloads of the GVC instead of those of the org: the others lose access', id: 'workload/shop/web',
    from: open(server, {}, { inboundAllowType: 'same-org' }),
    to: open(server, {}, { inboundAllowType: 'same-gvc', inboundAllowWorkload: ['//gvc/other/workload/caller'] }),
    access: [lost('every workload in the org', 'inbound', 'workload/shop/web')] },
  { it: 'a list instead of the workloads of the GVC: the unlisted ones lose access', id: 'workload/shop/web',
    from: open(server, {}, { inboundAllowType: 'same-gvc' }),
    to: open(server, {},
      { inboundAllowType: 'workload-list',
        inboundAllowWorkload: ['//gvc/shop/workload/front', '//gvc/other/workload/caller'] }),
    access: [gained('workload/other/caller', 'inbound', 'workload/shop/web'),
      lost('every workload in gvc/shop', 'inbound', 'workload/shop/web')] },
  { it: 'workloads of the org, which do not include agents', id: 'workload/shop/web',
    from: open(server, {}, { inboundAllowType: 'same-org' }),
    to: open(server, {}, { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//agent/edge'] }),
    access: [gained('agent/edge', 'inbound', 'workload/shop/web'),
      lost('every workload in the org', 'inbound', 'workload/shop/web')] },
  { it: 'the first port: traffic arrives there, and nothing is lost', id: 'workload/shop/web',
    from: open(worker, { inboundAllowCIDR: ['0.0.0.0/0'] }), to: open(server, { inboundAllowCIDR: ['0.0.0.0/0'] }),
    access: [gained('0.0.0.0/0', 'inbound', 'workload/shop/web:443')] },
  { it: 'the last port is removed: no traffic arrives, and nothing is gained', id: 'workload/shop/web',
    from: open(server, { inboundAllowCIDR: ['0.0.0.0/0'] }), to: open(worker, { inboundAllowCIDR: ['0.0.0.0/0'] }),
    access: [lost('0.0.0.0/0', 'inbound', 'workload/shop/web:443')] },
  { it: 'host names instead of a wildcard: one label of it, as no more is certain', id: 'workload/shop/web',
    from: open(server, { outboundAllowHostname: ['*.example.com'] }),
    to: open(server, { outboundAllowHostname: ['api.example.com', 'a.b.example.com', 'example.com'] }),
    access: [gained('workload/shop/web', 'outbound', 'a.b.example.com'),
      gained('workload/shop/web', 'outbound', 'example.com'), lost('workload/shop/web', 'outbound', '*.example.com')] },
  { it: 'a host name instead of a wildcard on the same port', id: 'workload/shop/web',
    from: open(server,
      { outboundAllowHostname: ['*.example.com'], outboundAllowPort: [{ protocol: 'https', number: 443 }] }),
    to: open(server,
      { outboundAllowHostname: ['api.example.com'], outboundAllowPort: [{ protocol: 'https', number: 443 }] }),
    access: [lost('workload/shop/web', 'outbound', '*.example.com:443/https')] },
  { it: 'a host name on one port instead of a wildcard on the usual ones', id: 'workload/shop/web',
    from: open(server, { outboundAllowHostname: ['*.example.com'] }),
    to: open(server,
      { outboundAllowHostname: ['api.example.com'], outboundAllowPort: [{ protocol: 'https', number: 443 }] }),
    access: [gained('workload/shop/web', 'outbound', 'api.example.com:443/https'),
      lost('workload/shop/web', 'outbound', '*.example.com')] },
  { it: 'a blocked address beside the allowed ones: nothing is lost', id: 'workload/shop/web',
    from: open(server, { outboundAllowCIDR: ['10.0.0.0/8'] }),
    to: open(server, { outboundAllowCIDR: ['10.0.0.0/8'], outboundBlockedCIDR: ['1.2.3.4/32'] }), access: [] },
  { it: 'all host names: the others stay, addresses are not included', id: 'workload/shop/web',
    from: open(server, { outboundAllowHostname: ['api.example.com'], outboundAllowCIDR: ['10.0.0.0/8'] }),
    to: open(server, { outboundAllowHostname: ['*'] }),
    access: [gained('workload/shop/web', 'outbound', '*'), lost('workload/shop/web', 'outbound', '10.0.0.0/8')] },
  { it: 'a deleted workload: no access is listed, as its target no longer exists', id: 'workload/shop/web',
    from: open(server, { inboundAllowCIDR: ['0.0.0.0/0'] }), access: [] },
];

test.each(cases)('$it', ({ id, from, to, access }) => {
  const gvc = id.startsWith('workload/') ? [declare('gvc/shop')] : [];
  const made = plan(
    [...gvc, ...(to === undefined ? [] : [declare(id, to)])],
    [...gvc.map(() => live('gvc/shop')), ...(from === undefined ? [] : [live(id, from)])],
    { prune: true, allowEmpty: true },
  );
  expect(changeOf(made, id).access ?? []).toEqual(access);
});

const reveal = { ...onDb, bindings: [bind(['reveal'], '//group/ops')] };

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'users', group: { memberLinks: ['//user/a', '//user/b', '//user/c'] },
      members: { users: 3, serviceAccounts: 0 } },
    { it: 'others beside the members that a query finds',
      group: { memberLinks: ['//user/a', '//serviceaccount/ci'], memberQuery: { spec: { terms: [] } } },
      members: { users: 1, serviceAccounts: 1, more: true as const } },
  ],
)('a binding of a group that was read counts its members: $it', ({ group, members }) => {
  const made = plan([declare('policy/p', reveal)], [foreign('group/ops', group)]);
  expect(changeOf(made, 'policy/p').access).toEqual([gained('group/ops', 'reveal', 'secret/db', { members })]);
});

test('a new member gains what policies grant to the group after the plan, and a former one loses the earlier grants', () => {
  const made = plan(
    [
      declare('group/ops', { memberLinks: ['//user/bob', '//user/eve'] }),
      declare('policy/p', { ...onDb, bindings: [bind(['view'], '//group/ops')] }),
    ],
    [live('group/ops', { memberLinks: ['//user/ana', '//user/eve'] }), live('policy/p', reveal)],
  );
  const through = 'group/ops';
  expect(changeOf(made, 'group/ops').access).toEqual([
    gained('user/bob', 'member', 'group/ops'),
    gained('user/bob', 'view', 'secret/db', { through }),
    lost('user/ana', 'member', 'group/ops'),
    lost('user/ana', 'reveal', 'secret/db', { through }),
  ]);
});

const toAna = (permission: string): JsonObject => ({ ...onDb, bindings: [bind([permission], '//user/ana')] });

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'a wider permission of another policy that is kept',
      others: { 'policy/a': toAna('view'), 'policy/b': toAna('manage') }, also: { policy: 'policy/b' } },
    { it: 'a policy on all records',
      others: { 'policy/b': { targetKind: 'secret', target: 'all', bindings: [bind(['reveal'], '//user/ana')] } },
      also: { policy: 'policy/b' } },
    { it: 'a group that was read', others: { 'policy/b': reveal, 'group/ops': { memberLinks: ['//user/ana'] } },
      also: { policy: 'policy/b', through: 'group/ops' } },
    { it: 'not a policy on other records',
      others: { 'policy/b': { ...toAna('reveal'), targetLinks: ['//secret/key'] } } },
    { it: 'not a policy for others', others: { 'policy/b': reveal, 'group/ops': { memberLinks: ['//user/eve'] } } },
    { it: 'not the policy itself', others: {} },
  ],
)('access that another policy also grants is noted: $it', ({ others, also }) => {
  const foreigners = Object.entries(others).map(([id, record]) => foreign(id, record));
  const more = also === undefined ? {} : { also };
  const losing = plan([declare('policy/p', toAna('use'))], [live('policy/p', toAna('reveal')), ...foreigners]);
  const losses = changeOf(losing, 'policy/p').access?.filter(({ change }) => change === 'lost');
  expect(losses).toEqual([lost('user/ana', 'reveal', 'secret/db', more)]);
  const gaining = plan([declare('policy/p', toAna('reveal'))], foreigners);
  expect(changeOf(gaining, 'policy/p').access).toEqual([gained('user/ana', 'reveal', 'secret/db', more)]);
});

test('moving a binding from one policy to another changes no access', () => {
  const none = { ...onDb, bindings: [] };
  const made = plan(
    [declare('policy/p', none), declare('policy/q', toAna('reveal'))],
    [live('policy/p', toAna('reveal')), live('policy/q', none)],
  );
  expect(changeOf(made, 'policy/p').access).toEqual([
    lost('user/ana', 'reveal', 'secret/db', { also: { policy: 'policy/q' } }),
  ]);
  expect(changeOf(made, 'policy/q').access).toEqual([
    gained('user/ana', 'reveal', 'secret/db', { also: { policy: 'policy/p' } }),
  ]);
});

test('a former member of a group keeps access granted to another group only', () => {
  const members = { memberLinks: ['//user/ana'] };
  const onKey = { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [bind(['reveal'], '//group/ops')] };
  const toDev = { ...onDb, bindings: [bind(['reveal'], '//group/dev')] };
  const made = plan(
    [declare('group/ops', { memberLinks: [] })],
    [
      live('group/ops', members),
      ...[
        foreign('group/dev', members),
        foreign('policy/a', reveal),
        foreign('policy/b', toDev),
        foreign('policy/c', onKey),
      ],
    ],
  );
  const through = 'group/ops';
  expect(changeOf(made, 'group/ops').access).toEqual([
    lost('user/ana', 'member', through),
    lost('user/ana', 'reveal', 'secret/db', { through, also: { policy: 'policy/b', through: 'group/dev' } }),
    lost('user/ana', 'reveal', 'secret/key', { through }),
  ]);
});

test('members that a query finds gain what policies grant to the group, listed once', () => {
  const group = { memberQuery: teamWeb };
  const through = 'group/ops';
  const principal = 'users where tag team = web';
  const made = plan([declare('group/ops', group), declare('policy/p', reveal)], [live('policy/p', reveal)]);
  expect(changeOf(made, 'group/ops').access).toEqual([
    gained(principal, 'member', 'group/ops'),
    gained(principal, 'reveal', 'secret/db', { through }),
  ]);
  const onGroup = plan(
    [declare('group/ops', { ...group, description: 'b' }), declare('policy/p', reveal)],
    [live('group/ops', { ...group, description: 'a' })],
  );
  expect(changeOf(onGroup, 'group/ops').access).toBeUndefined();
});

test('for a policy on very many records, each principal has one entry that names some', () => {
  const links = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `//${kind}/n${index}`);
  const many = { targetKind: 'secret', targetLinks: links('secret', 200) };
  const made = plan([declare('policy/p', { ...many, bindings: [bind(['view'], ...links('user', 6))] })], []);
  const access = changeOf(made, 'policy/p').access ?? [];
  expect(access).toHaveLength(6);
  expect(access[0]?.target).toBe('secret/n0, secret/n1, secret/n2, secret/n3, secret/n4 and 195 more');
});

import {
  Agent,
  AuditContext,
  CloudAccount,
  Domain,
  Existing,
  Group,
  Gvc,
  Identity,
  IpSet,
  Location,
  Policy,
  Secret,
  ServiceAccount,
  type Stack,
  type Target,
  Testing,
  VolumeSet,
  Workload,
} from 'gantry';
import { synth } from 'gantry/testing';
import { expect, test } from 'vitest';

const main = { name: 'main', image: 'nginx:1' } as const;

interface Case {
  readonly it: string;
  readonly byName: (stack: Stack, gvc: Gvc) => Target;
  readonly byLink: (stack: Stack) => Target;
  readonly link: string;
}

// biome-ignore format: a row is a case
const everyKind: readonly Case[] = [
  { it: 'agent', byName: (stack) => Agent.fromName(stack, 'x', 'one'),
    byLink: (stack) => Agent.fromLink(stack, 'y', '//agent/one'), link: '//agent/one' },
  { it: 'audit context', byName: (stack) => AuditContext.fromName(stack, 'x', 'one'),
    byLink: (stack) => AuditContext.fromLink(stack, 'y', '//auditctx/one'), link: '//auditctx/one' },
  { it: 'cloud account', byName: (stack) => CloudAccount.fromName(stack, 'x', 'one'),
    byLink: (stack) => CloudAccount.fromLink(stack, 'y', '//cloudaccount/one'), link: '//cloudaccount/one' },
  { it: 'domain', byName: (stack) => Domain.fromName(stack, 'x', 'a.example.com'),
    byLink: (stack) => Domain.fromLink(stack, 'y', '//domain/a.example.com'), link: '//domain/a.example.com' },
  { it: 'group', byName: (stack) => Group.fromName(stack, 'x', 'one'),
    byLink: (stack) => Group.fromLink(stack, 'y', '//group/one'), link: '//group/one' },
  { it: 'GVC', byName: (stack) => Gvc.fromName(stack, 'x', 'one'),
    byLink: (stack) => Gvc.fromLink(stack, 'y', '//gvc/one'), link: '//gvc/one' },
  { it: 'identity', byName: (_, gvc) => Identity.fromName(gvc, 'x', 'one'),
    byLink: (stack) => Identity.fromLink(stack, 'y', '//gvc/shop/identity/one'), link: '//gvc/shop/identity/one' },
  { it: 'IP set', byName: (stack) => IpSet.fromName(stack, 'x', 'one'),
    byLink: (stack) => IpSet.fromLink(stack, 'y', '//ipset/one'), link: '//ipset/one' },
  { it: 'location', byName: (stack) => Location.fromName(stack, 'x', 'one'),
    byLink: (stack) => Location.fromLink(stack, 'y', '//location/one'), link: '//location/one' },
  { it: 'policy', byName: (stack) => Policy.fromName(stack, 'x', 'one'),
    byLink: (stack) => Policy.fromLink(stack, 'y', '//policy/one'), link: '//policy/one' },
  { it: 'secret', byName: (stack) => Secret.fromName(stack, 'x', 'one'),
    byLink: (stack) => Secret.fromLink(stack, 'y', '//secret/one'), link: '//secret/one' },
  { it: 'service account', byName: (stack) => ServiceAccount.fromName(stack, 'x', 'one'),
    byLink: (stack) => ServiceAccount.fromLink(stack, 'y', '//serviceaccount/one'), link: '//serviceaccount/one' },
  { it: 'volume set with a given GVC', byName: (stack) => VolumeSet.fromName(stack, 'x', 'one', { gvc: 'shop' }),
    byLink: (stack) => VolumeSet.fromLink(stack, 'y', '//gvc/shop/volumeset/one'), link: '//gvc/shop/volumeset/one' },
  { it: 'workload', byName: (_, gvc) => Workload.fromName(gvc, 'x', 'one'),
    byLink: (stack) => Workload.fromLink(stack, 'y', '//gvc/shop/workload/one'), link: '//gvc/shop/workload/one' },
  { it: 'a kind without a class', byName: (stack) => new Existing(stack, 'x', { kind: 'user', name: 'a@example.com' }),
    byLink: (stack) => new Existing(stack, 'y', { kind: 'user', link: '//user/a@example.com' }),
    link: '//user/a@example.com' },
];

test.each(everyKind)('by name and by link, without a manifest: $it', ({ byName, byLink, link }) => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const [named, linked] = [byName(stack, gvc), byLink(stack)];
  expect([named.link, linked.link]).toEqual([link, link]);
  expect(named.ref).toEqual(linked.ref);
  expect(Testing.synth(stack)).toEqual([{ kind: 'gvc', name: 'shop', spec: {} }]);
});

test('existing resources can be used as references, and an existing GVC is a scope', () => {
  const stack = Testing.stack();
  const gvc = Gvc.fromName(stack, 'network', 'shared');
  const secret = Secret.fromName(stack, 'db', 'shop-db', { type: 'userpass' });
  const files = VolumeSet.fromName(gvc, 'files', 'shared-files');
  new Workload(gvc, 'web', {
    type: 'standard',
    identity: Identity.fromName(gvc, 'backend', 'shared-backend'),
    containers: [
      { ...main, env: { PASSWORD: secret.key('password') }, volumes: [files.mount('/f'), secret.mount('/s')] },
    ],
  });
  expect(Testing.synth(stack)).toEqual([
    {
      kind: 'workload',
      name: 'web',
      gvc: 'shared',
      spec: {
        type: 'standard',
        identityLink: '//gvc/shared/identity/shared-backend',
        containers: [
          {
            name: 'main',
            image: 'nginx:1',
            env: [{ name: 'PASSWORD', value: 'scheme://secret/shop-db.password' }],
            volumes: [
              { uri: 'scheme://volumeset/shared-files', path: '/f' },
              { uri: 'scheme://secret/shop-db', path: '/s' },
            ],
          },
        ],
      },
    },
  ]);
});

test('a link with its org is not changed', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { pullSecretLinks: [Secret.fromLink(stack, 'pull', '/org/acme/secret/pull')] });
  expect(Testing.synth(gvc)).toMatchObject([{ spec: { pullSecretLinks: ['/org/acme/secret/pull'] } }]);
});

// biome-ignore format: a row is a case
test.each([
  { it: 'an identity without a GVC', make: (stack: Stack) => Identity.fromName(stack, 'i', 'x'), code: 'stack.scope' },
  { it: 'a link to another kind', make: (stack: Stack) => Secret.fromLink(stack, 's', Object('//group/x').toString()),
    code: 'stack.link' },
  { it: 'a key that the type does not have',
    make: (stack: Stack) => Secret.fromName(stack, 's', 'x', { type: 'opaque' }).key(Object('password').toString()),
    code: 'stack.secret-key' },
])('refused: $it', ({ make, code }) => {
  expect(() => make(Testing.stack())).toThrow(expect.objectContaining({ code }));
});

test('a secret of an unknown type has any key', () => {
  expect(Secret.fromName(Testing.stack(), 's', 'x').key('anything').uri).toBe('scheme://secret/x.anything');
});

test('a grant on one is a policy of this stack with the stack in its name', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] });
  const secret = Secret.fromName(stack, 'db', 'shop-db');
  secret.grantReveal(new Identity(gvc, 'backend'));
  Secret.fromLink(stack, 'again', '//secret/shop-db').grant('//group/team', 'view');
  expect(synth(stack)).toContainEqual({
    kind: 'policy',
    name: 'grants--secret--shop-db--by--test',
    targetKind: 'secret',
    targetLinks: ['//secret/shop-db'],
    bindings: [
      { permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/backend'] },
      { permissions: ['view'], principalLinks: ['//group/team'] },
    ],
  });
  expect(synth(stack).filter(({ kind }) => kind === 'policy')).toHaveLength(1);
});

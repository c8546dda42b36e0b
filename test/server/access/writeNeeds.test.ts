import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { formatRef } from '../../../src/schema/record/ref.ts';
import { changesLoadBalancer, newlyUsedRefs } from '../../../src/server/access/permissions.ts';

const context = { org: 'acme', gvc: 'shop' };

interface BalancerCase {
  readonly it: string;
  readonly kind?: Kind;
  readonly before?: JsonObject | undefined;
  readonly after: JsonObject;
  readonly needed: boolean;
}

const dedicated = { name: 'shop', spec: { loadBalancer: { dedicated: true } } };

// biome-ignore format: a row is a case
const balancerCases: readonly BalancerCase[] = [
  { it: 'a new GVC with a load balancer', before: undefined, after: dedicated, needed: true },
  { it: 'a new GVC without a load balancer', before: undefined, after: { name: 'shop' }, needed: false },
  { it: 'a load balancer that is added', before: { name: 'shop' }, after: dedicated, needed: true },
  { it: 'a load balancer that is removed', before: dedicated, after: { name: 'shop', spec: {} }, needed: true },
  { it: 'a load balancer that is changed', before: dedicated,
    after: { name: 'shop', spec: { loadBalancer: { dedicated: true, trustedProxies: 1 } } }, needed: true },
  { it: 'a load balancer that stays the same', before: dedicated, after: { ...dedicated, description: 'x' }, needed: false },
  { it: 'a workload', kind: 'workload', before: undefined,
    after: { spec: { loadBalancer: { direct: { enabled: true } } } }, needed: true },
  { it: 'another kind', kind: 'domain', before: undefined, after: dedicated, needed: false },
];

test.each(balancerCases)(
  'configureLoadBalancer: $it: $needed (platform/errors.statuses)',
  ({ kind = 'gvc', before, after, needed }) => {
    expect(changesLoadBalancer({ kind, before, after, context })).toBe(needed);
  },
);

interface UseCase {
  readonly it: string;
  readonly kind: Kind;
  readonly before?: JsonObject;
  readonly after: JsonObject;
  readonly uses: readonly string[];
}

const main = { name: 'main', image: 'shop/web:1' };

// biome-ignore format: a row is a case
const useCases: readonly UseCase[] = [
  { it: 'an identity', kind: 'workload', after: { spec: { identityLink: '//identity/app' } },
    uses: ['identity/shop/app'] },
  { it: 'a secret in a variable', kind: 'workload',
    after: { spec: { containers: [{ ...main, env: [{ name: 'A', value: 'scheme://secret/db.password' }] }] } },
    uses: ['secret/db'] },
  { it: 'a secret twice', kind: 'workload',
    after: { spec: { containers: [{ ...main, env: [{ name: 'A', value: 'scheme://secret/db.a' }, { name: 'B',
      value: 'scheme://secret/db.b' }] }] } },
    uses: ['secret/db'] },
  { it: 'pull secrets', kind: 'gvc', after: { name: 'shop', spec: { pullSecretLinks: ['//secret/pull'] } },
    uses: ['secret/pull'] },
  { it: 'the domain of a GVC', kind: 'gvc', after: { name: 'shop', spec: { domain: 'shop.example.com' } },
    uses: ['domain/shop.example.com'] },
  { it: 'a cloud account and an agent', kind: 'identity',
    after: { name: 'app', aws: { cloudAccountLink: '//cloudaccount/main' },
      networkResources: [{ name: 'db', agentLink: '//agent/edge', IPs: ['10.0.0.1'], ports: [5432] }] },
    uses: ['agent/edge', 'cloudaccount/main'] },
  { it: 'only new references', kind: 'workload', before: { spec: { identityLink: '//identity/app' } },
    after: { spec: { identityLink: '/org/acme/gvc/shop/identity/app', containers: [{ ...main, env: [{ name: 'A',
      value: 'scheme://secret/db' }] }] } },
    uses: ['secret/db'] },
  { it: 'no removed reference', kind: 'workload', before: { spec: { identityLink: '//identity/app' } },
    after: { spec: {} }, uses: [] },
  { it: 'no volume set', kind: 'workload',
    after: { spec: { containers: [{ ...main, volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }] }] } },
    uses: [] },
  { it: 'no target of a policy', kind: 'policy', after: { targetKind: 'secret', targetLinks: ['//secret/db'] },
    uses: [] },
];

test.each(useCases)('use: $it (platform/access.permissions)', ({ kind, before, after, uses }) => {
  expect(newlyUsedRefs({ kind, before, after, context }).map(formatRef).sort()).toEqual(uses);
});

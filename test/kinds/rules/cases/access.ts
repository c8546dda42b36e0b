import type { JsonObject } from '../../../../src/base/json/json.ts';
import { casesOf, other, type RuleCase } from '../ruleCase.ts';

const identity = (fields: JsonObject): JsonObject => ({ name: 'app', ...fields });
const account = { cloudAccountLink: '//cloudaccount/main' };
const network = (...networkResources: JsonObject[]) =>
  identity({ networkResources: networkResources.map((item) => ({ ports: [443], ...item })) });
const native = (item: JsonObject) => identity({ nativeNetworkResources: [{ name: 'lake', ports: [443], ...item }] });
const policy = (fields: JsonObject): JsonObject => ({
  name: 'readers',
  targetKind: 'secret',
  target: 'all',
  ...fields,
});
const bind = (permissions: readonly string[], ...principalLinks: string[]) => ({ permissions, principalLinks });
const built = { origin: 'builtin' };

// biome-ignore format: a row is a case
export const accessCases: readonly RuleCase[] = [
  ...casesOf('I1', 'identity', [
    { it: 'policies and a role', passes: identity({ aws: { ...account, policyRefs: ['a'] } }),
      fails: identity({ aws: { ...account, policyRefs: ['a'], roleName: 'b' } }), path: 'aws' },
    { it: 'a role and a trust policy',
      passes: identity({ aws: { ...account, policyRefs: ['a'], trustPolicy: { Version: 'x' } } }),
      fails: identity({ aws: { ...account, roleName: 'b', trustPolicy: { Version: 'x' } } }), path: 'aws' },
    { it: 'a service account and bindings', passes: identity({ gcp: { ...account, serviceAccount: 'a' } }),
      fails: identity({ gcp: { ...account, serviceAccount: 'a', bindings: [{ roles: ['roles/viewer'] }] } }),
      path: 'gcp' },
    { it: 'both private connections', passes: native({ awsPrivateLink: {} }),
      fails: native({ awsPrivateLink: {}, gcpServiceConnect: {} }), path: 'nativeNetworkResources.lake' },
  ]),
  ...casesOf('I3', 'identity', [
    { it: 'a name in both lists',
      passes: identity({ networkResources: [{ name: 'db', IPs: ['10.0.0.1'] }],
          nativeNetworkResources: [{ name: 'lake' }] }),
      fails: identity({ networkResources: [{ name: 'db', IPs: ['10.0.0.1'] }],
          nativeNetworkResources: [{ name: 'db' }] }), path: 'nativeNetworkResources.db.name' },
    { it: 'a name that is the FQDN of another', passes: network({ name: 'a', FQDN: 'a.example' }),
      fails: network({ name: 'b.example', IPs: ['10.0.0.1'] }, { name: 'b', FQDN: 'B.example' }),
      path: 'networkResources."b.example".name' },
  ]),
  ...casesOf('I4', 'identity', [
    { it: 'addresses and a host name', passes: network({ name: 'a', IPs: ['10.0.0.1'] }),
      fails: network({ name: 'a', IPs: ['10.0.0.1'], FQDN: 'a.example' }), path: 'networkResources.a' },
    { it: 'neither addresses nor a host name', passes: network({ name: 'a', FQDN: 'a.example' }),
      fails: network({ name: 'a' }), path: 'networkResources.a' },
  ]),
  ...casesOf('I5', 'identity', [
    { it: 'an account of another provider', others: [other('cloudaccount', 'main', { provider: 'aws' })],
      passes: identity({ aws: account }), fails: identity({ gcp: account }), path: 'gcp.cloudAccountLink' },
  ]),
  ...casesOf('P1', 'ipset', [
    { it: 'a GVC that does not name the IP set',
      others: [other('gvc', 'shop', { spec: { loadBalancer: { ipSet: '//ipset/front' } } })],
      passes: { name: 'front', spec: { link: '//gvc/shop' } }, fails: { name: 'back', spec: { link: '//gvc/shop' } },
      path: 'spec.link' },
  ]),
  ...casesOf('ipset.locations', 'ipset', [
    { it: 'a location twice, in two forms', passes: { name: 'front', spec: { locations: [{ name: '//location/a' }] } },
      fails: { name: 'front', spec: { locations: [{ name: '//location/a' }, { name: '/org/acme/location/a' }] } },
      path: 'spec.locations.a.name' },
  ]),
  ...casesOf('GR1', 'group', [
    { it: 'an identity as member',
      passes: { name: 'team', memberLinks: ['//user/a@example.com', '//serviceaccount/ci'] },
      fails: { name: 'team', memberLinks: ['//gvc/shop/identity/app'] }, path: 'memberLinks.0' },
    { it: 'a group as member', passes: { name: 'team', memberLinks: [] },
      fails: { name: 'team', memberLinks: ['//group/other'] }, path: 'memberLinks.0' },
  ]),
  ...casesOf('GR3', 'group', [
    { it: 'a user that does not exist', absent: ['user/ghost@example.com', 'user/u-1'],
      others: [other('user', 'ann@example.com', { id: 'u-1' })],
      passes: { name: 'team', memberLinks: ['//user/u-1', '//user/ann@example.com'] },
      fails: { name: 'team', memberLinks: ['//user/ghost@example.com'] }, path: 'memberLinks.0' },
  ]),
  ...casesOf('group.query-kind', 'group', [
    { it: 'a query about workloads', passes: { name: 'team', memberQuery: { kind: 'user' } },
      fails: { name: 'team', memberQuery: { kind: 'workload' } }, path: 'memberQuery.kind' },
  ]),
  ...casesOf('query.term', 'group', [
    { it: 'a term that selects by nothing',
      passes: { name: 'team', memberQuery: { spec: { terms: [{ tag: 'a', op: 'exists' }] } } },
      fails: { name: 'team', memberQuery: { spec: { terms: [{ value: 'a' }] } } }, path: 'memberQuery.spec.terms.0' },
  ]),
  ...casesOf('PO1', 'policy', [
    { it: 'all beside links', passes: policy({ targetLinks: [] }), fails: policy({ targetLinks: ['//secret/a'] }),
      path: 'target' },
    { it: 'no target at all',
      passes: { name: 'readers', targetKind: 'secret', targetLinks: ['//secret/a'], targetQuery: { kind: 'secret' } },
      fails: { name: 'readers', targetKind: 'secret' }, path: '' },
  ]),
  ...casesOf('PO2', 'policy', [
    { it: 'a target of another kind', passes: { name: 'readers', targetKind: 'image', targetLinks: ['//image/web:1'] },
      fails: { name: 'readers', targetKind: 'secret', targetLinks: ['//gvc/shop'] }, path: 'targetLinks.0' },
    { it: 'a workload without its GVC',
      passes: { name: 'readers', targetKind: 'workload', targetLinks: ['//gvc/shop/workload/web'] },
      fails: { name: 'readers', targetKind: 'workload', targetLinks: ['//workload/web'] }, path: 'targetLinks.0' },
  ]),
  ...casesOf('PO3', 'policy', [
    { it: 'the short form of an identity',
      passes: policy({ bindings: [bind(['view'], '//gvc/shop/identity/app', '//user/a@b.example', '//group/team')] }),
      fails: policy({ bindings: [bind(['view'], '//identity/app')] }), path: 'bindings.0.principalLinks.0' },
  ]),
  ...casesOf('PO4', 'policy', [
    { it: 'an unknown permission (C.5)', passes: policy({ bindings: [bind(['reveal', 'use'], '//group/a')] }),
      fails: policy({ bindings: [bind(['view', 'fly'], '//group/a')] }), path: 'bindings.0.permissions.1' },
  ]),
  ...casesOf('PO5', 'policy', [
    { it: 'the same permissions twice, in another order',
      passes: policy({ bindings: [bind(['view'], '//group/a'), bind(['view', 'edit'], '//group/b')] }),
      fails: policy({ bindings: [bind(['edit', 'view'], '//group/a'), bind(['view', 'edit'], '//group/b')] }),
      path: 'bindings.1' },
  ]),
  ...casesOf('PO6', 'policy', [
    { it: 'a built-in policy', before: policy({}), passes: policy({ description: 'x' }),
      fails: policy({ description: 'x', ...built }), path: '' },
  ]),
  ...casesOf('PO7', 'policy', [
    { it: 'a target that does not exist', absent: ['secret/ghost'],
      passes: { name: 'readers', targetKind: 'secret', targetLinks: ['//secret/a'] },
      fails: { name: 'readers', targetKind: 'secret', targetLinks: ['//secret/ghost'] }, path: 'targetLinks.0' },
  ]),
  ...casesOf('policy.target-kind', 'policy', [
    { it: 'another kind', before: policy({}), passes: policy({ description: 'x' }),
      fails: policy({ targetKind: 'gvc' }), path: 'targetKind' },
  ]),
  ...casesOf('policy.query-kind', 'policy', [
    { it: 'a query about another kind',
      passes: { name: 'readers', targetKind: 'secret', targetQuery: { kind: 'secret' } },
      fails: { name: 'readers', targetKind: 'secret', targetQuery: { kind: 'gvc' } }, path: 'targetQuery.kind' },
  ]),
  ...casesOf('cloudaccount.data', 'cloudaccount', [
    { it: 'the data of another provider (B14)',
      passes: { name: 'main', provider: 'gcp', data: { projectId: 'shop-1' } },
      fails: { name: 'main', provider: 'gcp', data: { projectId: 'shop-1', roleArn: 'arn:x' } }, path: 'data.roleArn' },
  ]),
  ...casesOf('cloudaccount.immutable', 'cloudaccount', [
    { it: 'other data (B14)', before: { name: 'main', provider: 'azure', data: { secretLink: '//secret/a' } },
      passes: { name: 'main', provider: 'azure', data: { secretLink: '/org/acme/secret/a' } },
      fails: { name: 'main', provider: 'azure', data: { secretLink: '//secret/b' } }, path: 'data' },
  ]),
  ...casesOf('S6', 'cloudaccount', [
    { it: 'a secret of another type', others: [other('secret', 'a', { type: 'azure-connector' })],
      passes: { name: 'main', provider: 'azure', data: { secretLink: '//secret/a' } },
      fails: { name: 'main', provider: 'ngs', data: { secretLink: '//secret/a' } }, path: 'data.secretLink' },
  ]),
  ...casesOf('location.provider-needed', 'location', [
    { it: 'a location of their own without its provider (platform/location.own)', where: 'server',
      passes: { name: 'aws-us-east-1', ...built }, fails: { name: 'home' }, path: 'provider' },
  ]),
  ...casesOf('location.provider', 'location', [
    { it: 'a location of a cloud (B11)', passes: { name: 'home', provider: 'byok' },
      fails: { name: 'aws-eu-north-1', provider: 'aws' }, path: 'provider' },
    { it: 'another provider (B11)', before: { name: 'home', provider: 'byok' },
      passes: { name: 'home', provider: 'byok' }, fails: { name: 'home', provider: 'aws', ...built },
      path: 'provider' },
  ]),
];

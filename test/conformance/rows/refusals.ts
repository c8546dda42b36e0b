import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { makeGvc, makeIdentity, makeSecret } from '../harness/fixtures.ts';
import { type Part, parted, partOf, type Row } from '../harness/row.ts';
import type { Wire } from '../harness/wire.ts';
import { type Refusal, workloadRefusals } from './workload/workloadRefusals.ts';

// biome-ignore format: one case a line
const gvcs: readonly Refusal[] = [
  { rule: 'G2 tracing without a provider', wrong: { tracing: { sampling: 1 } } },
  { rule: 'G3 a value with exists', wrong: byTerm({ op: 'exists', tag: 'a', value: 'x' }),
    right: byTerm({ op: 'exists', tag: 'a' }) },
  { rule: 'G4 a variable twice', wrong: { env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] } },
  { rule: 'location options of another location', wrong: { staticPlacement: {
    locationLinks: ['//location/aws-us-east-1'], locationOptions: [{ locationLink: '//location/gcp-us-east1' }] } } },
  { rule: 'sampling below zero', wrong: { tracing: { sampling: -1, provider: { controlplane: {} } } } },
];

function byTerm(term: JsonObject): JsonObject {
  return { staticPlacement: { locationQuery: { spec: { terms: [term] } } } };
}

// biome-ignore format: one case a line
const domains: readonly Refusal[] = [
  { rule: 'D4 an apex in ns mode', wrong: { dnsMode: 'ns' }, right: { dnsMode: 'cname' } },
  { rule: 'D9 a host prefix without all hosts', wrong: routes([{ prefix: '/', hostPrefix: 'a.' }]), right: routes([{ prefix: '/' }]) },
  { rule: 'D10 prefix and regex', wrong: routes([{ prefix: '/', regex: '^/' }]) },
  { rule: 'D10 a prefix twice', wrong: routes([{ prefix: '/a' }, { prefix: '/a' }]), right: routes([{ prefix: '/a' }, { prefix: '/b' }]) },
  { rule: 'a regex with a new prefix', wrong: routes([{ regex: '^/', replacePrefix: '/' }]) },
  { rule: 'D13 an origin of nothing', wrong: { ports: [{ number: 443, cors: { allowOrigins: [{}] } }] } },
  { rule: 'D2 a GVC and routes', wrong: { gvcLink: '//gvc/any', ...routes([{ prefix: '/' }]) } },
  { rule: 'a port above 65535', wrong: { ports: [{ number: 65536 }] }, right: { ports: [{ number: 65535,
    protocol: 'tcp' }] } },
];

function routes(list: readonly JsonObject[]): JsonObject {
  const workloadLink = '//gvc/any/workload/any';
  return { ports: [{ number: 443, protocol: 'http2', routes: list.map((route) => ({ workloadLink, ...route })) }] };
}

const secrets: readonly (readonly [type: string, wrong: JsonValue, right: JsonValue | undefined])[] = [
  ['opaque', { payload: 'no base64!', encoding: 'base64' }, { payload: 'aGFsbG8=', encoding: 'base64' }],
  ['dictionary', { 'a b': 'x' }, { 'a.b': 'x' }],
  ['userpass', { username: 'u' }, { username: 'u', password: 'p' }],
  ['docker', '{"no":"auths"}', '{"auths":{"r.example.com":{"auth":"dTpw"}}}'],
  ['aws', { accessKey: 'NO', secretKey: 's' }, { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 's' }],
  ['azure-connector', { url: 'http://a.example.com', code: 'c' }, { url: 'https://a.example.com', code: 'c' }],
  ['keypair', { secretKey: 'no key' }, undefined],
  ['tls', { cert: 'no certificate' }, undefined],
  ['gcp', '{"type":"service_account"}', undefined],
  ['azure-sdk', '{"tenantId":"x"}', undefined],
  ['nats-account', { accountId: 'x', privateKey: 'y' }, undefined],
  ['ecr', { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 's', repos: [] }, undefined],
];

async function decide(
  wire: Wire,
  collection: string,
  name: string,
  wrong: JsonObject,
  right: JsonObject | undefined,
): Promise<void> {
  const error = await wire.refused(400, 'POST', collection, { name, ...wrong });
  expect(error['message']).toMatch(/\w/);
  if (right !== undefined) await wire.ok('POST', collection, { name, ...right });
}

const spec = (value: JsonObject | undefined): JsonObject | undefined =>
  value === undefined ? undefined : { spec: value };

/** The first record of the kind is refused, the second one accepted. */
function decided(it: string, kind: string, wrong: JsonObject, right?: JsonObject): Part {
  return [
    it,
    (wire) => decide(wire, kind, kind === 'domain' ? `${wire.name('shop')}.com` : wire.name(kind), wrong, right),
  ];
}

/** As `decided`, in a new GVC. */
function decidedInGvc(it: string, kind: string, wrong: JsonObject, right?: JsonObject): Part {
  return [it, async (wire) => decide(wire, `gvc/${await makeGvc(wire)}/${kind}`, wire.name(kind), wrong, right)];
}

const resource = { name: 'db', IPs: ['10.0.0.1'], ports: [1] };

/**
 * The rules of platform/workload.rules, platform/gvc, platform/domain, platform/identity and platform/secret, each with
 * the nearest valid record.
 */
// biome-ignore format: a row is a case
export const refusalRows: readonly Row[] = [
  parted('errors/rules of workloads', 'a workload that breaks a rule is refused, and the nearest valid one is accepted',
    ...workloadRefusals.map(({ rule, wrong, right }) => decidedInGvc(rule, 'workload', { spec: wrong }, spec(right)))),
  parted('errors/rules of GVCs', 'a GVC that breaks a rule is refused',
    ...gvcs.map(({ rule, wrong, right }) => decided(rule, 'gvc', { spec: wrong }, spec(right))),
    partOf('G6 secrets of keda that is not enabled', async (wire) => {
      const keda = { enabled: false, secrets: [await makeSecret(wire, 'opaque')] };
      await decide(wire, 'gvc', wire.name('gvc'), { spec: { keda } }, { spec: { keda: { ...keda, enabled: true } } });
    }),
    partOf('a pull secret of another type', async (wire) => {
      const pullSecretLinks = [await makeSecret(wire, 'opaque')];
      await decide(wire, 'gvc', wire.name('gvc'), { spec: { pullSecretLinks } }, undefined);
    })),
  parted('errors/rules of domains', 'a domain that breaks a rule is refused, and the nearest valid one is accepted',
    ...domains.map(({ rule, wrong, right }) => decided(rule, 'domain', { spec: wrong }, spec(right))),
    partOf('D3 routes to two GVCs', async (wire) => {
      const links = [await makeGvc(wire), await makeGvc(wire)].map((gvc) => `//gvc/${gvc}/workload/any`);
      const list = links.map((workloadLink, index) => ({ prefix: `/${index}`, workloadLink }));
      await decide(wire, 'domain', `${wire.name('shop')}.com`, { spec: routes(list) }, undefined);
    })),
  parted('errors/rules of secrets', 'a secret has the form of its type',
    ...secrets.map(([type, wrong, right]) =>
      decided(`a secret of the type ${type} of another form is refused`, 'secret',
        { type, data: wrong }, right === undefined ? undefined : { type, data: right }))),
  parted('errors/rules of identities and policies', 'identities and policies have one of several exclusive members',
    partOf('I1 policies and a role of one cloud', async (wire) => {
      const account = wire.name('account');
      const data = { roleArn: 'arn:aws:iam::123456789012:role/shop' };
      await wire.ok('POST', 'cloudaccount', { name: account, provider: 'aws', data });
      const aws = { cloudAccountLink: `//cloudaccount/${account}`, roleName: 'r' };
      const collection = `gvc/${await makeGvc(wire)}/identity`;
      await decide(wire, collection, wire.name('identity'), { aws: { ...aws, policyRefs: ['aws::Read'] } }, { aws });
    }),
    decidedInGvc('I4 addresses and a name of one resource', 'identity',
      { networkResources: [{ ...resource, FQDN: 'db.example.com' }] }, { networkResources: [resource] }),
    decided('PO1 a policy with target all and links', 'policy',
      { targetKind: 'gvc', target: 'all', targetLinks: ['//gvc/any'] },
      { targetKind: 'gvc', targetLinks: ['//gvc/any'] }),
    decided('PO3 a principal without its GVC', 'policy',
      binding('view', '//identity/reader'), binding('view', '//gvc/g/identity/reader')),
    decided('PO4 a permission that the kind does not have', 'policy',
      binding('reveal', '//group/viewers'), binding('edit', '//group/viewers')),
    ...['gvc/g/identity/reader', 'group/viewers', 'user/nobody@example.com', 'serviceaccount/none'].map((member) =>
      decided(`GR1 and GR3: a group with the member //${member}`, 'group',
        { memberLinks: [`//${member}`] }, { memberLinks: [] })),
    decided('a member query about another kind than users', 'group',
      { memberQuery: { kind: 'gvc' } }, { memberQuery: { kind: 'user' } }),
    partOf('GR1 an identity that is there', async (wire) => {
      const memberLinks = [await makeIdentity(wire, await makeGvc(wire))];
      await decide(wire, 'group', wire.name('group'), { memberLinks }, undefined);
    })),
];

function binding(permission: string, principal: string): JsonObject {
  return { targetKind: 'gvc', target: 'all', bindings: [{ permissions: [permission], principalLinks: [principal] }] };
}

import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { references } from '../../../src/kinds/references.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { type Kind, kindNamed } from '../../../src/schema/record/kinds.ts';
import { formatRef } from '../../../src/schema/record/ref.ts';
import { namedDomain } from '../../../src/server/core/referencesOf.ts';
import { withKinds } from '../../kinds/withKinds.ts';

withKinds({ theme: onlyNamed, gadget: { ...onlyNamed, scope: 'gvc' } });

const context = { org: 'acme', gvc: 'shop' };

interface Case {
  readonly row: string;
  readonly kind: Kind;
  readonly record: JsonObject;
  /** `path -> target strength` */
  readonly found: readonly string[];
}

const container = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'main', ...fields }] } });
const port = (fields: JsonObject): JsonObject => ({ spec: { ports: [{ number: 443, ...fields }] } });

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { row: '2', kind: 'workload', record: { spec: { identityLink: '//identity/i' } },
    found: ['spec.identityLink -> identity/shop/i hard'] },
  { row: '3', kind: 'workload',
    record: container(
      { env: [{ name: 'A', value: 'scheme://secret/s' }, { name: 'B', value: 'scheme://secret/s.key.with.dots' },
          { name: 'C', value: '/org/acme/secret/t.k' }, { name: 'D', value: 'see scheme://secret/s' },
          { name: 'E', value: 'scheme://volumeset/v' }] }),
    found: ['spec.containers.main.env.A.value -> secret/s soft',
      'spec.containers.main.env.B.value -> secret/s soft key.with.dots',
      'spec.containers.main.env.C.value -> secret/t soft k'] },
  { row: '4 and 5', kind: 'workload',
    record: container({ volumes: [{ uri: 'scheme://secret/s.key', path: '/etc/key' },
          { uri: 'scheme://volumeset/v', path: '/data' }, { uri: 's3://bucket', path: '/s3' }] }),
    found: ['spec.containers.main.volumes."/etc/key".uri -> secret/s soft key',
      'spec.containers.main.volumes."/data".uri -> volumeset/shop/v hard'] },
  { row: '4, sidecar', kind: 'gvc',
    record: { spec: { sidecar: { proxy: { volumes: [{ uri: 'scheme://secret/s', path: '/x' }] } } } },
    found: ['spec.sidecar.proxy.volumes."/x".uri -> secret/s soft'] },
  { row: '6', kind: 'workload',
    record: { spec: { firewallConfig: {
          internal: { inboundAllowWorkload: ['//gvc/g/workload/w', '//agent/a', 'scheme://internal/keda'] } } } },
    found: ['spec.firewallConfig.internal.inboundAllowWorkload.0 -> workload/g/w none',
      'spec.firewallConfig.internal.inboundAllowWorkload.1 -> agent/a none'] },
  { row: '7', kind: 'workload', record: { spec: { localOptions: [{ location: 'l' }, { location: '//location/m' }] } },
    found: ['spec.localOptions.l.location -> location/l hard', 'spec.localOptions.m.location -> location/m hard'] },
  { row: '8', kind: 'workload', record: { spec: { loadBalancer: { direct: { enabled: true, ipSet: '//ipset/i' } } } },
    found: ['spec.loadBalancer.direct.ipSet -> ipset/i soft'] },
  { row: '9 (images are no records of ours)', kind: 'workload', record: container({ image: '//image/x:1' }),
    found: [] },
  { row: '10', kind: 'workload',
    record: { spec: { defaultOptions: {
          autoscaling: { keda: { triggers: [{ type: 'x', name: 't', authenticationRef: { name: 's' } }] } } } } },
    found: ['spec.defaultOptions.autoscaling.keda.triggers.t.authenticationRef.name -> secret/s soft'] },
  { row: '11 to 17', kind: 'gvc',
    record: {
      spec: { staticPlacement: { locationLinks: ['//location/l'], locationOptions: [{ locationLink: '//location/l' }] },
        pullSecretLinks: ['//secret/p'],
        tracing: { provider: { tracer: { endpoint: 'x', credentials: '//secret/c' } } },
        loadBalancer: { ipSet: '//ipset/i' }, keda: { identityLink: '//identity/i', secrets: ['//secret/k'] },
        aliasWorkloadLink: '//workload/w', domain: 'a.example.com' } },
    found: ['spec.staticPlacement.locationLinks.0 -> location/l hard',
      'spec.staticPlacement.locationOptions.l.locationLink -> location/l hard',
      'spec.pullSecretLinks.0 -> secret/p hard', 'spec.aliasWorkloadLink -> workload/shop/w second-step',
      'spec.tracing.provider.tracer.credentials -> secret/c hard', 'spec.loadBalancer.ipSet -> ipset/i soft',
      'spec.keda.identityLink -> identity/shop/i second-step', 'spec.keda.secrets.0 -> secret/k hard'] },
  { row: '19 and 21', kind: 'domain', record: { spec: { gvcLink: '//gvc/g', workloadLink: '//gvc/g/workload/w' } },
    found: ['spec.gvcLink -> gvc/g soft', 'spec.workloadLink -> workload/g/w hard'] },
  { row: '20', kind: 'domain',
    record: port({ routes: [{ prefix: '/', workloadLink: '//gvc/g/workload/w',
            mirror: [{ workloadLink: '//gvc/g/workload/m', percent: 5 }],
            canaries: [{ workloadLink: '//gvc/g/workload/c', weight: 5 }] }] }),
    found: ['spec.ports.443.routes."/".workloadLink -> workload/g/w soft',
      'spec.ports.443.routes."/".mirror.m.workloadLink -> workload/g/m soft',
      'spec.ports.443.routes."/".canaries.c.workloadLink -> workload/g/c soft'] },
  { row: '22', kind: 'domain',
    record: port(
      { tls: { clientCertificate: { secretLink: '//secret/c' }, serverCertificate: { secretLink: '//secret/s' } } }),
    found: ['spec.ports.443.tls.clientCertificate.secretLink -> secret/c hard',
      'spec.ports.443.tls.serverCertificate.secretLink -> secret/s hard'] },
  { row: '25 and 26', kind: 'identity',
    record: { aws: { cloudAccountLink: '//cloudaccount/a' }, gcp: { cloudAccountLink: '//cloudaccount/g' },
      azure: { cloudAccountLink: '//cloudaccount/z' }, ngs: { cloudAccountLink: '//cloudaccount/n' },
      networkResources: [{ name: 'db', agentLink: '//agent/x' }] },
    found: ['aws.cloudAccountLink -> cloudaccount/a hard', 'gcp.cloudAccountLink -> cloudaccount/g hard',
      'azure.cloudAccountLink -> cloudaccount/z hard', 'ngs.cloudAccountLink -> cloudaccount/n hard',
      'networkResources.db.agentLink -> agent/x hard'] },
  { row: '27 and 28', kind: 'ipset',
    record: { spec: { link: '//gvc/g/workload/w', locations: [{ name: '//location/l' }] } },
    found: ['spec.link -> workload/g/w soft', 'spec.locations.l.name -> location/l hard'] },
  { row: '29', kind: 'group', record: { memberLinks: ['//user/a@b.c', '//serviceaccount/s'] },
    found: ['memberLinks.0 -> user/a@b.c hard', 'memberLinks.1 -> serviceaccount/s hard'] },
  { row: '30 and 31', kind: 'policy',
    record: { targetKind: 'secret', targetLinks: ['//secret/s'],
      bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/g/identity/i', '//group/g'] }] },
    found: ['targetLinks.0 -> secret/s soft', 'bindings.0.principalLinks.0 -> identity/g/i soft',
      'bindings.0.principalLinks.1 -> group/g soft'] },
  { row: '32', kind: 'cloudaccount', record: { provider: 'azure', data: { secretLink: '//secret/s' } },
    found: ['data.secretLink -> secret/s hard'] },
  { row: 'of the org', kind: 'org',
    record: { spec: { logging: { s3: { bucket: 'b', credentials: '//secret/s' } },
        extraLogging: [{ datadog: { host: 'h', credentials: '//secret/d' } }] } },
    found: ['spec.logging.s3.credentials -> secret/s hard',
      'spec.extraLogging.0.datadog.credentials -> secret/d hard'] },
  { row: 'of tracing without a provider, beside a value that is no text', kind: 'gvc',
    record: { spec: { tracing: { tracer: { endpoint: 'x', credentials: '//secret/c' } },
        env: [{ name: 'A', value: 5 }] } }, found: ['spec.tracing.tracer.credentials -> secret/c hard'] },
  { row: '3, what is no reference', kind: 'workload',
    record: container({ env: [{ name: 'A', value: 'scheme://secret/s/more' },
          { name: 'B', value: '/org/acme/secret/s/more' }, { name: 'C', value: 'see /org/acme/secret/s' }],
        volumes: [{ uri: 'scheme://volumeset/v/more', path: '/a' }] }), found: [] },
  { row: 'none: what only the platform sets', kind: 'gvc',
    record: { links: [{ rel: 'self', href: '/org/acme/gvc/shop' }], status: { a: '//secret/s' } }, found: [] },
];

test.each(cases)('edges of row $row (platform/deletion.references)', ({ kind, record, found }) => {
  const lines = references(kind, record, context).map(({ path, target, strength, key }) =>
    [path, '->', formatRef(target), strength, key].filter((part) => part !== undefined).join(' '),
  );
  expect(lines).toEqual(found);
});

test('secrets of another org are marked as such', () => {
  const record = container({ env: [{ name: 'A', value: '/org/other/secret/t.k' }] });
  expect(references('workload', record, context)).toMatchObject([{ org: 'other', target: { name: 't' }, key: 'k' }]);
});

describe('in a custom kind every string that is a link is a soft reference', () => {
  test.each<[JsonValue, readonly string[]]>([
    ['//secret/s', ['spec.a -> secret/s']],
    ['/org/other/secret/s', ['spec.a -> secret/s other']],
    ['//gvc/g/workload/w', ['spec.a -> workload/g/w']],
    ['/org/acme/gvc/g/workload/w', ['spec.a -> workload/g/w']],
    ['//workload/w', ['spec.a -> workload/shop/w']],
    ['//gadget/x', ['spec.a -> gadget/shop/x']],
    ['//theme/dark', ['spec.a -> theme/dark']],
    ['scheme://secret/s.key', ['spec.a -> secret/s key']],
    ['scheme://volumeset/v', ['spec.a -> volumeset/shop/v']],
    [
      ['x', '//secret/s', { b: '//secret/t' }],
      ['spec.a.1 -> secret/s', 'spec.a.2.b -> secret/t'],
    ],
    [{ b: { c: '//secret/s' }, d: '//gvc/g' }, ['spec.a.b.c -> secret/s', 'spec.a.d -> gvc/g']],
    ['see //secret/s', []],
    ['x//workload/w', []],
    ['//workload/w/more', []],
    ['//workload/', []],
    ['//WORKLOAD/w', []],
    ['//unknown/x', []],
    ['secret/s', []],
    [5, []],
    [null, []],
  ])('%j', (value, found) => {
    const kind = kindNamed('theme') ?? 'task';
    const all = references(kind, { name: 't', tags: { link: '//secret/s' }, spec: { a: value } }, context);
    const lines = all.map(({ path, target, org, key }) =>
      [path, '->', formatRef(target), org === 'acme' ? undefined : org, key]
        .filter((part) => part !== undefined)
        .join(' '),
    );
    expect(lines).toEqual(found);
    expect(all.filter(({ strength, fact }) => strength !== 'soft' || fact !== undefined)).toEqual([]);
  });
});

test.each<[Kind, JsonObject, object | undefined]>([
  ['gvc', { spec: { domain: 'a.example.com' } }, { kind: 'domain', name: 'a.example.com' }],
  ['gvc', { spec: { domain: '' } }, undefined],
  ['gvc', { spec: {} }, undefined],
  ['workload', { spec: { domain: 'a.example.com' } }, undefined],
])('the domain in %s %j is a reference too (platform/deletion.references)', (kind, record, ref) => {
  expect(namedDomain(kind, record)).toEqual(ref);
});

test('the pointer leads to the string, and the org of a foreign link is kept', () => {
  const [reference] = references('gvc', { spec: { pullSecretLinks: ['/org/other/secret/s'] } }, context);
  expect(reference).toMatchObject({ pointer: ['spec', 'pullSecretLinks', 0], org: 'other' });
});

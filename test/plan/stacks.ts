import fc from 'fast-check';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { DesiredResource } from '../../src/manifest/model/manifest.ts';
import { declare } from './world.ts';

/** A stack of every kind with references, each part present or not, in one of a few forms. */
const flag = fc.boolean();
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
export const parts = fc.record({
  gvc: maybe(
    fc.record({
      pulls: flag,
      keda: maybe(fc.constantFrom('app', 'spare')),
      ipSet: flag,
      naming: flag,
      described: flag,
    }),
  ),
  app: maybe(fc.record({ cloud: flag })),
  spare: flag,
  cloud: maybe(fc.constantFrom('aws', 'gcp')),
  registry: maybe(fc.constantFrom('docker', 'ecr')),
  secret: flag,
  policy: flag,
  rows: maybe(fc.constantFrom('general-purpose-ssd', 'high-throughput-ssd')),
  files: flag,
  db: maybe(
    fc.record({ mounts: maybe(fc.constantFrom('rows', 'files')), type: fc.constantFrom('stateful', 'standard') }),
  ),
  next: maybe(fc.constantFrom('rows', 'files')),
  web: maybe(
    fc.record({ identity: maybe(fc.constantFrom('app', 'spare')), reads: flag, image: fc.constantFrom('a', 'b') }),
  ),
  domain: maybe(fc.constantFrom('route', 'stateful')),
  sub: flag,
  ipset: maybe(flag),
  group: maybe(flag),
  robot: flag,
  tag: maybe(fc.constantFrom('1', '2')),
});
export type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

function container(image: string, more: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'main', image, cpu: '50m', memory: '128Mi', ...more }] };
}

function mounting(name: string | undefined): JsonObject {
  return name === undefined ? {} : { volumes: [{ uri: `scheme://volumeset/${name}`, path: '/data' }] };
}

export function stackOf(of: Parts): readonly DesiredResource[] {
  const replace = { replace: true };
  const tags = of.tag === undefined ? {} : { tags: { team: of.tag } };
  // biome-ignore format: a row is a case
  const all: (DesiredResource | undefined | false)[] = [
    of.gvc &&
      declare('gvc/g', {
        ...(of.gvc.described ? { description: 'described' } : {}),
        ...tags,
        spec: {
          ...(of.gvc.pulls ? { pullSecretLinks: ['//secret/registry'] } : {}),
          ...(of.gvc.keda === undefined ? {} : { keda: { enabled: true, identityLink: `//identity/${of.gvc.keda}` } }),
          ...(of.gvc.ipSet ? { loadBalancer: { dedicated: true, ipSet: '//ipset/front' } } : {}),
          ...(of.gvc.naming ? { endpointNamingFormat: 'org' } : {}),
        },
      }),
    of.app && declare('identity/g/app',
      of.app.cloud ? { aws: { cloudAccountLink: '//cloudaccount/cloud', roleName: 'r' } } : {}, replace),
    of.spare && declare('identity/g/spare'),
    of.cloud && declare('cloudaccount/cloud',
      { provider: of.cloud, data: of.cloud === 'aws' ? { roleArn: 'arn' } : { projectId: 'p' } }, replace),
    of.registry === 'docker' && declare('secret/registry', { type: 'docker', data: '{"auths":{"r":{}}}' }, replace),
    of.registry === 'ecr' &&
      declare('secret/registry', { type: 'ecr', data: { accessKey: 'AKIA', secretKey: 'x', repos: ['r'] } }, replace),
    of.secret && declare('secret/s', { type: 'opaque', data: { payload: 'x' } }),
    of.policy && declare('policy/reveal', { targetKind: 'secret', targetLinks: ['//secret/s'],
      bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/g/identity/app'] }] }),
    of.rows && declare('volumeset/g/rows',
      { spec: { fileSystemType: 'ext4', initialCapacity: 200, performanceClass: of.rows } }, replace),
    of.files && declare('volumeset/g/files', { spec: { fileSystemType: 'shared', initialCapacity: 10 } }),
    of.db && declare('workload/g/db',
      { ...tags, spec: { type: of.db.type, ...container('db:1', mounting(of.db.mounts)) } }, replace),
    of.next &&
      declare('workload/g/a-next', { spec: { type: 'stateful', ...container('next:1', mounting(of.next)) } }, replace),
    of.web && declare('workload/g/web', { spec: { type: 'standard',
      ...(of.web.identity === undefined ? {} : { identityLink: `//identity/${of.web.identity}` }),
      ...container(of.web.image, of.web.reads ? { env: [{ name: 'S', value: 'scheme://secret/s' }] } : {}) } }),
    of.domain &&
      declare('domain/example.com', {
        spec:
          of.domain === 'stateful'
            ? { workloadLink: '//gvc/g/workload/db' }
            : { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: '//gvc/g/workload/web' }] }] },
      }),
    of.sub && declare('domain/a.example.com', { spec: { dnsMode: 'ns' } }),
    of.ipset !== undefined && declare('ipset/front', of.ipset ? { spec: { link: '//gvc/g' } } : {}),
    of.group !== undefined && declare('group/team', of.group ? { memberLinks: ['//serviceaccount/robot'] } : {}),
    of.robot && declare('serviceaccount/robot'),
  ];
  return all.filter((each) => each !== undefined && each !== false);
}

import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/json.ts';
import { dialect } from './invented.ts';

interface Vector {
  readonly it: string;
  readonly path: string;
  readonly neutral: JsonValue;
  readonly wire: JsonValue;
}

const gvc = '/org/o/gvc';
const workload = '/org/o/gvc/g/workload';

function inProxy(neutral: JsonValue, wire: JsonValue): Pick<Vector, 'path' | 'neutral' | 'wire'> {
  return {
    path: gvc,
    neutral: { name: 'g', spec: { sidecar: { proxy: neutral } } },
    wire: { name: 'g', spec: { sidecar: { sluice: wire } } },
  };
}

function inContainer(neutral: JsonValue, wire: JsonValue): Pick<Vector, 'path' | 'neutral' | 'wire'> {
  return {
    path: workload,
    neutral: { name: 'w', spec: { containers: [neutral] } },
    wire: { name: 'w', spec: { containers: [wire] } },
  };
}

function same(path: string, document: JsonValue): Pick<Vector, 'path' | 'neutral' | 'wire'> {
  return { path, neutral: document, wire: document };
}

// biome-ignore format: a row is a case
const keys: readonly Vector[] = [
  { it: 'a key that is a word: the provider of traces (platform/proxy.names)', path: gvc,
    neutral: { spec: { tracing: { sampling: 5, provider: { tracer: { endpoint: 'e:1' } } } } },
    wire: { spec: { tracing: { sampling: 5, provider: { lantern: { endpoint: 'e:1' } } } } } },
  { it: 'the deprecated place of the tracer (platform/gvc)', path: gvc,
    neutral: { spec: { tracing: { tracer: { endpoint: 'e:1' } } } },
    wire: { spec: { tracing: { lantern: { endpoint: 'e:1' } } } } },
  { it: 'a name of its own, without a word: names beat words', path: gvc,
    neutral: { spec: { tracing: { provider: { controlplane: {} } } } },
    wire: { spec: { tracing: { provider: { gatehouse: {} } } } } },
  { it: 'keys that hold a word as a part (platform/proxy.names)',
    ...inProxy({ http: [{ typed_config: { grpc_service: { proxy_grpc: { cluster_name: 'c' }, vendor_grpc: {} } } }] },
    { http: [{ typed_config: { grpc_service: { sluice_grpc: { cluster_name: 'c' }, ferry_grpc: {} } } }] }) },
  { it: 'keys in settings that no schema lists, in whatever case they have it',
    ...inProxy({ clusters: [{ name: 'c', lb_policy: { typedProxyConfig: { VENDOR_MODE: 1, proxies: 2 } } }] },
    { clusters: [{ name: 'c', lb_policy: { typedSluiceConfig: { FERRY_MODE: 1, proxies: 2 } } }] }) },
  { it: 'the member of a workload as of a GVC', path: `${workload}/w`,
    neutral: { spec: { sidecar: { proxy: { network: [{}] } } } },
    wire: { spec: { sidecar: { sluice: { network: [{}] } } } } },
  { it: 'never a field of the platform that is called scheme: httpGet',
    ...inContainer({ name: 'main', readinessProbe: { httpGet: { scheme: 'HTTPS', path: '/' } } },
    { name: 'main', readinessProbe: { httpGet: { scheme: 'HTTPS', path: '/' } } }) },
  { it: 'never a field of the platform that is called scheme: a direct port',
    ...same(workload, { spec: { loadBalancer: { direct: { ports: [{ externalPort: 22, scheme: 'tcp' }] } } } }) },
];

// biome-ignore format: a row is a case
const patches: readonly Vector[] = [
  { it: 'fields that a directive names (platform/patch.merge)', path: `${gvc}/g`,
    neutral: { spec: { '$replace/sidecar': { proxy: { http: [] } }, tracing: { $drop: ['tracer', 'sampling'] } } },
    wire: { spec: { '$replace/sidecar': { sluice: { http: [] } }, tracing: { $drop: ['lantern', 'sampling'] } } } },
  { it: 'items that a directive names: reserved variables', path: `${workload}/w`,
    neutral: { spec: { '$patch/containers': [{ name: 'main', '$drop/env': ['SCHEME_A', 'B'] }] } },
    wire: { spec: { '$patch/containers': [{ name: 'main', '$drop/env': ['QUAY_A', 'B'] }] } } },
  { it: 'items that a directive names: filters', path: `${gvc}/g`,
    neutral: { spec: { sidecar: { proxy: { '$retain/http': ['proxy.filters.http.ratelimit'] } } } },
    wire: { spec: { sidecar: { sluice: { '$retain/http': ['sluice.filters.http.ratelimit'] } } } } },
  { it: 'plain values that a directive names', path: `${workload}/w`,
    neutral: { spec: { firewallConfig: { internal: { '$append/inboundAllowWorkload': ['scheme://internal/keda'] } } } },
    wire: { spec: { firewallConfig: { internal: { '$append/inboundAllowWorkload': ['quay://internal/keda'] } } } } },
  { it: 'reserved tags, removed one by one and replaced as a whole', path: `${workload}/w`,
    neutral: { tags: { 'scheme/protected': null }, '$replace/tags': { 'scheme/protected': true, mine: 'x' } },
    wire: { tags: { 'quay/protected': null }, '$replace/tags': { 'quay/protected': true, mine: 'x' } } },
];

const values: readonly Vector[] = [
  {
    it: 'the URI of a secret in a variable (platform/concepts.links)',
    ...inContainer(
      {
        env: [
          { name: 'A', value: 'scheme://secret/s.key' },
          { name: 'B', value: 'see scheme://secret/s' },
        ],
      },
      {
        env: [
          { name: 'A', value: 'quay://secret/s.key' },
          { name: 'B', value: 'see scheme://secret/s' },
        ],
      },
    ),
  },
  {
    it: 'the URI of a volume set',
    ...inContainer(
      {
        volumes: [
          { uri: 'scheme://volumeset/data', path: '/data' },
          { uri: 's3://bucket', path: '/b' },
        ],
      },
      {
        volumes: [
          { uri: 'quay://volumeset/data', path: '/data' },
          { uri: 's3://bucket', path: '/b' },
        ],
      },
    ),
  },
  {
    it: 'the name of a filter, and that of its type',
    ...inProxy(
      {
        http: [
          {
            name: 'proxy.filters.http.ext_authz',
            typed_config: { '@type': 'type.example.com/proxy.extensions.filters.http.ext_authz.v3.ExtAuthz' },
          },
        ],
        accessLog: [{ name: 'proxy.http_grpc_access_log' }],
      },
      {
        http: [
          {
            name: 'sluice.filters.http.ext_authz',
            typed_config: { '@type': 'type.example.com/sluice.extensions.filters.http.ext_authz.v3.ExtAuthz' },
          },
        ],
        accessLog: [{ name: 'sluice.http_grpc_access_log' }],
      },
    ),
  },
  {
    it: 'the name of a filter that has one of its own',
    ...inProxy({ http: [{ name: 'proxy.filters.http.cors' }] }, { http: [{ name: 'crossings.v2' }] }),
  },
  {
    it: 'extensions in settings that no schema lists',
    ...inProxy(
      {
        clusters: [
          { name: 'proxy.c', transport_socket: { name: 'proxy.tls', typed_config: { '@type': 'x/proxy.T' } } },
        ],
      },
      {
        clusters: [
          { name: 'proxy.c', transport_socket: { name: 'sluice.tls', typed_config: { '@type': 'x/sluice.T' } } },
        ],
      },
    ),
  },
  {
    it: 'namespaces of filters, and the filter that a match asks',
    ...inProxy(
      {
        http: [{ typed_config: { metadata_context_namespaces: ['proxy.filters.http.jwt_authn'] } }],
        excludedRateLimit: [{ match: { dynamic_metadata: [{ filter: 'proxy.filters.http.jwt_authn' }] } }],
      },
      {
        http: [{ typed_config: { metadata_context_namespaces: ['sluice.filters.http.jwt_authn'] } }],
        excludedRateLimit: [{ match: { dynamic_metadata: [{ filter: 'sluice.filters.http.jwt_authn' }] } }],
      },
    ),
  },
  {
    it: 'no other value of the proxy: addresses, names of clusters, headers',
    ...inProxy(
      {
        clusters: [{ name: 'proxy', load_assignment: { endpoints: [{ address: 'proxy.example.com' }] } }],
        accessLog: [{ typed_config: { additional_request_headers_to_log: ['x-proxy-a'] } }],
      },
      {
        clusters: [{ name: 'proxy', load_assignment: { endpoints: [{ address: 'proxy.example.com' }] } }],
        accessLog: [{ typed_config: { additional_request_headers_to_log: ['x-proxy-a'] } }],
      },
    ),
  },
  {
    it: 'reserved prefixes of variables, in a GVC and in a container, in any case (platform/concepts.quantities, rule W32)',
    path: gvc,
    neutral: { spec: { env: [{ name: 'SCHEME_TOKEN' }, { name: 'scheme_x' }, { name: 'MY_SCHEME_X' }] } },
    wire: { spec: { env: [{ name: 'QUAY_TOKEN' }, { name: 'quay_x' }, { name: 'MY_SCHEME_X' }] } },
  },
  {
    it: 'the reserved prefix of containers (platform/concepts.names)',
    path: workload,
    neutral: { spec: { containers: [{ name: 'scheme-agent' }, { name: 'my-scheme' }, { name: 'my-quay' }] } },
    wire: { spec: { containers: [{ name: 'quay-agent' }, { name: 'my-scheme' }, { name: 'my-quay' }] } },
  },
  {
    it: 'the built-in audit context, and links to it; no other of that name',
    path: '/org/o/policy',
    neutral: {
      name: 'scheme',
      targetKind: 'auditctx',
      targetLinks: ['//auditctx/scheme', '/org/o/auditctx/scheme', '//gvc/scheme'],
    },
    wire: {
      name: 'scheme',
      targetKind: 'auditctx',
      targetLinks: ['//auditctx/quay', '/org/o/auditctx/quay', '//gvc/scheme'],
    },
  },
  {
    it: 'the audit context as a record',
    path: '/org/o/auditctx',
    neutral: { name: 'scheme', description: 'scheme', tags: {} },
    wire: { name: 'quay', description: 'quay', tags: {} },
  },
];

// biome-ignore format: a row is a case
const tags: readonly Vector[] = [
  { it: 'reserved tags alone; other keys and all values stay (platform/concepts.tags)', path: workload,
    neutral: { tags: { 'scheme/protected': 'scheme', scheme: 'x', proxy: 'proxy', 'a/scheme/b': 1, 'scheme/x': null } },
    wire: { tags: { 'quay/protected': 'scheme', scheme: 'x', proxy: 'proxy', 'a/scheme/b': 1, 'quay/x': null } } },
  { it: 'a reserved tag with a name of its own', path: workload, neutral: { tags: { 'scheme/release': '1' } },
    wire: { tags: { 'quay/edition': '1' } } },
  { it: 'tag selectors of a query (platform/query)', path: '/org/o/workload/-query', neutral: { spec: { match: 'any',
    terms: [{ tag: 'scheme/protected', op: 'exists' }, { tag: 'proxy', value: 'proxy' }] } },
    wire: { spec: { match: 'any', terms: [{ tag: 'quay/protected', op: 'exists' },
    { tag: 'proxy', value: 'proxy' }] } } },
  { it: 'properties and the order of a query', path: '/org/o/gvc/-query',
    neutral: { spec: { terms: [{ property: 'spec.tracing.provider.tracer.endpoint', op: 'exists' }],
    sort: { by: 'tags.scheme/protected' } } },
    wire: { spec: { terms: [{ property: 'spec.tracing.provider.lantern.endpoint', op: 'exists' }],
    sort: { by: 'tags.quay/protected' } } } },
  { it: 'stored queries: of locations, members and targets', path: '/org/o/policy',
    neutral: { targetQuery: { kind: 'gvc', spec: { terms: [{ tag: 'scheme/protected', value: true }] } } },
    wire: { targetQuery: { kind: 'gvc', spec: { terms: [{ tag: 'quay/protected', value: true }] } } } },
  { it: 'the audit context that a policy asks for by its name', path: '/org/o/policy',
    neutral: { targetKind: 'auditctx', targetQuery: { spec: { terms: [{ property: 'name', value: 'scheme' }] } } },
    wire: { targetKind: 'auditctx', targetQuery: { spec: { terms: [{ property: 'name', value: 'quay' }] } } } },
  { it: 'reserved tags in an expression over identities', path: '/org/o/group',
    neutral: { identityMatcher: { expression: `tags."scheme/a" == 'scheme' && tags['proxy/scheme/a']` } },
    wire: { identityMatcher: { expression: `tags."quay/a" == 'scheme' && tags['proxy/scheme/a']` } } },
  { it: 'the audit context that a query asks for by its name', path: '/org/o/auditctx/-query',
    neutral: { spec: { terms: [{ property: 'name', value: 'scheme' }, { property: 'id', value: 'scheme' }] } },
    wire: { spec: { terms: [{ property: 'name', value: 'quay' }, { property: 'id', value: 'scheme' }] } } },
];

// biome-ignore format: a row is a case
const untouched: readonly Vector[] = [
  { it: 'nothing in the data of a secret, neither keys nor values', ...same('/org/o/secret', { name: 's',
    type: 'dictionary', data: { proxy: 'scheme://secret/x', SCHEME_X: 'proxy', 'scheme/x': '1', $drop: 'x' } }) },
  { it: 'no key of a set of headers', ...same('/org/o/domain',
    { spec: { ports: [{ routes: [{ headers: { request: { set: { proxy: 'a', 'x-scheme-a': 'b' } } } }] }] } }) },
  { it: 'no key of the metadata of a trigger', ...same(workload,
    { spec: { defaultOptions: { autoscaling: { keda: { triggers: [{ metadata: { proxy: 'a' } }] } } } } }) },
  { it: 'no key of metadata in settings of the proxy, and none of custom tags', path: gvc,
    neutral: { spec: { tracing: { customTags: { proxy: {} } },
    sidecar: { proxy: { clusters: [{ metadata: { proxy_x: 1 } }] } } } },
    wire: { spec: { tracing: { customTags: { proxy: {} } },
    sidecar: { sluice: { clusters: [{ metadata: { proxy_x: 1 } }] } } } } },
  { it: 'no free-form JSON of users: extras',
    ...same(workload, { spec: { extras: { tolerations: [{ key: 'proxy', proxy: 'vendor' }] } } }) },
  { it: 'no value that merely looks like a name', ...same(workload, { description: 'proxy.filters.http.cors',
    spec: { containers: [{ image: 'scheme/proxy:1', gpu: { custom: { resource: 'vendor.example.com/a' } } }] } }) },
];

// biome-ignore format: a row is a case
const commands: readonly Vector[] = [
  { it: 'containers and variables of a run-now', path: `${workload}/w/-command`, neutral: { type: 'runCronWorkload',
    spec: { containerOverrides: [{ name: 'scheme-x', env: [{ name: 'SCHEME_A', value: 'scheme://secret/a' }] }] } },
    wire: { type: 'runCronWorkload',
    spec: { containerOverrides: [{ name: 'quay-x', env: [{ name: 'QUAY_A', value: 'quay://secret/a' }] }] } } },
  { it: 'reserved tags of a snapshot, and no others', path: '/org/o/gvc/g/volumeset/v/-command',
    neutral: { type: 'createVolumeSnapshot', spec: { snapshotTags: [{ proxy: 'scheme' }, { 'scheme/a': '1' }] } },
    wire: { type: 'createVolumeSnapshot', spec: { snapshotTags: [{ proxy: 'scheme' }, { 'quay/a': '1' }] } } },
];

test.each([...keys, ...patches, ...values, ...tags, ...untouched, ...commands])(
  'a request: $it',
  ({ path, neutral, wire }) => {
    for (const either of [neutral, wire]) {
      expect(dialect.request(path, either, 'toWire')).toEqual(wire);
      expect(dialect.request(path, either, 'toNeutral')).toEqual(neutral);
    }
  },
);

const answers: readonly (Vector & { readonly status?: number })[] = [
  {
    it: 'a list of records, with its links',
    path: '/org/o/auditctx',
    neutral: {
      kind: 'list',
      itemKind: 'auditctx',
      items: [
        {
          kind: 'auditctx',
          name: 'scheme',
          description: 'scheme',
          links: [{ rel: 'self', href: '/org/o/auditctx/scheme' }],
        },
      ],
      links: [],
    },
    wire: {
      kind: 'list',
      itemKind: 'auditctx',
      items: [
        { kind: 'auditctx', name: 'quay', description: 'quay', links: [{ rel: 'self', href: '/org/o/auditctx/quay' }] },
      ],
      links: [],
    },
  },
  {
    it: 'the result of a query, with the query',
    path: '/org/o/gvc/-query',
    neutral: {
      kind: 'queryresult',
      itemKind: 'gvc',
      items: [{ kind: 'gvc', spec: { sidecar: { proxy: {} } } }],
      query: { kind: 'gvc', spec: { terms: [{ tag: 'scheme/a', op: 'exists' }] } },
    },
    wire: {
      kind: 'queryresult',
      itemKind: 'gvc',
      items: [{ kind: 'gvc', spec: { sidecar: { sluice: {} } } }],
      query: { kind: 'gvc', spec: { terms: [{ tag: 'quay/a', op: 'exists' }] } },
    },
  },
  {
    it: 'the trail of the built-in context (platform/audit.trail)',
    path: '/audit/org/o',
    neutral: {
      kind: 'queryresult',
      itemKind: 'auditevent',
      items: [
        {
          resource: {
            type: 'gvc',
            name: 'scheme',
            data: { tags: { 'scheme/a': 1 }, spec: { sidecar: { proxy: {} } } },
          },
          context: { org: 'o', name: 'scheme' },
        },
      ],
      links: [{ rel: 'next', href: '/audit/org/o?contextName=scheme&next=x' }],
    },
    wire: {
      kind: 'queryresult',
      itemKind: 'auditevent',
      items: [
        {
          resource: { type: 'gvc', name: 'scheme', data: { tags: { 'quay/a': 1 }, spec: { sidecar: { sluice: {} } } } },
          context: { org: 'o', name: 'quay' },
        },
      ],
      links: [{ rel: 'next', href: '/audit/org/o?contextName=quay&next=x' }],
    },
  },
  {
    it: 'what a workload runs: containers by name',
    path: `${workload}/w/deployment/l`,
    neutral: {
      kind: 'deployment',
      name: 'l',
      status: { versions: [{ containers: { 'scheme-x': { ready: true }, proxy: {} } }] },
    },
    wire: {
      kind: 'deployment',
      name: 'l',
      status: { versions: [{ containers: { 'quay-x': { ready: true }, proxy: {} } }] },
    },
  },
  {
    it: 'the snapshots of a volume, with their tags',
    path: '/org/o/gvc/g/volumeset/v',
    neutral: {
      kind: 'volumeset',
      status: { volumeSnapshots: [{ name: 's', tags: [{ 'scheme/a': '1' }, { proxy: '2' }] }] },
    },
    wire: {
      kind: 'volumeset',
      status: { volumeSnapshots: [{ name: 's', tags: [{ 'quay/a': '1' }, { proxy: '2' }] }] },
    },
  },
  {
    it: 'the host where ownership of a domain is proven (platform/domain.ownership)',
    path: '/org/o/domain',
    status: 400,
    neutral: {
      status: 400,
      message: 'prove it',
      code: 'must_prove_ownership',
      details: { ownershipConfig: [{ type: 'TXT', host: '_scheme-www.example.com', value: 'scheme' }] },
    },
    wire: {
      status: 400,
      message: 'prove it',
      code: 'must_prove_ownership',
      details: { ownershipConfig: [{ type: 'TXT', host: '_quay-www.example.com', value: 'scheme' }] },
    },
  },
  {
    it: 'a refusal: the places in the record, and the names in its words (platform/errors.body)',
    path: `${gvc}`,
    status: 400,
    neutral: {
      message: 'spec.sidecar.proxy.http."proxy.filters.http.ratelimit".proxy: "proxy" is not allowed here (and 2 more)',
      details: {
        problems: [
          { path: 'spec.env.SCHEME_A.name', message: 'the prefix SCHEME_ is reserved', rule: 'gvc.proxy-user' },
          { path: 'tags."scheme/protected"', message: 'the proxy, scheme://secret/x', rule: 'r' },
        ],
      },
    },
    wire: {
      message:
        'spec.sidecar.sluice.http."sluice.filters.http.ratelimit".sluice: "sluice" is not allowed here (and 2 more)',
      details: {
        problems: [
          { path: 'spec.env.QUAY_A.name', message: 'the prefix QUAY_ is reserved', rule: 'gvc.proxy-user' },
          { path: 'tags."quay/protected"', message: 'the proxy, quay://secret/x', rule: 'r' },
        ],
      },
    },
  },
  {
    it: 'a custom resource of a cluster (platform/wire.discovery)',
    path: '/-exporter/crd/org/o/gvc/g',
    neutral: { apiVersion: 'scheme/v1', kind: 'gvc', metadata: { name: 'proxy' }, spec: { sidecar: { proxy: {} } } },
    wire: { apiVersion: 'quay/v1', kind: 'gvc', metadata: { name: 'proxy' }, spec: { sidecar: { sluice: {} } } },
  },
  {
    it: 'several custom resources',
    path: '/-exporter/crd/org/o/gvc',
    neutral: { kind: 'list', items: [{ apiVersion: 'scheme/v1', kind: 'gvc', spec: { env: [{ name: 'SCHEME_A' }] } }] },
    wire: { kind: 'list', items: [{ apiVersion: 'quay/v1', kind: 'gvc', spec: { env: [{ name: 'QUAY_A' }] } }] },
  },
  {
    it: 'nothing that is for this platform alone: a snapshot is the same before every installation',
    ...same('/-snapshot', { proxy: 'scheme://secret/x', tags: { 'scheme/protected': true } }),
  },
];

test.each(answers)('an answer: $it', ({ path, status = 200, neutral, wire }) => {
  for (const either of [neutral, wire]) {
    expect(dialect.answer(path, status, either, 'toWire')).toEqual(wire);
    expect(dialect.answer(path, status, either, 'toNeutral')).toEqual(neutral);
  }
});

test.each([
  ['/org/o/auditctx/scheme', '/org/o/auditctx/quay'],
  ['/org/o/auditctx/scheme/-eventlog?next=scheme', '/org/o/auditctx/quay/-eventlog?next=scheme'],
  ['/audit/org/o/auditctx/scheme?async=true', '/audit/org/o/auditctx/quay?async=true'],
  ['/audit/org/o?subjectName=scheme&contextName=scheme', '/audit/org/o?subjectName=scheme&contextName=quay'],
  ['/audit/org/o/resource/name/scheme?resourceType=auditctx', '/audit/org/o/resource/name/quay?resourceType=auditctx'],
  ['/audit/org/o/resource/name/scheme?resourceType=gvc', '/audit/org/o/resource/name/scheme?resourceType=gvc'],
  ['http://h:1/org/o/auditctx/scheme', 'http://h:1/org/o/auditctx/quay'],
  ['/org/scheme/gvc/proxy', '/org/scheme/gvc/proxy'],
])('an address: %s', (neutral, wire) => {
  for (const either of [neutral, wire]) {
    expect(dialect.address(either, 'toWire')).toBe(wire);
    expect(dialect.address(either, 'toNeutral')).toBe(neutral);
  }
});

test.each([
  ['x-scheme-org', 'x-quay-org'],
  ['x-scheme-session', 'x-visit'],
  ['location', 'location'],
  ['x-proxy-a', 'x-proxy-a'],
])('a header: %s (platform/wire.headers)', (neutral, wire) => {
  for (const either of [neutral, wire]) {
    expect(dialect.header(either, 'toWire')).toBe(wire);
    expect(dialect.header(either, 'toNeutral')).toBe(neutral);
  }
});

test('the value of a header: a location, and the places in warnings', () => {
  const said = String.raw`W32;path="spec.env.SCHEME_A.\"x\"";message="the proxy, scheme://secret/x", more;count=2`;
  const wire = 'W32;path="spec.env.QUAY_A.x";message="the proxy, quay://secret/x", more;count=2';
  expect(dialect.headerValue(gvc, 'x-scheme-warning', said, 'toWire')).toBe(wire);
  expect(dialect.headerValue('/org/o/auditctx', 'Location', '/org/o/auditctx/scheme', 'toWire')).toBe(
    '/org/o/auditctx/quay',
  );
  expect(dialect.headerValue(gvc, 'retry-after', 'scheme', 'toWire')).toBe('scheme');
});

test('what does not exist is named in the own words', () => {
  const said = (link: string) => ({ message: `${link} does not exist`, details: [link] });
  expect(dialect.answer('/org/o/auditctx/scheme', 404, said('/org/o/auditctx/scheme'), 'toWire')).toEqual(
    said('/org/o/auditctx/quay'),
  );
});

test('text that is no JSON, or cannot be written again, comes back as it is', () => {
  const deep = `${'['.repeat(5000)}"scheme://secret/x"${']'.repeat(5000)}`;
  for (const text of ['', '{"proxy":', deep, '{"spec":{"a":1e999,"b":"scheme://secret/x"}}']) {
    expect(dialect.answerText(gvc, 200, text, 'toWire')).toBe(text);
  }
});

test('a word whose letters are escaped is a word', () => {
  const wire = dialect.answerText(gvc, 200, String.raw`{"spec":{"sidecar":{"pr\u006fxy":{}}}}`, 'toWire');
  expect(wire).toBe('{"spec":{"sidecar":{"sluice":{}}}}');
});

test.each([
  ['tags', '/org/o/gvc', { tags: { 'scheme/protected': true, a: 1, 'quay/protected': false } }, ['scheme/protected']],
  ['keys', gvc, { spec: { sidecar: { sluice: {}, proxy: {} } } }, ['sluice', 'proxy']],
  ['directives', gvc, { spec: { sidecar: { '$replace/proxy': {}, '$replace/sluice': {} } } }, ['$replace/sluice']],
])('a request with two spellings of one name is refused: %s', (_, path, body, says) => {
  for (const way of ['toWire', 'toNeutral'] as const) {
    expect(() => dialect.request(path, body, way)).toThrow('two spellings of one name');
    for (const name of says) expect(() => dialect.request(path, body, way)).toThrow(JSON.stringify(name));
  }
});

test("in an answer with two spellings of one name the platform's own counts", () => {
  const record = { kind: 'gvc', tags: { 'scheme/protected': 'meaningless', 'quay/protected': 'true' } };
  expect(dialect.answer('/org/o/gvc/g', 200, record, 'toNeutral')).toEqual({
    kind: 'gvc',
    tags: { 'scheme/protected': 'true' },
  });
});

test.each([
  ['the value of a tag', '/org/o/gvc', { tags: { a: 'scheme://secret/x' } }],
  ['a description', '/org/o/gvc', { description: 'scheme://secret/x' }],
  ['free-form JSON of users', workload, { spec: { extras: { a: 'scheme://secret/x' } } }],
  ['a URI of something else', workload, { spec: { containers: [{ env: [{ name: 'A', value: 'scheme://db:1/x' }] }] } }],
  ['a word alone', workload, { spec: { containers: [{ env: [{ name: 'scheme', value: 'scheme' }] }] } }],
])('nothing is a reference by chance: %s', (_, path, body) => {
  expect(dialect.request(path, body, 'toWire')).toEqual(body);
  const other: JsonValue = JSON.parse(JSON.stringify(body).replaceAll('scheme', 'quay'));
  expect(dialect.request(path, other, 'toNeutral')).toEqual(other);
});

test('a manifest in the words of the platform is the neutral one, and its places are known', () => {
  const written = {
    kind: 'workload',
    name: 'w',
    gvc: 'g',
    tags: { 'quay/protected': true },
    spec: {
      containers: [{ name: 'main', env: [{ name: 'QUAY_A', value: 'quay://secret/a' }] }],
      sidecar: { sluice: { http: [{ name: 'sluice.filters.http.ratelimit' }] } },
    },
    lifecycle: { ignore: ['tags."quay/edition"', 'spec.sidecar.sluice.http'], protect: true },
  };
  const { value, written: pointerTo, neutral } = dialect.neutral(written);
  expect(value).toEqual({
    kind: 'workload',
    name: 'w',
    gvc: 'g',
    tags: { 'scheme/protected': true },
    spec: {
      containers: [{ name: 'main', env: [{ name: 'SCHEME_A', value: 'scheme://secret/a' }] }],
      sidecar: { proxy: { http: [{ name: 'proxy.filters.http.ratelimit' }] } },
    },
    lifecycle: { ignore: ['tags."scheme/release"', 'spec.sidecar.proxy.http'], protect: true },
  });
  expect(pointerTo(['spec', 'sidecar', 'proxy', 'http', 0, 'name'])).toEqual([
    ...['spec', 'sidecar', 'sluice', 'http', 0, 'name'],
  ]);
  expect(pointerTo(['tags', 'scheme/protected'])).toEqual(['tags', 'quay/protected']);
  expect(neutral(['tags', 'quay/protected'])).toEqual(['tags', 'scheme/protected']);
  expect(dialect.neutral(value).value).toBe(value);
});

test('names on Object.prototype are data', () => {
  const text = '{"tags":{"__proto__":"x","scheme/a":1},"constructor":{"proxy":1}}';
  const wire = dialect.answerText('/org/o/gvc', 200, text, 'toWire');
  expect(wire).toContain('{"__proto__":"x","quay/a":1}');
  expect(dialect.answerText('/org/o/gvc', 200, wire, 'toNeutral')).toBe(text);
});

test('the description of the API has the fields as they are called on the wire', () => {
  const described = (proxy: string, type: string, uri: string) => ({
    openapi: '3.1.0',
    components: {
      schemas: {
        vendor: {
          properties: { [proxy]: { enum: [type] }, scheme: { type: 'string' } },
          required: [proxy],
          description: `a proxy, as ${uri}x`,
        },
      },
    },
  });
  const neutral = described('proxy_grpc', 'proxy.filters.http.ratelimit', 'scheme://');
  const wire = described('sluice_grpc', 'sluice.filters.http.ratelimit', 'quay://');
  expect(dialect.answer('/openapi.json', 200, neutral, 'toWire')).toEqual(wire);
});

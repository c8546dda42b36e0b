import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonValue } from '../../src/base/json/json.ts';
import { dialect } from './invented.ts';

/**
 * A document in the `{…}` form of YAML. `<scheme>` is the neutral word, or on the wire the word of this installation.
 * Unmarked text is the same in both.
 */
type Vector = readonly [title: string, path: string, document: string, status?: number];

const gvc = '/org/o/gvc';
const workload = '/org/o/gvc/g/workload';

const onTheWire: Readonly<Record<string, string>> = {
  ...{ scheme: 'quay', SCHEME: 'QUAY', proxy: 'sluice', Proxy: 'Sluice', tracer: 'lantern', vendor: 'ferry' },
  ...{ VENDOR: 'FERRY', controlplane: 'gatehouse', release: 'edition', 'proxy.filters.http.cors': 'crossings.v2' },
};
const marked = /<([\w.]+)>/g;
const neutralOf = (text: string): JsonValue => parse(`{${text.replaceAll(marked, '$1')}}`);
const wireOf = (text: string): JsonValue =>
  parse(`{${text.replaceAll(marked, (_, word: string) => onTheWire[word] ?? '')}}`);

// biome-ignore format: a row is a case
const requests: readonly Vector[] = [
  ['a key that is a word: the provider of traces (platform/proxy.names)', gvc,
    `spec: {tracing: {sampling: 5, provider: {<tracer>: {endpoint: e:1}}}}`],
  ['the deprecated place of the tracer (platform/gvc)', gvc,
    `spec: {tracing: {<tracer>: {endpoint: e:1}}}`],
  ['a separate name, which wins over words', gvc,
    `spec: {tracing: {provider: {<controlplane>: {}}}}`],
  ['keys that contain a word (platform/proxy.names)', gvc,
    `name: g, spec: {sidecar: {<proxy>: {http: [{typed_config: {grpc_service: {<proxy>_grpc: {cluster_name: c},
    <vendor>_grpc: {}}}}]}}}`],
  ['keys in settings without a schema, in any case', gvc,
    `name: g, spec: {sidecar: {<proxy>: {clusters: [{name: c, lb_policy: {typed<Proxy>Config: {<VENDOR>_MODE: 1,
    proxies: 2}}}]}}}`],
  ['the same member in a workload as in a GVC', '/org/o/gvc/g/workload/w',
    `spec: {sidecar: {<proxy>: {network: [{}]}}}`],
  ['no field of the platform with the name scheme: httpGet', workload,
    `name: w, spec: {containers: [{name: main, readinessProbe: {httpGet: {scheme: HTTPS, path: /}}}]}`],
  ['no field of the platform with the name scheme: a direct port', workload,
    `spec: {loadBalancer: {direct: {ports: [{externalPort: 22, scheme: tcp}]}}}`],
  ['fields that a directive names (platform/patch.merge)', '/org/o/gvc/g',
    `spec: {$replace/sidecar: {<proxy>: {http: []}}, tracing: {$drop: [<tracer>, sampling]}}`],
  ['items that a directive names: reserved variables', '/org/o/gvc/g/workload/w',
    `spec: {$patch/containers: [{name: main, $drop/env: [<SCHEME>_A, B]}]}`],
  ['items that a directive names: filters', '/org/o/gvc/g',
    `spec: {sidecar: {<proxy>: {$retain/http: [<proxy>.filters.http.ratelimit]}}}`],
  ['plain values that a directive names', '/org/o/gvc/g/workload/w',
    `spec: {firewallConfig: {internal: {$append/inboundAllowWorkload: [<scheme>://internal/keda]}}}`],
  ['reserved tags, removed one by one and replaced as a whole', '/org/o/gvc/g/workload/w',
    `tags: {<scheme>/protected: null}, $replace/tags: {<scheme>/protected: true, mine: x}`],
  ['the URI of a secret in a variable (platform/concepts.links)', workload,
    `name: w, spec: {containers: [{env: [{name: A, value: <scheme>://secret/s.key}, {name: B,
    value: see scheme://secret/s}]}]}`],
  ['the URI of a volume set', workload,
    `name: w, spec: {containers: [{volumes: [{uri: <scheme>://volumeset/data, path: /data}, {uri: s3://bucket,
    path: /b}]}]}`],
  ['the name of a filter, and that of its type', gvc,
    `name: g, spec: {sidecar: {<proxy>: {http: [{name: <proxy>.filters.http.ext_authz,
    typed_config: {"@type": type.example.com/<proxy>.extensions.filters.http.ext_authz.v3.ExtAuthz}}],
    accessLog: [{name: <proxy>.http_grpc_access_log}]}}}`],
  ['the name of a filter with a separate name', gvc,
    `name: g, spec: {sidecar: {<proxy>: {http: [{name: <proxy.filters.http.cors>}]}}}`],
  ['extensions in settings without a schema', gvc,
    `name: g, spec: {sidecar: {<proxy>: {clusters: [{name: proxy.c, transport_socket: {name: <proxy>.tls,
    typed_config: {"@type": x/<proxy>.T}}}]}}}`],
  ['namespaces of filters, and the filter of a match', gvc,
    `name: g,
    spec: {sidecar: {<proxy>: {http: [{typed_config: {metadata_context_namespaces: [<proxy>.filters.http.jwt_authn]}}],
    excludedRateLimit: [{match: {dynamic_metadata: [{filter: <proxy>.filters.http.jwt_authn}]}}]}}}`],
  ['no other value of the proxy: addresses, names of clusters, headers', gvc,
    `name: g, spec: {sidecar: {<proxy>: {clusters: [{name: proxy,
    load_assignment: {endpoints: [{address: proxy.example.com}]}}],
    accessLog: [{typed_config: {additional_request_headers_to_log: [x-proxy-a]}}]}}}`],
  ['reserved prefixes of variables, in a GVC and in a container, in any case (platform/concepts.quantities, rule W32)',
    gvc, `spec: {env: [{name: <SCHEME>_TOKEN}, {name: <scheme>_x}, {name: MY_SCHEME_X}]}`],
  ['the reserved prefix of containers (platform/concepts.names)', workload,
    `spec: {containers: [{name: <scheme>-agent}, {name: my-scheme}, {name: my-quay}]}`],
  ['the built-in audit context, and links to it; no other of that name', '/org/o/policy',
    `name: scheme, targetKind: auditctx, targetLinks: [//auditctx/<scheme>, /org/o/auditctx/<scheme>,
    //gvc/scheme]`],
  ['the audit context as a record', '/org/o/auditctx',
    `name: <scheme>, description: <scheme>, tags: {}`],
  ['reserved tags only; other keys and all values stay (platform/concepts.tags)', workload,
    `tags: {<scheme>/protected: scheme, scheme: x, proxy: proxy, a/scheme/b: 1, <scheme>/x: null}`],
  ['a reserved tag with a separate name', workload,
    `tags: {<scheme>/<release>: "1"}`],
  ['tag selectors of a query (platform/query)', '/org/o/workload/-query',
    `spec: {match: any, terms: [{tag: <scheme>/protected, op: exists}, {tag: proxy, value: proxy}]}`],
  ['properties and the order of a query', '/org/o/gvc/-query',
    `spec: {terms: [{property: spec.tracing.provider.<tracer>.endpoint, op: exists}],
    sort: {by: tags.<scheme>/protected}}`],
  ['stored queries: of locations, members and targets', '/org/o/policy',
    `targetQuery: {kind: gvc, spec: {terms: [{tag: <scheme>/protected, value: true}]}}`],
  ['the audit context that a policy selects by name', '/org/o/policy',
    `targetKind: auditctx, targetQuery: {spec: {terms: [{property: name, value: <scheme>}]}}`],
  ['reserved tags in an expression over identities', '/org/o/group',
    `identityMatcher: {expression: "tags.\\"<scheme>/a\\" == 'scheme' && tags['proxy/scheme/a']"}`],
  ['the audit context that a query selects by name', '/org/o/auditctx/-query',
    `spec: {terms: [{property: name, value: <scheme>}, {property: id, value: scheme}]}`],
  ['nothing in the data of a secret, neither keys nor values', '/org/o/secret',
    `name: s, type: dictionary, data: {proxy: scheme://secret/x, SCHEME_X: proxy, scheme/x: "1", $drop: x}`],
  ['no key of a set of headers', '/org/o/domain',
    `spec: {ports: [{routes: [{headers: {request: {set: {proxy: a, x-scheme-a: b}}}}]}]}`],
  ['no key of the metadata of a trigger', workload,
    `spec: {defaultOptions: {autoscaling: {keda: {triggers: [{metadata: {proxy: a}}]}}}}`],
  ['no key of metadata in settings of the proxy, and none of custom tags', gvc,
    `spec: {tracing: {customTags: {proxy: {}}}, sidecar: {<proxy>: {clusters: [{metadata: {proxy_x: 1}}]}}}`],
  ['no free-form JSON of users: extras', workload,
    `spec: {extras: {tolerations: [{key: proxy, proxy: vendor}]}}`],
  ['no value that merely looks like a name', workload,
    `description: proxy.filters.http.cors, spec: {containers: [{image: scheme/proxy:1,
    gpu: {custom: {resource: vendor.example.com/a}}}]}`],
  ['containers and variables of a run-now', '/org/o/gvc/g/workload/w/-command',
    `type: runCronWorkload, spec: {containerOverrides: [{name: <scheme>-x, env: [{name: <SCHEME>_A,
    value: <scheme>://secret/a}]}]}`],
  ['reserved tags of a snapshot, and no others', '/org/o/gvc/g/volumeset/v/-command',
    `type: createVolumeSnapshot, spec: {snapshotTags: [{proxy: scheme}, {<scheme>/a: "1"}]}`],
];

for (const [title, path, document] of requests)
  test(`the dialect translates in a request: ${title}`, () => {
    const [neutral, wire] = [neutralOf(document), wireOf(document)];
    for (const either of [neutral, wire]) {
      expect(dialect.request(path, either, 'toWire')).toEqual(wire);
      expect(dialect.request(path, either, 'toNeutral')).toEqual(neutral);
    }
  });

// biome-ignore format: a row is a case
const answers: readonly Vector[] = [
  ['a list of records, with its links', '/org/o/auditctx',
    `kind: list, itemKind: auditctx, items: [{kind: auditctx, name: <scheme>, description: <scheme>,
    links: [{rel: self, href: /org/o/auditctx/<scheme>}]}], links: []`],
  ['the result of a query, with the query', '/org/o/gvc/-query',
    `kind: queryresult, itemKind: gvc, items: [{kind: gvc, spec: {sidecar: {<proxy>: {}}}}], query: {kind: gvc,
    spec: {terms: [{tag: <scheme>/a, op: exists}]}}`],
  ['the trail of the built-in context (platform/audit.trail)', '/audit/org/o',
    `kind: queryresult, itemKind: auditevent, items: [{resource: {type: gvc, name: scheme,
    data: {tags: {<scheme>/a: 1}, spec: {sidecar: {<proxy>: {}}}}}, context: {org: o, name: <scheme>}}],
    links: [{rel: next, href: /audit/org/o?contextName=<scheme>&next=x}]`],
  ['the containers that a workload runs, by name', '/org/o/gvc/g/workload/w/deployment/l',
    `kind: deployment, name: l, status: {versions: [{containers: {<scheme>-x: {ready: true}, proxy: {}}}]}`],
  ['the snapshots of a volume, with their tags', '/org/o/gvc/g/volumeset/v',
    `kind: volumeset, status: {volumeSnapshots: [{name: s, tags: [{<scheme>/a: "1"}, {proxy: "2"}]}]}`],
  ['the host of the record that proves ownership of a domain (platform/domain.ownership)', '/org/o/domain',
    `status: 400, message: prove it, code: must_prove_ownership, details: {ownershipConfig: [{type: TXT,
    host: _<scheme>-www.example.com, value: scheme}]}`, 400],
  ['the places and names in a refusal (platform/errors.body)', gvc,
    `message: 'spec.sidecar.<proxy>.http."<proxy>.filters.http.ratelimit".<proxy>: "<proxy>" is not allowed
    here (and 2 more)',
    details: {problems: [{path: spec.env.<SCHEME>_A.name, message: the prefix <SCHEME>_ is reserved,
    rule: gvc.proxy-user}, {path: "tags.\\"<scheme>/protected\\"", message: "the proxy, <scheme>://secret/x",
    rule: r}]}`, 400],
  ['a custom resource of a cluster (platform/wire.discovery)', '/-exporter/crd/org/o/gvc/g',
    `apiVersion: <scheme>/v1, kind: gvc, metadata: {name: proxy}, spec: {sidecar: {<proxy>: {}}}`],
  ['several custom resources', '/-exporter/crd/org/o/gvc',
    `kind: list, items: [{apiVersion: <scheme>/v1, kind: gvc, spec: {env: [{name: <SCHEME>_A}]}}]`],
  ['nothing in a snapshot, which is the same in every dialect', '/-snapshot',
    `proxy: scheme://secret/x, tags: {scheme/protected: true}`],
];

for (const [title, path, document, status = 200] of answers)
  test(`the dialect translates in an answer: ${title}`, () => {
    const [neutral, wire] = [neutralOf(document), wireOf(document)];
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
])('the dialect translates the address %s', (neutral, wire) => {
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
])('the dialect translates the header %s (platform/wire.headers)', (neutral, wire) => {
  for (const either of [neutral, wire]) {
    expect(dialect.header(either, 'toWire')).toBe(wire);
    expect(dialect.header(either, 'toNeutral')).toBe(neutral);
  }
});

test('the dialect translates a location in a header, and the places in warnings', () => {
  const said = String.raw`W32;path="spec.env.SCHEME_A.\"x\"";message="the proxy, scheme://secret/x", more;count=2`;
  const wire = 'W32;path="spec.env.QUAY_A.x";message="the proxy, quay://secret/x", more;count=2';
  expect(dialect.headerValue(gvc, 'x-scheme-warning', said, 'toWire')).toBe(wire);
  expect(dialect.headerValue('/org/o/auditctx', 'Location', '/org/o/auditctx/scheme', 'toWire')).toBe(
    '/org/o/auditctx/quay',
  );
  expect(dialect.headerValue(gvc, 'retry-after', 'scheme', 'toWire')).toBe('scheme');
});

test("a message about a missing record has the installation's words", () => {
  const said = (link: string) => ({ message: `${link} does not exist`, details: [link] });
  expect(dialect.answer('/org/o/auditctx/scheme', 404, said('/org/o/auditctx/scheme'), 'toWire')).toEqual(
    said('/org/o/auditctx/quay'),
  );
});

test('text that is not JSON, or cannot be written again, is not changed', () => {
  const deep = `${'['.repeat(5000)}"scheme://secret/x"${']'.repeat(5000)}`;
  for (const text of ['', '{"proxy":', deep, '{"spec":{"a":1e999,"b":"scheme://secret/x"}}']) {
    expect(dialect.answerText(gvc, 200, text, 'toWire')).toBe(text);
  }
});

test('a word with escaped letters is translated', () => {
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

test("in an answer with two spellings of one name the installation's spelling wins", () => {
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
  ['a URI of another scheme', workload, { spec: { containers: [{ env: [{ name: 'A', value: 'scheme://db:1/x' }] }] } }],
  ['a word alone', workload, { spec: { containers: [{ env: [{ name: 'scheme', value: 'scheme' }] }] } }],
])('text that only looks like a reference is not changed: %s', (_, path, body) => {
  expect(dialect.request(path, body, 'toWire')).toEqual(body);
  const other: JsonValue = JSON.parse(JSON.stringify(body).replaceAll('scheme', 'quay'));
  expect(dialect.request(path, other, 'toNeutral')).toEqual(other);
});

test("a manifest in the installation's words is translated, and its places are kept", () => {
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

test('the description of the API has the names of fields on the wire', () => {
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

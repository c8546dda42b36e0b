import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { suggest } from '../../../src/base/text/suggest.ts';
import { cipherSuites } from '../../../src/kinds/domain/cipherSuites.ts';
import { manifestSchema, recordSchema } from '../../../src/kinds/jsonSchema.ts';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { unknownSource } from '../../../src/kinds/shapeProblem.ts';
import { loadValidators, validateShape } from '../../../src/kinds/validators.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { creatableKinds, type Kind, kindNamed, readOnlyKinds } from '../../../src/schema/record/kinds.ts';
import { withKinds } from '../../kinds/withKinds.ts';
import { valueIn } from '../arbitraryRecord.ts';

const kinds = [...creatableKinds, ...readOnlyKinds];
const validators = await loadValidators(kinds);

function found(kind: Kind, record: JsonObject): readonly string[] {
  return validateShape(validators, kind, record).map(({ rule, path }) => `${rule} ${path}`);
}

const container = { name: 'main', image: 'nginx' };
const workload = (spec: JsonObject, inContainer: JsonObject = {}): JsonObject => ({
  name: 'web',
  spec: { type: 'standard', containers: [{ ...container, ...inContainer }], ...spec },
});

interface Case {
  readonly kind: Kind;
  readonly it: string;
  readonly record: JsonObject;
  readonly problems: readonly string[];
}

// biome-ignore format: a row is a case
const good: readonly { readonly kind: Kind; readonly record: JsonObject }[] = [
  { kind: 'agent', record: { name: 'a', description: 'text', tags: { a: 1, b: true, c: null, d: 'x' } } },
  { kind: 'auditctx', record: { name: 'a' } },
  { kind: 'cloudaccount', record: { name: 'a', provider: 'gcp', data: { projectId: 'project-1' } } },
  { kind: 'deployment', record: { name: 'a', status: { ready: true } } },
  { kind: 'domain',
    record: { name: 'a.example.com',
      spec: { dnsMode: 'cname',
        ports: [{ number: 443, protocol: 'http2',
            routes: [{ prefix: '/', workloadLink: '//gvc/g/workload/w', headers: { request: { set: { 'x-a': 'b' } } } },
              { regex: '.*', workloadLink: '//gvc/g/workload/w',
                mirror: [{ workloadLink: '//gvc/g/workload/m', percent: 25.5 }] }],
            cors: { allowOrigins: [{ exact: 'https://a' }], allowHeaders: ['X-A'], maxAge: '24h' },
            tls: { cipherSuites: [...cipherSuites.offered] } }] } } },
  { kind: 'group',
    record: { name: 'a', memberLinks: ['//user/a@b.c'],
      memberQuery: { spec: { terms: [{ tag: 'x', value: true }] } } } },
  { kind: 'gvc',
    record: { name: 'shop',
      spec: { staticPlacement: { locationLinks: ['//location/l'],
          locationOptions: [{ locationLink: '//location/l', latencyOffsetMs: -5 }] },
        tracing: { sampling: 55.55, provider: { controlplane: {} }, customTags: { a: { literal: { value: 'x' } } } },
        loadBalancer: { dedicated: true, trustedProxies: 2, redirect: { class: { status401: 'https://x/%REQ(a)%' } } },
        sidecar: {
          proxy: { http: [{ name: 'proxy.filters.http.ext_authz', typed_config: { '@type': 'x', later: [1] } }],
            network: [{}],
            excludedRateLimit: [{ match: { safe_regex: { regex: '.*' }, headers: [{ name: 'a' }] }, port: 80 }],
            clusters: [{ name: 'c', type: 'STRICT_DNS', connect_timeout: '1s', http2_protocol_options: {} }] } } } } },
  { kind: 'identity',
    record: { name: 'a', aws: { cloudAccountLink: '//cloudaccount/a', policyRefs: ['aws::ReadOnlyAccess'] },
      gcp: { cloudAccountLink: '//cloudaccount/g',
        bindings: [{ resource: '//x/y', roles: ['roles/storage.objectViewer'] }] },
      networkResources: [{ name: 'n', IPs: ['10.0.0.1'], ports: [5432] }],
      nativeNetworkResources: [
        { name: 'm', FQDN: 'a.b', ports: [80], awsPrivateLink: { endpointServiceName: 's' } }] } },
  { kind: 'ipset',
    record: { name: 'a', spec: { link: '//gvc/g', locations: [{ name: '//location/l', retentionPolicy: 'free' }] } } },
  { kind: 'location', record: { name: 'a', provider: 'byok', spec: { enabled: false } } },
  { kind: 'org',
    record: { name: 'a',
      spec: { logging: { s3: { bucket: 'b', credentials: '//secret/s' } }, extraLogging: [{ datadog: { host: 'h' } }],
        tracing: { sampling: 1, provider: { controlplane: {} } }, sessionTimeoutSeconds: 900,
        authConfig: { domainAutoMembers: ['example.com'], samlOnly: true },
        observability: { logsRetentionDays: 0, metricsRetentionDays: 30, tracesRetentionDays: 3650 },
        security: {
          threatDetection: { enabled: true, minimumSeverity: 'error', syslog: { transport: 'udp', port: 1 } } } } } },
  { kind: 'policy',
    record: { name: 'a', targetKind: 'secret', target: 'all',
      bindings: [{ permissions: ['use'], principalLinks: ['//group/g'] }] } },
  { kind: 'image', record: { name: 'shop/web:1', tags: { keep: true } } },
  { kind: 'quota', record: { name: 'a', max: 2.5 } },
  { kind: 'serviceaccount', record: { name: 'a' } },
  { kind: 'task', record: { type: 'x', context: { a: 1 } } },
  { kind: 'user', record: { name: 'a', email: 'a@b.c' } },
  { kind: 'volumeset',
    record: { name: 'a',
      spec: { initialCapacity: 10.5, performanceClass: 'general-purpose-ssd',
        autoscaling: { maxCapacity: 100, predictive: { enabled: true } },
        customEncryption: { regions: { 'aws-us-east-1': { keyId: 'k' } } } } } },
  { kind: 'workload',
    record: workload(
      { job: { schedule: '* * * * *' }, localOptions: [{ location: 'l', autoscaling: { metric: 'cpu' } }],
        vm: { anything: [1] }, extras: { affinity: { a: 1 }, tolerations: [1] },
        loadBalancer: { direct: { enabled: true, ports: [{ externalPort: 22, protocol: 'TCP' }] } },
        firewallConfig: {
          external: { inboundAllowCIDR: ['0.0.0.0/0', '::1'], outboundAllowHostname: ['*.example.com', 'a'] },
          internal: { inboundAllowWorkload: ['scheme://internal/keda', '//agent/a'] } } },
      { cpu: 0.5, memory: '1e9', ports: [{ number: 80 }], readinessProbe: { grpc: {} },
        gpu: { nvidia: { model: 't4' } } }) },
];

test.each(good)('$kind: a valid record has no problems', ({ kind, record }) => {
  expect(found(kind, record)).toEqual([]);
});

test('every kind has a valid record except the secret, which has its own test', () => {
  expect(new Set([...good.map(({ kind }) => kind), 'secret'])).toEqual(new Set(kinds));
});

test.each(kinds)('%s: read-only fields may be sent back (platform/wire.writes)', (kind) => {
  const record = good.find((one) => one.kind === kind)?.record ?? { name: 'a', type: 'tls', data: { cert: 'x' } };
  const back = {
    id: 'x',
    kind,
    version: 3,
    created: 'x',
    lastModified: 'x',
    links: [{ rel: 'self' }],
    status: { a: 1 },
  };
  expect(found(kind, { ...record, ...back })).toEqual([]);
});

// biome-ignore format: one case a line
const bad: readonly Case[] = [
  { kind: 'agent', it: 'no name', record: {}, problems: ['shape.required name'] },
  { kind: 'agent', it: 'a spec that it has not', record: { name: 'a', spec: {} },
    problems: ['shape.unknown-field spec'] },
  { kind: 'agent', it: 'a tag that is a list', record: { name: 'a', tags: { 'a.b': [] } },
    problems: ['shape.type tags."a.b"'] },
  { kind: 'agent', it: 'a long description', record: { name: 'a', description: 'x'.repeat(251) },
    problems: ['shape.length description'] },
  { kind: 'agent', it: 'a name of Object.prototype', record: { name: 'a', constructor: 1 },
    problems: ['shape.unknown-field constructor'] },
  { kind: 'auditctx', it: 'a number as name', record: { name: 5 }, problems: ['shape.type name'] },
  { kind: 'cloudaccount', it: 'another provider and a bad ARN',
    record: { name: 'a', provider: 'oci', data: { roleArn: 'x' } },
    problems: ['shape.pattern data.roleArn', 'shape.enum provider'] },
  { kind: 'deployment', it: 'an unknown field', record: { name: 'a', x: 1 }, problems: ['shape.unknown-field x'] },
  { kind: 'domain', it: 'a route without a target, a bad age and a percentage',
    record: { name: 'a',
      spec: { ports: [{ number: 80, routes: [{ prefix: '/', mirror: [{ workloadLink: 'w', percent: 101 }] }],
            cors: { maxAge: '1d' } }] } },
    problems: ['shape.pattern spec.ports.80.cors.maxAge', 'shape.range spec.ports.80.routes."/".mirror.w.percent',
      'shape.pattern spec.ports.80.routes."/".mirror.w.workloadLink',
      'shape.required spec.ports.80.routes."/".workloadLink'] },
  { kind: 'group', it: 'a bare name as member', record: { name: 'a', memberLinks: ['x'] },
    problems: ['shape.pattern memberLinks.0'] },
  { kind: 'gvc', it: 'an unknown proxy list, and bounds',
    record: { name: 'a',
      spec: { sidecar: { proxy: { filters: [] } }, tracing: { sampling: 101 }, loadBalancer: { trustedProxies: 3 } } },
    problems: ['shape.range spec.loadBalancer.trustedProxies', 'shape.unknown-field spec.sidecar.proxy.filters',
      'shape.range spec.tracing.sampling'] },
  { kind: 'identity', it: 'ports missing, too many addresses',
    record: { name: 'a',
      networkResources: [{ name: 'n', IPs: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4', '1.1.1.5', '1.1.1.6'] }] },
    problems: ['shape.items networkResources.n.IPs', 'shape.required networkResources.n.ports'] },
  { kind: 'ipset', it: 'a name instead of a link',
    record: { name: 'a', spec: { locations: [{ name: 'l', retentionPolicy: 'kep' }] } },
    problems: ['shape.pattern spec.locations.l.name', 'shape.enum spec.locations.l.retentionPolicy'] },
  { kind: 'image', it: 'a tag that is a list', record: { name: 'a:1', tags: { a: [] } },
    problems: ['shape.type tags.a'] },
  { kind: 'quota', it: 'a limit below zero', record: { name: 'a', max: -1 }, problems: ['shape.range max'] },
  { kind: 'org', it: 'values beyond their bounds (platform/org)',
    record: { name: 'a',
      spec: { sessionTimeoutSeconds: 899, observability: { logsRetentionDays: 3651 },
        security: { threatDetection: { minimumSeverity: 'info' } } } },
    problems: ['shape.range spec.observability.logsRetentionDays',
      'shape.required spec.security.threatDetection.enabled',
      'shape.enum spec.security.threatDetection.minimumSeverity', 'shape.range spec.sessionTimeoutSeconds'] },
  { kind: 'location', it: 'text for a boolean', record: { name: 'a', spec: { enabled: 'yes' } },
    problems: ['shape.type spec.enabled'] },
  { kind: 'policy', it: 'no target kind, a binding without principals',
    record: { name: 'a', bindings: [{ permissions: [], principalLinks: [] }] },
    problems: ['shape.items bindings.0.permissions', 'shape.items bindings.0.principalLinks',
      'shape.required targetKind'] },
  { kind: 'serviceaccount', it: 'a spec', record: { name: 'a', spec: {} }, problems: ['shape.unknown-field spec'] },
  { kind: 'task', it: 'an unknown field', record: { x: 1 }, problems: ['shape.unknown-field x'] },
  { kind: 'user', it: 'an address that is no text', record: { name: 'a', email: 5 }, problems: ['shape.type email'] },
  { kind: 'volumeset', it: 'no capacity, a bad duration',
    record: { name: 'a', spec: { snapshots: { retentionDuration: '1w' } } },
    problems: ['shape.required spec.initialCapacity', 'shape.pattern spec.snapshots.retentionDuration'] },
  { kind: 'workload', it: 'no type, no containers', record: { name: 'a', spec: {} },
    problems: ['shape.required spec.containers', 'shape.required spec.type'] },
  { kind: 'workload', it: 'several mistakes in one container, each once',
    record: workload({},
      { ports: [{ number: '80' }], cpu: 'lots', env: [{ name: '1A' }], resources: {}, command: ['a'] }),
    problems: ['shape.type spec.containers.main.command', 'shape.pattern spec.containers.main.cpu',
      'shape.pattern spec.containers.main.env.1A.name', 'shape.type spec.containers.main.ports.80.number',
      'shape.unknown-field spec.containers.main.resources'] },
  { kind: 'workload', it: 'a list that is an object', record: workload({ containers: {} }),
    problems: ['shape.type spec.containers'] },
  { kind: 'workload', it: 'null', record: workload({ job: null }), problems: ['shape.type spec.job'] },
];

test.each(bad)('$kind: $it', ({ kind, record, problems }) => {
  expect(found(kind, record)).toEqual(problems);
});

test('every kind except the secret has an invalid record', () => {
  expect(new Set([...bad.map(({ kind }) => kind), 'secret'])).toEqual(new Set(kinds));
});

describe('secrets: exactly the shape of the type, without problems of the others (rule S1)', () => {
  const data: Readonly<Record<(typeof secretTypes)[number], JsonObject | string>> = {
    opaque: { payload: 'x', encoding: 'base64' },
    dictionary: { 'a.b': 'x' },
    userpass: { username: 'u', password: 'p' },
    tls: { cert: 'c', key: 'k' },
    keypair: { secretKey: 'k', passphrase: 'p' },
    aws: { accessKey: 'AKIA', secretKey: 's', roleArn: 'arn:x' },
    ecr: { accessKey: 'AKIA', secretKey: 's', repos: ['r'] },
    docker: '{}',
    gcp: '{}',
    'azure-sdk': '{}',
    'azure-connector': { url: 'https://x', code: 'c' },
    'nats-account': { accountId: 'A', privateKey: 'SA' },
  };

  test.each(secretTypes)('%s', (type) => {
    expect(found('secret', { name: 's', type, data: data[type] })).toEqual([]);
    expect(found('secret', { name: 's', type, data: 5 })).toEqual(['shape.type data']);
    expect(found('secret', { name: 's', type })).toEqual(['shape.required data']);
  });

  test.each<[string, JsonObject | string, readonly string[]]>([
    ['opaque', { text: 'x' }, ['shape.required data.payload', 'shape.unknown-field data.text']],
    ['opaque', { payload: 'x', encoding: 'hex' }, ['shape.enum data.encoding']],
    ['dictionary', {}, ['shape.items data']],
    ['dictionary', { 'a b': 'x' }, ['shape.pattern data."a b"']],
    ['dictionary', { a: 1 }, ['shape.type data.a']],
    ['userpass', { username: 'u', password: '' }, ['shape.length data.password']],
    ['docker', { auths: {} }, ['shape.type data']],
    ['ecr', { accessKey: 'a', secretKey: 's', repos: [] }, ['shape.items data.repos']],
    ['other', {}, ['shape.enum type']],
  ])('%s with %j', (type, value, problems) => {
    expect(found('secret', { name: 's', type, data: value })).toEqual(problems);
  });

  test('no message or hint contains a value', () => {
    const marker = 7_345_129;
    const record = {
      name: 's',
      type: 'userpass',
      data: { username: marker, password: [marker], encoding: `${marker}` },
    };
    expect(JSON.stringify(validateShape(validators, 'secret', record))).not.toContain(String(marker));
  });
});

test.each<[string, JsonObject, string | undefined]>([
  ['a near name', { imag: 'x' }, 'Did you mean "image"?'],
  ['swapped letters', { memroy: '1Gi' }, 'Did you mean "memory"?'],
  ['another case', { inheritenv: true }, 'Did you mean "inheritEnv"?'],
])('an unknown field gets a hint: %s', (_it, inContainer, hint) => {
  const [problem] = validateShape(validators, 'workload', workload({}, inContainer));
  expect(problem?.hint).toBe(hint);
});

test('an unknown field without a similar name gets the list of known ones, without read-only ones', () => {
  const [problem] = validateShape(validators, 'agent', { name: 'a', zzzzzz: 1 });
  expect(problem).toEqual({
    rule: 'shape.unknown-field',
    path: 'zzzzzz',
    pointer: ['zzzzzz'],
    message: '"zzzzzz" is not allowed here',
    hint: 'Known fields: description, name, tags.',
    severity: 'error',
  });
});

test('the nearest candidate is suggested, and no distant one', () => {
  expect(suggest('serverles', ['standard', 'serverless'])).toBe('serverless');
  expect(suggest('x', ['standard', 'cron'])).toBeUndefined();
  expect(suggest('', ['a'])).toBe('a');
  expect(suggest('abc', [])).toBeUndefined();
});

test('problems are ordered by path, one for each, up to the limit', () => {
  const record = { name: 'a', spec: {}, x: 1, bad: 1, spec2: 2 };
  const all = [
    'shape.unknown-field bad',
    'shape.unknown-field spec',
    'shape.unknown-field spec2',
    'shape.unknown-field x',
  ];
  expect(found('serviceaccount', record)).toEqual(all);
  expect(validateShape(validators, 'serviceaccount', record, unknownSource, 2).length).toBe(2);
  expect(validateShape(validators, 'serviceaccount', record, unknownSource, 0)).toEqual([]);
});

test('the type is checked first, and is the only problem of its path', () => {
  expect(found('policy', { name: 'a', targetKind: 5 })).toEqual(['shape.type targetKind']);
  expect(found('ipset', { name: 5 })).toEqual(['shape.type name']);
});

test('a kind is loaded once', async () => {
  const [once, again] = await Promise.all([loadValidators(['agent', 'agent']), loadValidators(['agent'])]);
  expect([...once.keys()]).toEqual(['agent']);
  expect(once.get('agent')).toBe(again.get('agent'));
});

describe('records of a custom kind', () => {
  withKinds({ theme: onlyNamed });

  test('are checked for the fields of every record', async () => {
    const kind = kindNamed('theme') ?? 'task';
    const custom = await loadValidators([kind]);
    expect(validateShape(custom, kind, { name: 't', spec: { anything: [1] } })).toEqual([]);
    const problems = validateShape(custom, kind, { name: 5, tags: { a: [] } });
    expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['shape.type name', 'shape.type tags.a']);
  });
});

test('a kind that was not loaded is an internal error', async () => {
  const few = await loadValidators(['agent']);
  expect(() => validateShape(few, 'gvc', {})).toThrow('gvc');
});

// scripts/generate.ts generates their code: shared objects once, and short errors.
test.each(kinds)('the validator of %s finds the same errors as ajv, in the same order', (kind) => {
  const options = { allErrors: true, strictTypes: false, strictRequired: false, allowUnionTypes: true } as const;
  const compiled = new Ajv2020({ ...options, unicode: false, unicodeRegExp: false, logger: false });
  const reference = compiled.compile(recordSchema(kind));
  const generated = validators.get(kind);
  const inShort = (errors: (typeof generated & object)['errors']) =>
    errors?.map(({ instancePath, keyword, params, propertyName }) => ({ instancePath, keyword, params, propertyName }));
  fc.assert(
    fc.property(valueIn(shapeOf(kind)), (record) => {
      expect(generated?.(record)).toBe(reference(record));
      expect(inShort(generated?.errors)).toEqual(inShort(reference.errors));
    }),
  );
});

describe('the published JSON Schemas', () => {
  const compile = (schema: object) =>
    new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }).compile(schema);

  test.each(kinds)('%s is 2020-12 without our own keyword', (kind) => {
    const schema = recordSchema(kind);
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(JSON.stringify(schema)).not.toContain('x-gantry');
    compile(schema);
  });

  test.each(creatableKinds)('the manifest of %s has a kind and a lifecycle, and no other additional fields', (kind) => {
    const validate = compile(manifestSchema(kind));
    const { record } = good.find((one) => one.kind === kind) ?? { record: { name: 's', type: 'docker', data: '{}' } };
    expect(validate({ kind, ...record, lifecycle: { protect: true, ignore: ['spec.x'] } })).toBe(true);
    expect(validate({ $schema: './gvc.json', kind, ...record })).toBe(true);
    expect(validate({ kind: 'other', ...record })).toBe(false);
    expect(validate({ kind, ...record, lifecycle: { protected: true } })).toBe(false);
    expect(validate({ kind, ...record, later: 1 })).toBe(false);
  });
});

test.each([
  ['true', 'Write true, without quotes.'],
  ['yes', 'Write true, without quotes.'],
  ['off', 'Write false, without quotes.'],
  ['maybe', undefined],
])('the text %s instead of a boolean: %s', (text, hint) => {
  const [problem] = validateShape(validators, 'location', { name: 'own', spec: { enabled: text } });
  expect([problem?.rule, problem?.hint]).toEqual(['shape.type', hint]);
});

test('a number in quotes is reported with the right spelling', () => {
  const [problem] = validateShape(validators, 'workload', workload({}, { ports: [{ number: '8080' }] }));
  expect(problem?.hint).toBe('Write it without quotes: 8080.');
});

test('a misspelled required field is one problem, not two', () => {
  expect(found('workload', { name: 'w', spec: { type: 'cron', container: [] } })).toEqual([
    'shape.unknown-field spec.container',
  ]);
});

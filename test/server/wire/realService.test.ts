import { describe, expect, test } from 'vitest';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../../../src/schema/json/json.ts';
import { container, platformForAll } from '../platform.ts';

/** What the real service takes from its clients, in strict mode. */

const east = '//location/aws-us-east-1';

const platform = platformForAll({}, async (platform) => {
  const staticPlacement = { locationLinks: [east] };
  await platform.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement } });
  await platform.send('POST', 'gvc', { name: 'keda-shop', spec: { keda: { enabled: true } } });
  await platform.send('POST', 'gvc/shop/workload', {
    name: 'front',
    spec: { type: 'standard', containers: [container()] },
  });
});

const keda = { triggers: [{ type: 'redis', name: 'queue', metadata: { list: 'jobs' } }] };

function scaled(autoscaling: JsonObject): JsonObject {
  return { type: 'standard', containers: [container()], defaultOptions: { capacityAI: false, autoscaling } };
}

interface Warned {
  readonly rule: string;
  readonly it: string;
  readonly path: string;
  readonly body: JsonObject;
  /** Where what is warned of is stored all the same. */
  readonly place: readonly string[];
}

const class10 = { performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
const shared = { fileSystemType: 'shared', performanceClass: 'shared', initialCapacity: 10 };

const warned: readonly Warned[] = [
  {
    rule: 'V5',
    it: 'snapshots of a shared volume set',
    path: 'gvc/shop/volumeset',
    body: { name: 'files-a', spec: { ...shared, snapshots: { retentionDuration: '7d' } } },
    place: ['spec', 'snapshots'],
  },
  {
    rule: 'V5',
    it: 'encryption of a shared volume set',
    path: 'gvc/shop/volumeset',
    body: {
      name: 'files-b',
      spec: { ...shared, customEncryption: { regions: { 'aws-us-east-1': { keyId: 'arn:aws:kms:key' } } } },
    },
    place: ['spec', 'customEncryption'],
  },
  {
    rule: 'V6',
    it: 'mount options of an xfs volume set',
    path: 'gvc/shop/volumeset',
    body: {
      name: 'files-c',
      spec: { ...class10, fileSystemType: 'xfs', mountOptions: { resources: { minCpu: '500m', maxCpu: '1' } } },
    },
    place: ['spec', 'mountOptions'],
  },
  {
    rule: 'W19',
    it: 'a target beside keda',
    path: 'gvc/keda-shop/workload',
    body: { name: 'web-a', spec: scaled({ metric: 'keda', target: 50, keda }) },
    place: ['spec', 'defaultOptions', 'autoscaling', 'target'],
  },
  {
    rule: 'W36',
    it: 'keda in a GVC where it is off',
    path: 'gvc/shop/workload',
    body: { name: 'web-b', spec: scaled({ metric: 'keda', keda }) },
    place: ['spec', 'defaultOptions', 'autoscaling', 'keda'],
  },
  {
    rule: 'W37',
    it: 'a trigger with a secret that the GVC does not list',
    path: 'gvc/keda-shop/workload',
    body: {
      name: 'web-c',
      spec: scaled({
        metric: 'keda',
        keda: { triggers: [{ type: 'redis', name: 'q', authenticationRef: { name: 'key' } }] },
      }),
    },
    place: ['spec', 'defaultOptions', 'autoscaling', 'keda'],
  },
  {
    rule: 'G5',
    it: 'a redirect without a dedicated load balancer',
    path: 'gvc',
    body: { name: 'lost', spec: { loadBalancer: { redirect: { class: { status5xx: 'https://a.example.com' } } } } },
    place: ['spec', 'loadBalancer', 'redirect'],
  },
  {
    rule: 'D8',
    it: 'all hosts and all sub-domains',
    path: 'domain',
    body: { name: 'example.com', spec: { acceptAllHosts: true, acceptAllSubdomains: true } },
    place: ['spec', 'acceptAllHosts'],
  },
  {
    rule: 'D19',
    it: 'a replica of a workload that is not stateful',
    path: 'domain',
    body: {
      name: 'example.org',
      spec: {
        ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: '//gvc/shop/workload/front', replica: 0 }] }],
      },
    },
    place: ['spec', 'ports'],
  },
  {
    rule: 'reference.dangling',
    it: 'the secret of a cloud account that is not there',
    path: 'cloudaccount',
    body: { name: 'azure-a', provider: 'azure', data: { secretLink: '//secret/none' } },
    place: ['data', 'secretLink'],
  },
  {
    rule: 'reference.dangling',
    it: 'an alias workload that is not there',
    path: 'gvc',
    body: { name: 'alias', spec: { aliasWorkloadLink: '//gvc/alias/workload/none' } },
    place: ['spec', 'aliasWorkloadLink'],
  },
  {
    rule: 'reference.dangling',
    it: 'an identity of keda that is not there',
    path: 'gvc',
    body: { name: 'keda-a', spec: { keda: { enabled: true, identityLink: '//identity/none' } } },
    place: ['spec', 'keda', 'identityLink'],
  },
  {
    rule: 'reference.dangling',
    it: 'a secret of keda that is not there',
    path: 'gvc',
    body: { name: 'keda-b', spec: { keda: { enabled: true, secrets: ['//secret/none'] } } },
    place: ['spec', 'keda', 'secrets'],
  },
];

test.each(warned)('$rule warns of $it, and stores it', async ({ rule, path, body, place }) => {
  const created = await platform.send('POST', path, body);
  expect([created.status, created.body['message']]).toEqual([201, undefined]);
  expect(created.headers.get('x-scheme-warning')).toMatch(new RegExp(`(^|, )${rule};path="`));
  const read = await platform.send('GET', `${path}/${String(body['name'])}`);
  const stored = place.reduce<JsonValue | undefined>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    read.body,
  );
  expect(stored).toBeDefined();
});

test('the commands that a shared volume set does not know stay refused (V5: fields, not commands)', async () => {
  await platform.send('POST', 'gvc/shop/volumeset', { name: 'files-d', spec: shared });
  const refused = await platform.send('POST', 'gvc/shop/volumeset/files-d/-command', {
    type: 'createVolumeSnapshot',
    spec: { location: 'aws-us-east-1', volumeIndex: 0, snapshotName: 'first' },
  });
  expect([refused.status, refused.body['code']]).toEqual([400, 'command_refused']);
});

test('a target that may be missing is kept while it is referred to (platform/deletion.references)', async () => {
  await platform.send('POST', 'secret', { name: 'held', type: 'opaque', data: { payload: 'p' } });
  await platform.send('POST', 'gvc', { name: 'keda-c', spec: { keda: { enabled: true, secrets: ['//secret/held'] } } });
  const refused = await platform.send('DELETE', 'secret/held');
  expect([refused.status, refused.body['code']]).toEqual([400, 'has_dependents']);
});

describe('a workload', () => {
  const path = 'gvc/shop/workload';

  test('keeps the case of the keys of header filters, and knows them in any', async () => {
    const filters = (...keys: readonly string[]) => ({
      external: { http: { inboundHeaderFilter: keys.map((key) => ({ key, allowedValues: ['a'] })) } },
    });
    const spec = { type: 'standard', containers: [container()], firewallConfig: filters('X-Team', 'x-env') };
    const created = await platform.send('POST', path, { name: 'filtered', spec });
    expect(objectAt(objectAt(created.body, 'spec'), 'firewallConfig')).toEqual(filters('X-Team', 'x-env'));
    const patch = { spec: { firewallConfig: { external: { http: { '$drop/inboundHeaderFilter': ['x-TEAM'] } } } } };
    const patched = await platform.send('PATCH', `${path}/filtered`, patch);
    expect(objectAt(objectAt(patched.body, 'spec'), 'firewallConfig')).toEqual(filters('x-env'));
  });

  test('has hooks that say nothing', async () => {
    const lifecycle = { postStart: {}, preStop: {} };
    const created = await platform.send('POST', path, {
      name: 'hooked',
      spec: { type: 'standard', containers: [container({ lifecycle })] },
    });
    expect(created.status).toBe(201);
    expect(listAt(objectAt(created.body, 'spec'), 'containers')[0]).toMatchObject({ lifecycle });
  });

  const machine = {
    name: 'main',
    cpu: '1',
    memory: '1Gi',
    volumes: [
      { uri: 'scheme://volumeset/boot', name: 'root', bus: 'virtio', bootOrder: 1 },
      { uri: 'scheme://secret/init', name: 'init', bus: 'sata' },
    ],
  };

  test('of the type vm needs no image, and its disks no path; name, bus and bootOrder pass through', async () => {
    await platform.send('POST', 'gvc/shop/volumeset', { name: 'boot', spec: shared });
    const created = await platform.send('POST', path, { name: 'machine', spec: { type: 'vm', containers: [machine] } });
    expect([created.status, created.body['message']]).toEqual([201, undefined]);
    const disks = { '$patch/volumes': [{ name: 'init', bus: 'scsi' }] };
    const patch = { spec: { '$patch/containers': [{ name: 'main', ...disks }] } };
    expect((await platform.send('PATCH', `${path}/machine`, patch)).status).toBe(200);
    const { body } = await platform.send('GET', `${path}/machine`);
    const [main] = listAt(objectAt(body, 'spec'), 'containers');
    expect(main).toEqual({
      ...machine,
      inheritEnv: false,
      volumes: [machine.volumes[0], { uri: 'scheme://secret/init', name: 'init', bus: 'scsi' }],
    });
    expect((await platform.send('GET', `${path}/machine/deployment`)).status).toBe(200);
  });

  test.each([
    ['an image', 'workload.image-needed', { name: 'main' }],
    ['the path of a volume', 'workload.volume-path', { ...container(), volumes: [{ uri: 's3://a' }] }],
    ['no bus', 'workload.disk', { ...container(), volumes: [{ uri: 's3://a', path: '/a', bus: 'sata' }] }],
  ])('of another type needs %s', async (_, rule, main) => {
    const refused = await platform.send('POST', path, { name: 'poor', spec: { type: 'standard', containers: [main] } });
    expect([refused.status, refused.body['details']]).toMatchObject([400, { problems: [{ rule }] }]);
  });
});

test('the region of a self-hosted location is its name', async () => {
  const created = await platform.send('POST', 'location', { name: 'my-rack', provider: 'byok' });
  expect([created.status, created.body['region']]).toEqual([201, 'my-rack']);
  expect((await platform.send('GET', 'location/my-rack')).body['region']).toBe('my-rack');
});

test('bootstrapConfig of an agent is in the answer to its creation, and never again', async () => {
  const created = await platform.send('POST', 'agent', { name: 'dc-west' });
  expect(objectAt(objectAt(created.body, 'status'), 'bootstrapConfig')).toMatchObject({
    registrationToken: expect.stringMatching(/.{20}/),
    agentId: created.body['id'],
  });
  for (const answer of [
    await platform.send('GET', 'agent/dc-west'),
    await platform.send('GET', 'agent'),
    await platform.send('POST', 'agent/-query', {}),
    await platform.send('PATCH', 'agent/dc-west', { description: 'x' }),
    await platform.send('PUT', 'agent', { name: 'dc-west' }),
  ]) {
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain('bootstrapConfig');
  }
});

test.each([
  ['standard', 'c3ViamVjdHM/aWQ9MQ==', 201],
  ['URL-safe', 'c3ViamVjdHM_aWQ9MQ==', 201],
  ['neither', 'c3ViamVjdHM!aWQ9MQ==', 400],
])('a password in base64, %s alphabet: %s is %i', async (it, password, status) => {
  const data = { username: 'u', password, encoding: 'base64' };
  const body = { name: `password-${it.toLowerCase()}`, type: 'userpass', data };
  expect((await platform.send('POST', 'secret', body)).status).toBe(status);
});

const thirtyDays = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };

test('a new org keeps logs, metrics and traces for 30 days', async () => {
  const home = await platform.send('GET', '/org/local');
  expect(objectAt(home.body, 'spec')).toEqual({ observability: thirtyDays });
  const made = await platform.send('POST', '/org', { name: 'second' });
  expect(objectAt(made.body, 'spec')).toEqual({ observability: thirtyDays });
  const other = { name: 'third', spec: { observability: { logsRetentionDays: 7 } } };
  const third = await platform.send('POST', '/org', other);
  expect(objectAt(third.body, 'spec')).toEqual({ observability: { ...thirtyDays, logsRetentionDays: 7 } });
});

test('a built-in location is described by provider, region and place', async () => {
  const { body } = await platform.send('GET', 'location/aws-eu-central-1');
  expect(body['description']).toBe('AWS, Europe (Frankfurt)');
  const { body: all } = await platform.send('GET', 'location?limit=100');
  const others = listAt(all, 'items')
    .filter(isObject)
    .filter((item) => item['origin'] === 'builtin')
    .map((item) => stringAt(item, 'description'));
  expect(others.length).toBeGreaterThan(5);
  for (const description of others) expect(description).toMatch(/^(AWS|Azure|GCP), \w[\w ]* \([A-Z][\w. ]+\)$/);
});

test('one slash at the end of a path does not count', async () => {
  for (const path of ['gvc', 'gvc/shop', '/org', '/discovery', 'gvc/shop/workload/front/deployment']) {
    const [plain, slashed] = [await platform.send('GET', path), await platform.send('GET', `${path}/`)];
    expect([slashed.status, slashed.body]).toEqual([plain.status, plain.body]);
    expect((await platform.send('GET', `${path}//`)).status, path).toBe(404);
  }
  expect((await platform.send('GET', 'gvc/?limit=1')).status).toBe(200);
  expect((await platform.send('POST', 'gvc/', { name: 'slashed' })).status).toBe(201);
  expect((await platform.send('DELETE', 'gvc/slashed/')).status).toBe(202);
});

test('what the org record refers to can be deleted', async () => {
  await platform.send('POST', 'secret', { name: 'logs', type: 'opaque', data: { payload: 'p' } });
  const spec = { logging: { s3: { bucket: 'b', credentials: '//secret/logs' } } };
  expect((await platform.send('PATCH', '/org/local', { spec })).status).toBe(200);
  expect((await platform.send('DELETE', 'secret/logs')).status).toBe(202);
  const { body } = await platform.send('GET', '/org/local');
  expect(objectAt(objectAt(body, 'spec'), 'logging')).toEqual({
    s3: { bucket: 'b', credentials: '/org/local/secret/logs' },
  });
});

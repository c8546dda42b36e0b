import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { rules } from '../../../src/kinds/registry.ts';
import { container, type TestPlatform, testPlatform } from '../platform.ts';

const ext4 = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
const east = '//location/aws-us-east-1';
const bare = { name: 'main', image: 'shop/web:1' };
const cron = { type: 'cron', containers: [bare], job: { schedule: '* * * * *' } };
const mountOptions = { resources: { minCpu: '500m', maxCpu: '1' } };
const shared = { initialCapacity: 10, performanceClass: 'shared', fileSystemType: 'shared' };

interface Case {
  readonly rule: string;
  readonly it: string;
  readonly path: string;
  readonly body: JsonObject;
}

/** All rules that the real service may not have. */
// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { rule: 'W8.ports', it: 'a port of a cron workload', path: 'gvc/shop/workload',
    body: { name: 'job-p', spec: { ...cron, containers: [container()] } } },
  { rule: 'V5', it: 'snapshots of a shared volume set', path: 'gvc/shop/volumeset',
    body: { name: 'files', spec: { ...shared, snapshots: { schedule: '0 * * * *', retentionDuration: '7d' } } } },
  { rule: 'V5', it: 'encryption of a shared volume set', path: 'gvc/shop/volumeset',
    body: { name: 'sealed', spec: { ...shared, customEncryption: { regions: { 'aws-us-east-1': {
      keyId: 'arn:aws:kms:key' } } } } } },
  ...['ext4', 'xfs'].map((fileSystemType): Case => ({ rule: 'V6', it: `mount options of an ${fileSystemType} volume set`,
    path: 'gvc/shop/volumeset',
    body: { name: `rows-${fileSystemType}`, spec: { ...ext4, fileSystemType, mountOptions } } })),
  { rule: 'W38', it: 'options for a location that the GVC does not have', path: 'gvc/shop/workload',
    body: { name: 'web-l', spec: { type: 'standard', containers: [container()],
      localOptions: [{ location: 'gcp-us-east1', spot: true }] } } },
  { rule: 'W31.vm', it: 'an ext4 volume set on a vm', path: 'gvc/shop/workload',
    body: { name: 'machine', spec: { type: 'vm', containers: [{ name: 'main', volumes: [{
      uri: 'scheme://volumeset/root' }] }] } } },
  { rule: 'W9', it: 'a probe of a cron workload', path: 'gvc/shop/workload',
    body: { name: 'job-a', spec: { ...cron, containers: [{ ...bare, readinessProbe: { exec: { command: [
      'true'] } } }] } } },
  { rule: 'W12', it: 'minCpu of a cron workload', path: 'gvc/shop/workload',
    body: { name: 'job-b', spec: { ...cron, containers: [{ ...bare, cpu: '100m', minCpu: '50m' }] } } },
  { rule: 'W16.keda', it: 'scaling to zero with keda', path: 'gvc/keda-shop/workload',
    body: { name: 'web-a', spec: { type: 'standard', containers: [container()],
      defaultOptions: { capacityAI: false, autoscaling: { metric: 'keda', minScale: 0, maxScale: 2,
        keda: { triggers: [{ type: 'redis' }] } } } } } },
  { rule: 'PO4', it: 'an unknown permission', path: 'policy',
    body: { name: 'readers', targetKind: 'secret', target: 'all',
      bindings: [{ permissions: ['peek'], principalLinks: ['//group/viewers'] }] } },
  { rule: 'domain.cipher-suites', it: 'an older cipher suite', path: 'domain',
    body: { name: 'example.com', spec: { ports: [{ number: 443, protocol: 'http2',
      tls: { cipherSuites: ['AES128-SHA'] } }] } } },
];

let strict: TestPlatform;
let lenient: TestPlatform;

async function started(isLenient: boolean): Promise<TestPlatform> {
  const platform = await testPlatform({ lenient: isLenient });
  await platform.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks: [east] } } });
  await platform.send('POST', 'gvc', { name: 'keda-shop', spec: { keda: { enabled: true } } });
  await platform.send('POST', 'gvc/shop/volumeset', { name: 'root', spec: ext4 });
  return platform;
}

beforeAll(async () => {
  [strict, lenient] = await Promise.all([started(false), started(true)]);
});
afterAll(() => Promise.all([strict.close(), lenient.close()]));

describe.each(cases)('$rule: $it', ({ rule, path, body }) => {
  test('is refused in strict mode', async () => {
    const answer = await strict.send('POST', path, body);
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toMatchObject({ problems: [{ rule }] });
    expect(answer.headers.get('x-scheme-warning')).toBeNull();
  });

  test('is accepted with a warning in lenient mode', async () => {
    const answer = await lenient.send('POST', path, body);
    expect(answer.body).toMatchObject({ name: body['name'] });
    expect(answer.status).toBe(201);
    const item = `${path}/${body['name']}`;
    const stored: JsonObject = JSON.parse(JSON.stringify(body).replaceAll('"//', '"/org/local/'));
    expect((await lenient.send('GET', item)).body).toMatchObject(stored);
    expect(answer.headers.get('x-scheme-warning')).toMatch(new RegExp(`^${rule};path="[^"]+";message=".+"$`));
  });
});

test('lenient mode downgrades these rules and no others', () => {
  const marked = rules.filter((rule) => rule.lenient === true).map(({ id }) => id);
  // V9.vm is the same rule as W31.vm, checked from the volume set.
  expect(new Set(marked)).toEqual(new Set([...cases.map(({ rule }) => rule), 'V9.vm']));
});

test('other rules also refuse in lenient mode, and a refusal has no warnings', async () => {
  const scaled = { autoscaling: { minScale: 0 } };
  const body = { name: 'job-c', spec: { ...cron, containers: [{ ...bare, minCpu: '50m' }], defaultOptions: scaled } };
  const answer = await lenient.send('POST', 'gvc/shop/workload', body);
  expect(answer.status).toBe(400);
  expect(answer.body['details']).toMatchObject({ problems: [{ rule: 'W8' }] });
  expect(answer.headers.get('x-scheme-warning')).toBeNull();
});

test('a PATCH and a PUT have warnings too, several in one header', async () => {
  const least = { ...bare, cpu: '100m', minCpu: '50m' };
  await lenient.send('POST', 'gvc/shop/workload', { name: 'job-d', spec: cron });
  const patched = await lenient.send('PATCH', 'gvc/shop/workload/job-d', { spec: { containers: [least] } });
  expect(patched.status).toBe(200);
  expect(patched.headers.get('x-scheme-warning')).toMatch(/^W12;/);
  const replaced = await lenient.send('PUT', 'gvc/shop/workload', {
    name: 'job-d',
    spec: { ...cron, containers: [{ ...least, readinessProbe: { exec: { command: ['true'] } } }] },
  });
  expect(replaced.status).toBe(200);
  expect(
    replaced.headers
      .get('x-scheme-warning')
      ?.split(/, (?=W)/)
      .map((entry) => entry.split(';')[0]),
  ).toEqual(['W9', 'W12']);
});

test('a dry run has warnings too, and stores nothing', async () => {
  const body = { name: 'job-e', spec: { ...cron, containers: [{ ...bare, cpu: '100m', minCpu: '50m' }] } };
  const rehearsed = await lenient.send('PUT', 'gvc/shop/workload?dryRun=true', body);
  expect(rehearsed.status).toBe(200);
  expect(rehearsed.headers.get('x-scheme-warning')).toMatch(/^W12;/);
  expect(rehearsed.headers.get('location')).toBeNull();
  expect((await lenient.send('GET', 'gvc/shop/workload/job-e')).status).toBe(404);
});

test('the answer to a write without warnings has no such header', async () => {
  expect((await lenient.send('POST', 'gvc', { name: 'plain' })).headers.get('x-scheme-warning')).toBeNull();
});

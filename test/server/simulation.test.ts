import { afterEach, beforeEach, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import { container, type TestPlatform, testPlatform } from './platform.ts';

const start = 1_000_000;
let nowMs: number;
let platform: TestPlatform;
beforeEach(async () => {
  nowMs = start;
  platform = await testPlatform({ readyAfterMs: 100, now: () => nowMs });
  const locationLinks = ['//location/aws-us-east-1'];
  await platform.send('POST', 'gvc', { name: 'shop', spec: { staticPlacement: { locationLinks } } });
});
afterEach(() => platform.close());

async function get(path: string): Promise<JsonObject> {
  return (await platform.send('GET', path)).body;
}

async function statusOf(path: string): Promise<JsonObject> {
  return objectAt(await get(path), 'status');
}

async function addLocation(): Promise<void> {
  const change = { spec: { staticPlacement: { '$append/locationLinks': ['//location/gcp-us-east1'] } } };
  expect((await platform.send('PATCH', 'gvc/shop', change)).status).toBe(200);
}

async function removeLocation(): Promise<void> {
  const change = { spec: { staticPlacement: { '$drop/locationLinks': ['//location/gcp-us-east1'] } } };
  expect((await platform.send('PATCH', 'gvc/shop', change)).status).toBe(200);
}

const web = { name: 'web', spec: { type: 'standard', containers: [container()] } };

test('a new version rolls out beside the one that runs, which then goes (platform/lifecycle.deployment)', async () => {
  await platform.send('POST', 'gvc/shop/workload', web);
  const path = 'gvc/shop/workload/web/deployment/aws-us-east-1';
  const first = await statusOf(path);
  expect(first).toMatchObject({ ready: false, deploying: true, versions: [{ workload: 1, ready: false }] });
  nowMs += 100;
  expect(await statusOf(path)).toMatchObject({
    ready: true,
    deploying: false,
    lastProcessedVersion: 1,
    expectedDeploymentVersion: 1,
    desiredScale: 1,
    internal: { syncFailed: false },
    jobExecutions: [],
    versions: [
      {
        workload: 1,
        gvc: 1,
        ready: true,
        containers: {
          main: { ready: true, resources: { replicas: 1, replicasReady: 1, cpu: '50m', memory: '128Mi' } },
        },
      },
    ],
  });
  await platform.send('PATCH', 'gvc/shop/workload/web', { tags: { a: 'b' } });
  expect(await statusOf(path)).toMatchObject({
    ready: true,
    deploying: true,
    lastProcessedVersion: 2,
    expectedDeploymentVersion: 2,
    versions: [
      { workload: 2, ready: false },
      { workload: 1, ready: true },
    ],
  });
  nowMs += 100;
  expect(await statusOf(path)).toMatchObject({ deploying: false, versions: [{ workload: 2, ready: true }] });
  expect(listAt(await statusOf(path), 'versions')).toHaveLength(1);
});

test('a location that comes later starts later, one that goes takes its deployment along (platform/deletion)', async () => {
  await platform.send('POST', 'gvc/shop/workload', web);
  nowMs += 100;
  await addLocation();
  expect(await get('gvc/shop/workload/web')).toMatchObject({
    version: 1,
    health: { readiness: 'partial', readyLocations: 1, totalLocations: 2 },
  });
  nowMs += 100;
  expect(await get('gvc/shop/workload/web')).toMatchObject({ health: { readiness: 'ready' } });
  await removeLocation();
  const { items } = await get('gvc/shop/workload/web/deployment');
  expect(items).toMatchObject([{ name: 'aws-us-east-1' }]);
  expect(items).toHaveLength(1);
});

test('a cron workload has deployments without replicas and without executions yet (platform/lifecycle.deployment)', async () => {
  const spec = { type: 'cron', containers: [{ name: 'main', image: 'a:1' }], job: { schedule: '* * * * *' } };
  await platform.send('POST', 'gvc/shop/workload', { name: 'job', spec });
  nowMs += 100;
  const { items } = await get('gvc/shop/workload/job/deployment');
  expect(items).toMatchObject([{ status: { ready: true, desiredScale: 0, jobExecutions: [] } }]);
});

const disk = { name: 'data', spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' } };

function database(minScale: number): JsonObject {
  const volumes = [{ uri: 'scheme://volumeset/data', path: '/data' }];
  const defaultOptions = { autoscaling: { minScale, maxScale: 5 } };
  return { name: 'base', spec: { type: 'stateful', containers: [container({ volumes })], defaultOptions } };
}

test('a volume for each replica comes with it and stays when it goes (platform/volumeset.volumes)', async () => {
  await platform.send('POST', 'gvc/shop/volumeset', disk);
  expect(await statusOf('gvc/shop/volumeset/data')).toMatchObject({ workloadLinks: [], locations: [] });
  await platform.send('POST', 'gvc/shop/workload', database(2));
  nowMs += 100;
  const workloadLinks = ['/org/local/gvc/shop/workload/base'];
  const [zero, one] = [0, 1].map((index) => ({ index, lifecycle: 'bound', currentSize: 10 }));
  expect(await statusOf('gvc/shop/volumeset/data')).toMatchObject({
    usedByWorkload: workloadLinks[0],
    workloadLinks,
    locations: [{ name: 'aws-us-east-1', desiredVolumeCount: 2, volumes: [zero, one] }],
  });
  const fewer = { spec: { defaultOptions: { autoscaling: { minScale: 1 } } } };
  await platform.send('PATCH', 'gvc/shop/workload/base', fewer);
  expect(await statusOf('gvc/shop/volumeset/data')).toMatchObject({
    locations: [{ desiredVolumeCount: 1, volumes: [zero, { ...one, lifecycle: 'unbound' }] }],
  });
  await platform.send('DELETE', 'gvc/shop/workload/base');
  const left = await get('gvc/shop/volumeset/data');
  expect(left).toMatchObject({
    version: 1,
    status: { workloadLinks: [], locations: [{ desiredVolumeCount: 0, volumes: [{ lifecycle: 'unbound' }, {}] }] },
  });
  expect(left['status']).not.toHaveProperty('usedByWorkload');
});

test('a shared set has one volume for a location, whoever mounts it (platform/volumeset.shared)', async () => {
  const files = { name: 'files', spec: { initialCapacity: 10, fileSystemType: 'shared' } };
  await platform.send('POST', 'gvc/shop/volumeset', files);
  const volumes = [{ uri: 'scheme://volumeset/files', path: '/files' }];
  for (const name of ['one', 'two']) {
    const spec = {
      type: 'standard',
      containers: [container({ volumes })],
      defaultOptions: { autoscaling: { minScale: 2, maxScale: 3 } },
    };
    expect((await platform.send('POST', 'gvc/shop/workload', { name, spec })).status).toBe(201);
  }
  await addLocation();
  nowMs += 100;
  const status = await statusOf('gvc/shop/volumeset/files');
  expect(status['workloadLinks']).toHaveLength(2);
  expect(listAt(status, 'locations').map((place) => isObject(place) && listAt(place, 'volumes').length)).toEqual([
    1, 1,
  ]);
});

test('an IP set holds an address for each location; free ones go with it, kept ones stay (platform/ipset)', async () => {
  const locations = [{ name: '//location/gcp-us-east1', retentionPolicy: 'free' }];
  await platform.send('POST', 'ipset', { name: 'ips', spec: { link: '//gvc/shop', locations } });
  await addLocation();
  const unbound = await statusOf('ipset/ips');
  expect(unbound).toMatchObject({
    ipAddresses: [
      { name: '/org/local/location/aws-us-east-1', state: 'unbound', ip: expect.any(String), id: expect.any(String) },
      { name: '/org/local/location/gcp-us-east1', state: 'unbound' },
    ],
    warning: expect.any(String),
  });
  await platform.send('PATCH', 'gvc/shop', { spec: { loadBalancer: { dedicated: true, ipSet: '//ipset/ips' } } });
  const bound = await statusOf('ipset/ips');
  expect(bound).toMatchObject({ ipAddresses: [{ state: 'bound' }, { state: 'bound' }] });
  expect(bound).not.toHaveProperty('warning');
  expect((await platform.send('DELETE', 'ipset/ips')).status).toBe(400);

  await removeLocation();
  const kept = await get('ipset/ips');
  expect(kept).toMatchObject({ version: 1, status: { ipAddresses: [{ name: '/org/local/location/aws-us-east-1' }] } });
  expect(listAt(objectAt(kept, 'status'), 'ipAddresses')).toHaveLength(1);
  await platform.send('PATCH', 'gvc/shop', { spec: { loadBalancer: { ipSet: null } } });
  expect((await platform.send('DELETE', 'ipset/ips')).status).toBe(202);
});

test('a GVC query places workloads in every location that it finds (platform/gvc)', async () => {
  const locationQuery = { spec: { terms: [{ property: 'provider', value: 'azure' }] } };
  await platform.send('POST', 'gvc', { name: 'wide', spec: { staticPlacement: { locationQuery } } });
  await platform.send('POST', 'gvc/wide/workload', web);
  const { items } = await get('gvc/wide/workload/web/deployment');
  expect(Array.isArray(items) && items.map((item) => isObject(item) && item['name']).toSorted()).toEqual([
    'azure-eastus2',
    'azure-northeurope',
    'azure-westus2',
  ]);
});

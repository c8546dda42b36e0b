import { beforeEach, expect, test } from 'vitest';
import { type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import { container, makeShop, platformForEach } from './platform.ts';

const start = 1_000_000;
let nowMs: number;
beforeEach(() => {
  nowMs = start;
});
const options = { readyAfterMs: 100, now: () => nowMs };
const platform = platformForEach(options, (platform) => makeShop(platform, 'aws-us-east-1'));

async function get(path: string): Promise<JsonObject> {
  return (await platform.send('GET', path)).body;
}

async function statusOf(path: string): Promise<JsonObject> {
  return objectAt(await get(path), 'status');
}

async function changeLocations(directive: 'append' | 'drop'): Promise<void> {
  const change = { spec: { staticPlacement: { [`$${directive}/locationLinks`]: ['//location/gcp-us-east1'] } } };
  expect((await platform.send('PATCH', 'gvc/shop', change)).status).toBe(200);
}

const web = { name: 'web', spec: { type: 'standard', containers: [container()] } };

test('a new version rolls out beside the running one, which is then removed (platform/lifecycle.deployment)', async () => {
  await platform.send('POST', 'gvc/shop/workload', web);
  const path = 'gvc/shop/workload/web/deployment/aws-us-east-1';
  expect(await get(path)).toMatchObject({
    kind: 'deployment',
    name: 'aws-us-east-1',
    lastModified: expect.any(String),
    links: expect.arrayContaining([{ rel: 'self', href: `/org/local/${path}` }]),
    status: { ready: false, deploying: true, versions: [{ workload: 1, ready: false }] },
  });
  const deployments = 'gvc/shop/workload/web/deployment';
  expect(await get(deployments)).toMatchObject({ kind: 'list', itemKind: 'deployment' });
  expect((await get('gvc/shop/workload/web'))['links']).toContainEqual({
    rel: 'deployment',
    href: `/org/local/${deployments}`,
  });
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
          main: {
            name: 'main',
            image: 'shop/web:1',
            ready: true,
            resources: { replicas: 1, replicasReady: 1, cpu: '50m', memory: '128Mi' },
          },
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

test('a location that is added later starts later, and a removed one loses its deployment (platform/deletion)', async () => {
  await platform.send('POST', 'gvc/shop/workload', web);
  nowMs += 100;
  await changeLocations('append');
  expect(await get('gvc/shop/workload/web')).toMatchObject({
    version: 1,
    health: { readiness: 'partial', readyLocations: 1, totalLocations: 2 },
  });
  nowMs += 100;
  expect(await get('gvc/shop/workload/web')).toMatchObject({ health: { readiness: 'ready' } });
  await changeLocations('drop');
  const { items } = await get('gvc/shop/workload/web/deployment');
  expect(items).toMatchObject([{ name: 'aws-us-east-1' }]);
  expect(items).toHaveLength(1);
  expect((await platform.send('GET', 'gvc/shop/workload/web/deployment/gcp-us-east1')).status).toBe(404);
});

test('a cron workload has deployments without replicas and without executions yet (platform/lifecycle.deployment)', async () => {
  const spec = { type: 'cron', containers: [{ name: 'main', image: 'a:1' }], job: { schedule: '* * * * *' } };
  await platform.send('POST', 'gvc/shop/workload', { name: 'job', spec });
  nowMs += 100;
  const { items } = await get('gvc/shop/workload/job/deployment');
  expect(items).toMatchObject([{ status: { ready: true, desiredScale: 0, jobExecutions: [] } }]);
});

import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { type Answer, container, makeShop, platformForEach } from '../platform.ts';

const home = 'gvc/shop/workload';
const location = 'aws-us-east-1';
const [first, second] = [location, 'gcp-us-east1'];

/** A time after the start of the platform, whose virtual clock starts at the current time. */
let startMs: number;

const platform = platformForEach({ clock: 'virtual', readyAfterMs: 1000 }, async (platform) => {
  startMs = Date.now() + 60_000;
  await platform.stepTo(startMs);
  await makeShop(platform, first, second);
});

/** Steps the clock to so many seconds after the start. */
async function step(seconds: number): Promise<void> {
  await platform.stepTo(startMs + seconds * 1000);
}

async function create(name: string, spec: JsonObject): Promise<JsonObject> {
  const made = await platform.send('POST', home, { name, spec: { containers: [container()], ...spec } });
  expect(made.status).toBe(201);
  return made.body;
}

async function get(path: string): Promise<JsonObject> {
  return (await platform.send('GET', path)).body;
}

async function deployment(name: string, place = location): Promise<JsonObject> {
  return objectAt(await get(`${home}/${name}/deployment/${place}`), 'status');
}

function simulate(name: string, body: JsonObject): Promise<Answer> {
  return platform.send('POST', `${home}/${name}/-simulate`, body);
}

function stop(name: string, replica: string, place = location): Promise<Answer> {
  return platform.send('POST', `${home}/${name}/-command`, { type: 'stopReplica', spec: { location: place, replica } });
}

/** The replicas that the data plane of a deployment returns (platform/lifecycle.replicas). */
async function replicas(name: string, place = location): Promise<unknown> {
  const remote = stringAt(await deployment(name, place), 'remote') ?? '';
  const answer = await fetch(`${remote}/replicas/org/local/${home}/${name}`, {
    headers: { authorization: 'secret-token' },
  });
  const body: unknown = await answer.json();
  return isObject(body) ? body['items'] : undefined;
}

const three = { autoscaling: { metric: 'cpu', minScale: 3, maxScale: 4 } };

test('a stateful workload rolls out replica by replica, each with a fixed name (platform/lifecycle.replicas)', async () => {
  const made = await create('base', { type: 'stateful', defaultOptions: three, loadBalancer: { replicaDirect: true } });
  await step(1);
  expect(await deployment('base')).toMatchObject({
    ready: false,
    deploying: true,
    desiredScale: 3,
    versions: [{ workload: 1, ready: false, containers: { main: { resources: { replicas: 3, replicasReady: 1 } } } }],
  });
  await step(3);
  expect(await deployment('base')).toMatchObject({ ready: true, deploying: false, message: '' });
  const { status, health } = await get(`${home}/base`);
  expect(health).toEqual({
    readiness: 'ready',
    syncFailed: false,
    readyLocations: 2,
    totalLocations: 2,
    readyReplicas: 6,
    totalReplicas: 6,
  });
  expect(status).toMatchObject({
    replicaInternalNames: ['base-0.base', 'base-1.base', 'base-2.base'],
    currentReplicaCount: 6,
    suspendedStatus: 'notSuspended',
  });
  const balancers = isObject(status) ? listAt(status, 'loadBalancer') : [];
  expect(balancers).toHaveLength(6);
  expect(balancers[0]).toMatchObject({ origin: 'base-0', url: expect.stringContaining(`.${first}.`) });
  expect(await replicas('base')).toEqual(['base-0', 'base-1', 'base-2']);

  await platform.send('PATCH', `${home}/base`, { tags: { a: 'b' } });
  await step(4);
  expect(await deployment('base')).toMatchObject({
    ready: true,
    deploying: true,
    lastProcessedVersion: 2,
    expectedDeploymentVersion: 2,
    versions: [
      { workload: 2, ready: false, containers: { main: { resources: { replicasReady: 1 } } } },
      { workload: 1, ready: true, containers: { main: { resources: { replicasReady: 2 } } } },
    ],
  });
  expect(made['version']).toBe(1);
});

test('only a change of the GVC that affects workloads raises versions[].gvc (platform/lifecycle.deployment)', async () => {
  await create('web', { type: 'serverless' });
  await step(10);
  await platform.send('PATCH', 'gvc/shop', { description: 'another' });
  expect(await deployment('web')).toMatchObject({ deploying: false, versions: [{ workload: 1, gvc: 1 }] });
  await platform.send('PATCH', 'gvc/shop', { spec: { env: [{ name: 'A', value: '1' }] } });
  expect(await deployment('web')).toMatchObject({
    ready: true,
    deploying: true,
    versions: [
      { workload: 1, gvc: 3, ready: false },
      { workload: 1, gvc: 1, ready: true },
    ],
  });
  await step(11);
  expect(await deployment('web')).toMatchObject({ deploying: false, versions: [{ workload: 1, gvc: 3, ready: true }] });
  expect(await get(`${home}/web`)).toMatchObject({ version: 1 });
});

test('local options can suspend a workload in one location only (platform/workload.options)', async () => {
  await create('web', { type: 'standard', localOptions: [{ location: first, suspend: true }] });
  await step(10);
  expect(await deployment('web', first)).toMatchObject({ desiredScale: 0, ready: true, message: 'suspended' });
  expect(await deployment('web', second)).toMatchObject({ desiredScale: 1, ready: true });
  expect(await get(`${home}/web`)).toMatchObject({
    health: { readiness: 'ready', readyReplicas: 1 },
    status: { suspendedStatus: 'partiallySuspended' },
  });
  await platform.send('PATCH', `${home}/web`, { spec: { defaultOptions: { suspend: true } } });
  await step(20);
  expect(await get(`${home}/web`)).toMatchObject({
    health: { readiness: 'suspended' },
    status: { suspendedStatus: 'suspended', healthCheck: { active: false } },
  });
  const localOptions = [{ location: first, autoscaling: { minScale: 2 } }];
  await platform.send('PATCH', `${home}/web`, { spec: { localOptions } });
  await step(30);
  expect(await get(`${home}/web`)).toMatchObject({
    health: { readiness: 'ready', totalReplicas: 2 },
    status: { suspendedStatus: 'partiallySuspended' },
  });
  expect(await deployment('web', second)).toMatchObject({ desiredScale: 0, ready: true, jobExecutions: [] });
  await platform.send('PATCH', `${home}/web`, { spec: { defaultOptions: { suspend: false }, localOptions: [] } });
  await step(40);
  expect(await get(`${home}/web`)).toMatchObject({ health: { readiness: 'ready', readyReplicas: 2 } });
});

test('a simulated load scales within the bounds, and new replicas take time to be ready (platform/workload.options)', async () => {
  await create('web', {
    type: 'serverless',
    defaultOptions: { autoscaling: { target: 10, minScale: 0, maxScale: 3 } },
  });
  await step(10);
  expect(await deployment('web')).toMatchObject({ desiredScale: 0, ready: true });
  expect((await simulate('web', { load: 25, location: first })).body).toEqual({
    desiredScale: { [first]: 3, [second]: 0 },
  });
  const resources = { versions: [{ containers: { main: { resources: { replicas: 3, replicasReady: 0 } } } }] };
  expect(await deployment('web')).toMatchObject({ desiredScale: 3, ...resources });
  await step(11);
  expect(await get(`${home}/web`)).toMatchObject({ health: { readyReplicas: 3, totalReplicas: 3 } });
  expect(await replicas('web')).toEqual(['web-1-0', 'web-1-1', 'web-1-2']);
  await simulate('web', { load: 0, location: first });
  await step(310);
  expect(await deployment('web')).toMatchObject({ desiredScale: 1 });
  await step(311);
  expect(await deployment('web')).toMatchObject({ desiredScale: 0, ready: true });
});

test('a stopped replica restarts (platform/commands)', async () => {
  await create('web', { type: 'standard' });
  await step(10);
  const answer = await stop('web', 'web-1-0');
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ lifecycleStage: 'completed', status: { podId: expect.any(String) } });
  const restarts = { count: 1, reason: 'Stopped', lastRestartTime: new Date(startMs + 10_000).toISOString() };
  expect(await deployment('web')).toMatchObject({
    ready: false,
    versions: [{ ready: false, containers: { main: { restarts } } }],
  });
  expect(await get(`${home}/web`)).toMatchObject({ health: { readiness: 'partial', readyReplicas: 1 } });
  await step(11);
  expect(await deployment('web')).toMatchObject({ ready: true, versions: [{ containers: { main: { restarts } } }] });
  expect(await get(`${home}/web`)).toMatchObject({ version: 1, health: { readiness: 'ready' } });

  await simulate('web', { crash: { exitCode: 137, reason: 'OOMKilled' }, location: first });
  expect(await deployment('web')).toMatchObject({
    versions: [{ containers: { main: { restarts: { count: 2, exitCode: 137, reason: 'OOMKilled' } } } }],
  });
  expect((await stop('web', 'web-1-1')).status).toBe(404);
  expect((await stop('web', 'web-1-0', 'azure-eastus2')).status).toBe(404);
  expect((await simulate('web', { crash: { replica: 'none' } })).status).toBe(400);
});

test('stopping the replica of a cron execution ends it, and its command (platform/commands.run-now)', async () => {
  const spec = { type: 'cron', containers: [{ name: 'main', image: 'a:1' }], job: { schedule: '0 0 1 1 *' } };
  await create('job', spec);
  await simulate('job', { runSeconds: 100 });
  const run = await platform.send('POST', `${home}/job/-command`, { type: 'runCronWorkload', spec: { location } });
  await step(5);
  const [replica] = listAt({ items: await names('job') }, 'items');
  expect(objectAt(run.body, 'status')['replica']).toBe(replica);
  expect((await stop('job', String(replica))).status).toBe(201);
  expect(await deployment('job')).toMatchObject({ jobExecutions: [{ status: 'Removed' }] });
  expect(await get(run.headers.get('location') ?? '')).toMatchObject({ lifecycleStage: 'cancelled' });
  expect(await names('job')).toEqual([]);
  expect((await stop('job', String(replica))).status).toBe(404);
});

async function names(name: string): Promise<JsonObject[string]> {
  const items = await replicas(name);
  return Array.isArray(items) ? items : null;
}

test('a workload shows its endpoints and images; without a port it has no endpoint (platform/workload.status)', async () => {
  const [web, worker] = [
    await create('web', { type: 'standard' }),
    await create('worker', { type: 'standard', containers: [{ name: 'main', image: 'a:1' }] }),
  ];
  const alias = stringAt(await get('gvc/shop'), 'alias') ?? '';
  const canonicalEndpoint = `https://web-${alias}.local.apps.example`;
  expect(web['status']).toMatchObject({
    endpoint: canonicalEndpoint,
    canonicalEndpoint,
    internalName: 'web.shop.internal.example',
    resolvedImages: {
      resolvedForVersion: 1,
      errorMessages: [],
      images: [{ digest: expect.stringMatching(/^sha256:/), manifests: [{ image: 'shop/web:1' }] }],
    },
  });
  expect(worker['status']).not.toHaveProperty('endpoint');
  expect(await deployment('worker')).not.toHaveProperty('endpoint');
  expect(await deployment('web')).toMatchObject({ endpoint: `https://web-${alias}.${first}.local.apps.example` });

  await platform.send('PATCH', 'gvc/shop', {
    spec: { endpointNamingFormat: 'legacy', aliasWorkloadLink: `//gvc/shop/workload/web` },
  });
  expect((await get(`${home}/web`))['status']).toMatchObject({
    endpoint: `https://${alias}.apps.example`,
    canonicalEndpoint: `https://web-${alias}.apps.example`,
  });
});

test('the replicas of a missing workload or location are answered with 404 (platform/lifecycle.replicas)', async () => {
  await create('web', { type: 'standard' });
  expect((await platform.send('GET', `/-remote/${first}/replicas/org/local/${home}/none`)).status).toBe(404);
  expect((await platform.send('GET', `/-remote/moon/replicas/org/local/${home}/web`)).status).toBe(404);
  expect((await platform.send('GET', `/-remote/${first}/replicas/org/other/${home}/web`)).status).toBe(404);
});

test.each<[JsonObject]>([[{ load: -1 }], [{ replicas: 0.5 }], [{ runSeconds: 1 }], [{ location: 'moon', load: 1 }]])(
  'a simulation %j of a workload that serves is refused',
  async (body) => {
    await create('web', { type: 'standard' });
    expect((await simulate('web', body)).status).toBe(400);
  },
);

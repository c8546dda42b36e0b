import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { isEverySample } from '../../harness/sampled.ts';
import { type Answer, makeShop, platformForEach, testStore } from '../platform.ts';

const minute = 60_000;
const workload = 'gvc/shop/workload/job';
const location = 'aws-us-east-1';

/** Half a minute past a full minute, some minutes after the start of the platform. */
let startMs: number;

const platform = platformForEach({ clock: 'virtual' }, async (platform) => {
  startMs = Math.ceil(Date.now() / minute) * minute + 2 * minute + 30_000;
  await platform.stepTo(startMs);
  await makeShop(platform, location, 'gcp-us-east1');
});

const containers = [{ name: 'main', image: 'a:1', cpu: '100m', memory: '128Mi' }];

async function create(job: JsonObject = {}, more: JsonObject = {}): Promise<Answer> {
  const spec = { type: 'cron', containers, job: { schedule: '* * * * *', ...job }, ...more };
  const made = await platform.send('POST', 'gvc/shop/workload', { name: 'job', spec });
  expect(made.status).toBe(201);
  return made;
}

async function executions(place = location): Promise<readonly JsonObject[]> {
  const { body } = await platform.send('GET', `${workload}/deployment/${place}`);
  return listAt(objectAt(body, 'status'), 'jobExecutions').filter(isObject);
}

/** The executions as `start status end` in seconds after the start, oldest first. */
async function told(place = location): Promise<readonly string[]> {
  return (await executions(place))
    .map((each) => `${seconds(each, 'startTime')} ${stringAt(each, 'status')} ${seconds(each, 'completionTime')}`)
    .toReversed();
}

function seconds(execution: JsonObject, key: string): string {
  const text = stringAt(execution, key);
  return text === undefined ? '-' : String((Date.parse(text) - startMs) / 1000);
}

/** Steps the clock to so many seconds after the start. */
async function step(to: number): Promise<void> {
  await platform.stepTo(startMs + to * 1000);
}

function simulate(body: JsonObject): Promise<Answer> {
  return platform.send('POST', `${workload}/-simulate`, body);
}

async function run(spec: JsonObject = {}): Promise<string> {
  const answer = await platform.send('POST', `${workload}/-command`, {
    type: 'runCronWorkload',
    spec: { location, ...spec },
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ lifecycleStage: 'pending' });
  return answer.headers.get('location') ?? '';
}

async function command(path: string): Promise<JsonObject> {
  return (await platform.send('GET', path)).body;
}

test('a cron workload runs by its schedule, in each location (platform/workload.job, platform/cron)', async () => {
  await create();
  await step(29);
  expect(await executions()).toEqual([]);
  await step(30);
  expect(await told()).toEqual(['30 Active -']);
  await step(100);
  expect(await told()).toEqual(['30 Success 31', '90 Success 91']);
  expect(await told('gcp-us-east1')).toEqual(['30 Success 31', '90 Success 91']);
  expect(await executions()).toMatchObject([
    { workloadVersion: 1, containers: { main: { image: 'a:1', resources: { cpu: '100m' } } } },
    { replica: expect.any(String), conditions: [{ type: 'Complete' }] },
  ]);
  const record = (await platform.send('GET', workload)).body;
  expect(record).toMatchObject({ version: 1, health: { readiness: 'ready' } });
});

test('a simulation applies to the next runs only, or to all if it has no number of runs', async () => {
  await create({ historyLimit: 3 });
  expect((await simulate({ runSeconds: 10, exitCode: 3, times: 1 })).status).toBe(200);
  await step(240);
  expect(await told()).toEqual(['90 Success 91', '150 Success 151', '210 Success 211']);
  await simulate({ runSeconds: 20, exitCode: 1 });
  await step(360);
  expect(await told()).toEqual(['210 Success 211', '270 Failure 290', '330 Failure 350']);
  expect(await told('gcp-us-east1')).toEqual(['210 Success 211', '270 Failure 290', '330 Failure 350']);
});

test('an invalid simulation is refused', async () => {
  await create();
  for (const body of [{ runSeconds: -1 }, { exitCode: 1.5 }, { times: 0 }, { load: 1 }, { location: 'moon' }]) {
    expect((await simulate(body)).status).toBe(400);
  }
});

test('a changed schedule, suspension or location takes effect immediately (platform/workload.options, platform/deletion)', async () => {
  await create();
  await step(40);
  await platform.send('PATCH', workload, { spec: { job: { schedule: '*/2 * * * *' } } });
  await step(400);
  expect((await told()).length).toBe(4);
  await platform.send('PATCH', workload, {
    spec: { job: { schedule: '* * * * *' }, defaultOptions: { suspend: true } },
  });
  await step(700);
  expect((await told()).length).toBe(4);
  await platform.send('PATCH', workload, { spec: { defaultOptions: { suspend: false } } });
  await step(760);
  expect(await told()).toContain('750 Success 751');

  const drop = { '$drop/locationLinks': ['//location/gcp-us-east1'] };
  await platform.send('PATCH', 'gvc/shop', { spec: { staticPlacement: drop } });
  await step(820);
  expect((await platform.send('GET', `${workload}/deployment/gcp-us-east1`)).status).toBe(404);
  expect(await told()).toContain('810 Success 811');
  const add = { '$append/locationLinks': ['//location/gcp-us-east1'] };
  await platform.send('PATCH', 'gvc/shop', { spec: { staticPlacement: add } });
  await step(880);
  expect(await told('gcp-us-east1')).toEqual(['870 Success 871']);
});

test("a failed run fails its command, and the command's own deadline removes its execution (platform/commands)", async () => {
  await create({ schedule: '0 0 1 1 *' });
  await simulate({ runSeconds: 5, exitCode: 9, times: 1 });
  const failing = await run();
  await step(10);
  expect(await command(failing)).toMatchObject({
    lifecycleStage: 'failed',
    status: { message: expect.stringContaining('9') },
  });
  await simulate({ runSeconds: 100 });
  const late = await run({ activeDeadlineSeconds: 30 });
  await step(60);
  expect(await command(late)).toMatchObject({ lifecycleStage: 'failed' });
  expect(await told()).toEqual(['0 Failure 5', '10 Removed 40']);
});

test('a pending command can be cancelled, and the cancellation of a running one requested (platform/commands.stages)', async () => {
  await create({ schedule: '0 0 1 1 *' });
  await simulate({ runSeconds: 100 });
  const pending = await run();
  const cancelled = await platform.send('PATCH', pending, { lifecycleStage: 'cancelled' });
  expect(cancelled).toMatchObject({ status: 200, body: { lifecycleStage: 'cancelled' } });
  expect(await told()).toEqual(['0 Removed 0']);
  expect((await platform.send('PATCH', pending, { lifecycleStage: 'cancelled' })).status).toBe(409);

  const running = await run();
  await step(10);
  expect((await platform.send('PATCH', running, { lifecycleStage: 'cancelled' })).status).toBe(409);
  expect((await platform.send('PATCH', running, { lifecycleStage: 'cancellation-requested', version: 1 })).status).toBe(
    409,
  );
  expect(await platform.send('PATCH', running, { lifecycleStage: 'cancellation-requested' })).toMatchObject({
    status: 200,
    body: { lifecycleStage: 'cancellation-requested' },
  });
  await step(20);
  expect(await command(running)).toMatchObject({ lifecycleStage: 'cancelled' });
  expect(await told()).toEqual(['0 Removed 0', '0 Removed 10.1']);
});

test('run now is refused for missing, unknown and invalid fields (rule W42)', async () => {
  await create();
  const body = { type: 'runCronWorkload', spec: { location } };
  for (const spec of [
    {},
    { location, extra: 1 },
    { location, containerOverrides: [{ image: 'b:1' }] },
    { location, activeDeadlineSeconds: 0 },
  ]) {
    expect((await platform.send('POST', `${workload}/-command`, { ...body, spec })).status).toBe(400);
  }
  expect((await platform.send('POST', 'gvc/shop/workload/none/-command', body)).status).toBe(404);
  expect((await platform.send('GET', `${workload}/-command`)).body).toMatchObject({ items: [] });
});

test.each([workload, 'gvc/shop'])(
  'deleting %s deletes its executions and commands, and ends its runs (platform/deletion.cascade)',
  async (deleted) => {
    await create();
    const path = await run();
    await step(40);
    expect((await platform.send('DELETE', deleted)).status).toBe(202);
    expect((await platform.send('GET', path)).status).toBe(404);
    expect(await platform.stepTo(startMs + 24 * 60 * minute)).toBe(0);
    await platform.send('PUT', 'gvc', { name: 'shop' });
    await create();
    expect(await executions()).toEqual([]);
    expect((await platform.send('GET', `${workload}/-command`)).body).toMatchObject({ items: [] });
  },
);

test('a cron workload runs in a location as soon as the query of its GVC finds it (platform/gvc)', async () => {
  const locationQuery = { spec: { terms: [{ tag: 'batch', value: 'yes' }] } };
  await platform.send('PATCH', 'gvc/shop', { spec: { staticPlacement: { locationQuery } } });
  await create();
  await step(40);
  expect((await platform.send('GET', `${workload}/deployment/azure-eastus2`)).status).toBe(404);
  const tagged = await platform.send('PATCH', 'location/azure-eastus2', { tags: { batch: 'yes' } });
  expect(tagged.status).toBe(200);
  await step(100);
  expect(await told('azure-eastus2')).toEqual(['90 Success 91']);
  await platform.send('PATCH', 'location/azure-eastus2', { tags: { batch: null } });
  await step(160);
  expect((await platform.send('GET', `${workload}/deployment/azure-eastus2`)).status).toBe(404);
});

/** PostgreSQL takes ten times as long, so it gets one day. */
const days = testStore().store !== undefined ? 1 : isEverySample ? 7 : 2;

test('a cron workload runs every minute of several virtual days', async () => {
  await platform.send('PATCH', 'gvc/shop', {
    spec: { staticPlacement: { locationLinks: [`//location/${location}`] } },
  });
  await create({ historyLimit: 10 });
  const runs = days * 24 * 60;
  // Each run has two jobs: its start and its end.
  expect(await platform.stepTo(startMs + runs * minute)).toBe(2 * runs);
  const last = runs * 60 - 30;
  expect((await told()).at(-1)).toBe(`${last} Success ${last + 1}`);
  expect(await executions()).toHaveLength(10);
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { ask, startProcess } from '../durability/servers.ts';
import { type TestPlatform, testPlatform } from '../platform.ts';
import { type SharedPostgres, sharedPostgres } from '../postgres/startPostgres.ts';

const root = temporaryFolder('two-servers');
let postgres: SharedPostgres;

beforeAll(async () => {
  postgres = await sharedPostgres();
});

const stack = [
  'kind: group\nname: kept\ndescription: ours\n',
  'kind: group\nname: gone\n',
  'kind: gvc\nname: shop\nspec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}\n',
].join('---\n');

const web = {
  name: 'web',
  spec: { type: 'standard', containers: [{ name: 'main', image: 'shop/web:1', cpu: '50m', memory: '64Mi' }] },
};

describe.each([
  ['5 s ahead', 5_000],
  ['an hour ahead', 3_600_000],
  ['set back by an hour', -3_600_000],
])('a second server whose clock is %s', (_, offsetMs) => {
  let first: TestPlatform;
  let second: TestPlatform;

  beforeAll(async () => {
    const store = postgres.freshUrl();
    first = await testPlatform({ store, secretKey: 'k'.repeat(32) });
    second = await testPlatform({ store, secretKey: 'k'.repeat(32), now: () => Date.now() + offsetMs });
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
  });

  test('shows who deleted and who changed each record, in drift, explain and the trail', async () => {
    const cwd = mkdtempSync(join(root, 'project-'));
    writeFileSync(join(cwd, 'gantry.yaml'), 'stack: clocks\nproject: clocks\n');
    writeFileSync(join(cwd, 'stack.yaml'), stack);
    const at = ({ url }: TestPlatform) => ['--endpoint', url, '--token', 'secret-token', '--org', 'local'];
    const run = (by: TestPlatform, ...args: readonly string[]) => inProcess(undefined, [...args, ...at(by)], { cwd });

    await succeeded(run(first, 'apply', '.', '--yes'));
    await second.send('PATCH', 'group/kept', { description: 'theirs' });
    await first.send('PATCH', 'group/kept', { tags: { by: 'first' } });
    await second.send('DELETE', 'group/gone');

    for (const by of [first, second]) {
      const drift = await run(by, 'drift', '.', '--detailed-exitcode');
      expect([drift.code, drift.stdout]).toEqual([
        2,
        expect.stringMatching(/group\/gone[\s\S]*deleted|deleted[\s\S]*group\/gone/),
      ]);
      const { stdout } = await succeeded(run(by, 'explain', '.', 'group/kept'));
      expect(stdout).toContain('theirs');
      expect(stdout).not.toContain('last writer unknown');
    }

    const id = stringAt((await first.send('GET', 'group/kept')).body, 'id') ?? '';
    const trail = await first.send('GET', `/audit/org/local/resource/id/${id}?fromEvent=1970-01-01T00:00:00Z`);
    const events = listAt(trail.body, 'items').filter(isObject);
    const times = events.map((event) => [
      Number(objectAt(objectAt(event, 'resource'), 'data')['version']),
      Date.parse(stringAt(event, 'eventTime') ?? ''),
    ]);
    const inVersions = times.toSorted(([a = 0], [b = 0]) => a - b).map(([, time]) => time);
    expect(inVersions.length).toBeGreaterThanOrEqual(3);
    expect(inVersions).toEqual(inVersions.toSorted((a = 0, b = 0) => a - b));

    // The next apply, by the other server, reverts the changes and creates the deleted records.
    await succeeded(run(second, 'apply', '.', '--yes'));
    expect((await first.send('GET', 'group/kept')).body).toMatchObject({ description: 'ours' });
    expect((await run(first, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
  });

  test('shows a rollout as ready immediately on both servers, whichever received the workload', async () => {
    for (const [index, by] of [first, second].entries()) {
      const name = `web-${index}`;
      await by.send('POST', 'gvc/shop/workload', { ...web, name });
      for (const asked of [first, second]) {
        const { body } = await asked.send('GET', `gvc/shop/workload/${name}/deployment`);
        const [deployment] = listAt(body, 'items').filter(isObject);
        expect([index, objectAt(deployment ?? {}, 'status')['ready']], JSON.stringify(body)).toEqual([index, true]);
      }
    }
  });
});

test('servers with different clocks finish jobs that any of them started, and run each time of a schedule once', {
  timeout: 120_000,
}, async () => {
  const store = postgres.freshUrl();
  const servers = [0, 5_000, 3_600_000, -3_600_000].map((machineAheadMs) =>
    startProcess({ store, secretKey: 'shared', machineAheadMs }),
  );
  try {
    const urls = await Promise.all(servers.map(({ url }) => url));
    const [first = ''] = urls;
    const locationLinks = ['//location/aws-eu-central-1'];
    await ask(first, 'POST', 'gvc', { name: 'jobs', spec: { staticPlacement: { locationLinks } } });
    for (const [name, schedule] of [
      ['yearly', '0 0 1 1 *'],
      ['minutely', '* * * * *'],
    ]) {
      const job = { schedule: schedule ?? '', historyLimit: 9 };
      const spec = { type: 'cron', containers: [{ name: 'main', image: 'shop/job:1' }], job };
      expect(await ask(first, 'POST', 'gvc/jobs/workload', { name: name ?? '', spec })).toMatchObject({ status: 201 });
      await ask(first, 'POST', `gvc/jobs/workload/${name}/-simulate`, { runSeconds: 0.2, times: 9 });
    }
    const madeMs = Date.now();

    const command = { type: 'runCronWorkload', spec: { location: '//location/aws-eu-central-1' } };
    for (const by of urls) {
      const { body } = await ask(by, 'POST', 'gvc/jobs/workload/yearly/-command', command);
      const id = stringAt(body, 'id') ?? '';
      for (const asked of urls) {
        await expect
          .poll(
            async () => (await ask(asked, 'GET', `gvc/jobs/workload/yearly/-command/${id}`)).body['lifecycleStage'],
            { timeout: 15_000 },
          )
          .toBe('completed');
      }
    }

    const starts = async (asked: string) => {
      const { body } = await ask(asked, 'GET', 'gvc/jobs/workload/minutely/deployment/aws-eu-central-1');
      const executions = listAt(objectAt(body, 'status'), 'jobExecutions').filter(isObject);
      return executions.map((each) => Date.parse(stringAt(each, 'startTime') ?? ''));
    };
    await expect.poll(() => starts(first), { timeout: 75_000, interval: 250 }).not.toEqual([]);
    const fired = await starts(first);
    expect(fired).toEqual([...new Set(fired)]);
    for (const ms of fired)
      expect([ms % 60_000, ms > madeMs - 1_000, ms < Date.now() + 1_000]).toEqual([0, true, true]);
    for (const asked of urls) expect(await starts(asked)).toEqual(fired);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
});

test("a job that runs while the database's clock is set back by an hour ends without waiting for that hour", {
  timeout: 60_000,
}, async () => {
  const store = postgres.freshUrl();
  const timers = vi.spyOn(globalThis, 'setInterval');
  const server = await testPlatform({ store, secretKey: 'k'.repeat(32) });
  const everyMinute = timers.mock.calls.flatMap(([happens, ms]) => (ms === 60_000 ? [happens] : []));
  timers.mockRestore();
  const job = { type: 'cron', containers: [{ name: 'main', image: 'shop/job:1' }], job: { schedule: '0 0 1 1 *' } };
  const spec = { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } };
  await server.send('POST', 'gvc', { name: 'back', spec });
  await server.send('POST', 'gvc/back/workload', { name: 'yearly', spec: job });
  await server.send('POST', 'gvc/back/workload/yearly/-simulate', { runSeconds: 3, times: 1 });
  const run = { type: 'runCronWorkload', spec: { location: '//location/aws-eu-central-1' } };
  const { body } = await server.send('POST', 'gvc/back/workload/yearly/-command', run);

  const setBack = await setBackByAnHour(store);
  for (const happens of everyMinute) happens();
  try {
    await expect
      .poll(
        async () =>
          (await server.send('GET', `gvc/back/workload/yearly/-command/${body['id']}`)).body['lifecycleStage'],
        { timeout: 20_000 },
      )
      .toBe('completed');
  } finally {
    setBack.mockRestore();
    await server.close();
  }
});

/** Sets back the time of PostgreSQL in all queries that read it: those of the platform and of its queue. */
async function setBackByAnHour(store: string) {
  const schema = new URL(store).searchParams.get('schema');
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  await client.query(
    `CREATE OR REPLACE FUNCTION ${schema}_jobs.job_now() RETURNS timestamptz LANGUAGE sql STABLE AS ` +
      `$$ SELECT pg_catalog.now() - interval '1 hour' $$`,
  );
  await client.end();
  const send = pg.Client.prototype.query;
  return vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query, ...rest] = args;
    if (!isObject(query) || !String(query['text']).includes('clock_timestamp()')) {
      return Reflect.apply(send, this, args);
    }
    const text = String(query['text']).replace('clock_timestamp()', "(clock_timestamp() - interval '1 hour')");
    return Reflect.apply(send, this, [{ ...query, name: 'set back', text }, ...rest]);
  });
}

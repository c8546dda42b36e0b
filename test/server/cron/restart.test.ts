import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { makeShop, type TestPlatform, testPlatform } from '../platform.ts';

const location = 'aws-us-east-1';
const home = 'gvc/shop/workload/job';
/** Half a minute past a full minute. */
const startMs = Date.UTC(2026, 0, 1, 12, 0, 30);

const folder = temporaryFolder('cron');

/** Starts a server on the same data, at another time. */
function serverAt(nowMs: () => number): Promise<TestPlatform> {
  return testPlatform({ data: join(folder, 'data.sqlite'), now: nowMs });
}

/** `status start end` of the executions, newest first. */
async function told(platform: TestPlatform): Promise<readonly string[]> {
  const { body } = await platform.send('GET', `${home}/deployment/${location}`);
  const executions = listAt(objectAt(body, 'status'), 'jobExecutions').filter(isObject);
  return executions.map(
    (each) => `${stringAt(each, 'status')} ${time(each, 'startTime')} ${time(each, 'completionTime')}`,
  );
}

function time(execution: JsonObject, key: string): string {
  return stringAt(execution, key)?.slice(11, 19) ?? '-';
}

test('after an outage, earlier runs have ended at their time, and missed times do not run (platform/cron)', async () => {
  const before = await serverAt(() => startMs);
  await makeShop(before, location);
  const spec = { type: 'cron', containers: [{ name: 'main', image: 'a:1' }], job: { schedule: '* * * * *' } };
  await before.send('POST', 'gvc/shop/workload', { name: 'job', spec });
  await before.send('POST', `${home}/-simulate`, { runSeconds: 100, times: 1 });
  const run = await before.send('POST', `${home}/-command`, { type: 'runCronWorkload', spec: { location } });
  const path = run.headers.get('location') ?? '';
  await before.close();

  // Time passes again from 13:00:05, so the last time of the schedule is late but not missed.
  const resumedMs = Date.now();
  const after = await serverAt(() => Date.UTC(2026, 0, 1, 13, 0, 5) + Date.now() - resumedMs);
  const command = async () => (await after.send('GET', path)).body;
  await expect.poll(command).toMatchObject({ lifecycleStage: 'completed' });
  await expect.poll(() => told(after)).toContain('Success 13:00:00 13:00:01');
  expect(await told(after)).toEqual(['Success 13:00:00 13:00:01', 'Success 12:00:30 12:02:10']);
  await after.close();
});

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { isObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { realClock } from '../../../src/server/core/clock.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { makeShop, type TestPlatform, testPlatform } from '../platform.ts';

const root = temporaryFolder('clock');
afterEach(() => void vi.restoreAllMocks());

/** The platform's clock and the clock of its machine, both in milliseconds. */
function clockAt(wallMs: number) {
  const machine = { wallMs, elapsedMs: 0 };
  const clock = realClock(
    () => machine.wallMs,
    () => machine.elapsedMs,
  );
  return { machine, clock };
}

test("the platform's time goes on if the machine's clock is set back", () => {
  const { machine, clock } = clockAt(10_000);
  machine.wallMs = 4_000;
  expect(clock.now()).toBe(10_000);
  machine.elapsedMs = 1_500;
  expect(clock.now()).toBe(11_500);
});

test("the platform's time follows a machine's clock that is set forward, as after a suspension", () => {
  const { machine, clock } = clockAt(10_000);
  machine.wallMs = 90_000;
  machine.elapsedMs = 5;
  expect(clock.now()).toBe(90_000);
  machine.elapsedMs = 25;
  expect(clock.now()).toBe(90_020);
});

test('the clock is never before a time that it has observed', () => {
  const { machine, clock } = clockAt(10_000);
  clock.observe(12_000);
  clock.observe(11_000);
  machine.elapsedMs = 3;
  expect(clock.now()).toBe(12_003);
});

test("the clock follows the database's time, not the machine's, and never goes backwards", () => {
  const { machine, clock } = clockAt(3_610_000);
  clock.follow(10_000);
  expect(clock.now()).toBe(10_000);
  machine.wallMs = 7_200_000;
  machine.elapsedMs = 40;
  expect(clock.now()).toBe(10_040);
  clock.follow(9_000);
  expect(clock.now()).toBe(10_040);
  clock.follow(12_000);
  expect(clock.now()).toBe(12_000);
});

test('a platform that starts after its clock was set back continues from its last write', async () => {
  const data = join(root, 'data.sqlite');
  const startedAt = (ms: number) => {
    vi.spyOn(Date, 'now').mockReturnValue(ms);
    return testPlatform({ data });
  };
  const before = await startedAt(Date.UTC(2026, 0, 1, 12));
  const { body: first } = await before.send('POST', 'group', { name: 'first' });
  await before.close();
  const after = await startedAt(Date.UTC(2026, 0, 1, 11));
  const { body: second } = await after.send('POST', 'group', { name: 'second' });
  await after.close();
  expect(String(first['created'])).toMatch(/^2026-01-01T12:00:/);
  expect(Date.parse(String(second['created']))).toBeGreaterThanOrEqual(Date.parse(String(first['created'])));
});

test('a cron job repeats no time of its schedule if its platform restarts with a clock that was set back by an hour', async () => {
  const data = join(root, 'cron.sqlite');
  const started = async (at: TestPlatform) => {
    const { body } = await at.send('GET', 'gvc/shop/workload/job/deployment/aws-us-east-1');
    const executions = listAt(objectAt(body, 'status'), 'jobExecutions').filter(isObject);
    return executions.map((each) => stringAt(each, 'startTime')?.slice(11, 19));
  };
  // The last request is an hour older than the last run of the schedule. Both clocks stand still.
  const made = await testPlatform({ data, now: () => Date.UTC(2026, 0, 1, 11, 0, 30) });
  await makeShop(made, 'aws-us-east-1');
  const job = { type: 'cron', containers: [{ name: 'main', image: 'a:1' }], job: { schedule: '* * * * *' } };
  await made.send('POST', 'gvc/shop/workload', { name: 'job', spec: job });
  await made.send('POST', 'gvc/shop/workload/job/-simulate', { runSeconds: 1, times: 1 });
  await made.close();
  const before = await testPlatform({ data, now: () => Date.UTC(2026, 0, 1, 12, 0, 59) });
  await expect.poll(() => started(before)).toEqual(['12:00:00']);
  await before.close();

  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1, 11));
  const after = await testPlatform({ data });
  for (let asked = 0; asked < 500 && (await started(after)).length < 2; asked += 1) await sleep(20);
  expect(await started(after)).toEqual(['12:01:00', '12:00:00']);
  await after.close();
}, 30_000);

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { isObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy, type Verdict } from '../harness/proxy.ts';
import { interruptHeard, interruptTwice, type Running, startGantry, waitForStderr } from '../harness/running.ts';
import { ownedRecords, smallTown } from '../harness/smallTown.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/**
 * Processes on a slow platform: the first Ctrl-C finishes the requests in flight, the second ends the process
 * immediately.
 */
const folder = temporaryFolder('ctrl-c');
const platform = usePlatform(['--latency', '20ms']);
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: folder });

beforeAll(() => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
  writeFileSync(join(folder, 'town.yaml'), smallTown());
});
afterEach(async () => {
  const gone = await run('destroy', '--yes', '--allow-data-loss=1');
  if (gone.code !== 0) await run('destroy', '--yes');
  expect(await ownedRecords(platform)).toEqual({});
});

async function expectConverged(): Promise<void> {
  await succeeded(run('apply', '.', '--yes', '-o', 'json', '--verify=full'));
  expect(Object.keys(await ownedRecords(platform))).toHaveLength(10);
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'one %s: requests in flight finish, nothing new begins, exit code 130 with a result',
  async (signal) => {
    let running: Running;
    // With two changes at a time, only the second and the third write are in flight when the third arrives.
    const interrupted = Promise.withResolvers<void>();
    const proxy = await startProxy(platform.url, async ({ isWrite, write }): Promise<Verdict> => {
      if (!isWrite || write === 1) return 'pass';
      if (write === 3) {
        waitForStderr(running, interruptHeard).then(interrupted.resolve, interrupted.reject);
        running.child.kill(signal);
      }
      await interrupted.promise;
      return 'pass';
    });
    running = startGantry(proxy.url, ['apply', '.', '--yes', '-o', 'json', '--parallelism', '2'], folder);
    const outcome = await running.ended;
    await proxy.close();

    expect(outcome.code, outcome.stderr).toBe(130);
    const parsed: unknown = JSON.parse(outcome.stdout);
    const result = isObject(parsed) ? objectAt(parsed, 'result') : {};
    expect(result).toMatchObject({ interrupted: true, verified: null, failed: [] });
    const done = listAt(result, 'done').length;
    expect(done).toBeGreaterThan(0);
    expect(listAt(result, 'skipped').length).toBeGreaterThan(0);
    expect(proxy.seen.filter(({ isWrite }) => isWrite)).toHaveLength(3);
    // Each request that was sent was carried out and is reported as done, or as written but not finished.
    expect(Object.keys(await ownedRecords(platform))).toHaveLength(3);
    await expectConverged();
  },
);

test('two: the process ends immediately with 130 although a request is in flight; another apply converges', async () => {
  let running: Running;
  const never = Promise.withResolvers<Verdict>();
  const proxy = await startProxy(platform.url, async ({ isWrite, write }): Promise<Verdict> => {
    if (!isWrite || write < 3) return 'pass';
    if (write > 3) return never.promise;
    await interruptTwice(running);
    return never.promise;
  });
  running = startGantry(proxy.url, ['apply', '.', '--yes'], folder);
  const { code, signal } = await running.ended;
  never.resolve('cut-before');
  await proxy.close();
  expect([code, signal]).toEqual([130, null]);
  await expectConverged();
});

test('two during a replacement: the command names the resource that may be deleted', async () => {
  await run('apply', '.', '--yes');
  const other = smallTown().replace('type: standard', 'type: stateful');
  expect(other).not.toBe(smallTown());
  writeFileSync(join(folder, 'town.yaml'), other);
  let running: Running;
  const never = Promise.withResolvers<Verdict>();
  const proxy = await startProxy(platform.url, async ({ method, path }): Promise<Verdict> => {
    if (method !== 'POST' || !path.endsWith('/workload')) return 'pass';
    await interruptTwice(running);
    return never.promise;
  });
  running = startGantry(proxy.url, ['apply', '.', '--yes'], folder);
  const { code, stderr } = await running.ended;
  never.resolve('cut-before');
  await proxy.close();
  expect(code).toBe(130);
  expect(stderr).toContain('These may be deleted and not created again: workload/town/');
  expect(stderr).toContain('Apply again now.');
  await expectConverged();
  writeFileSync(join(folder, 'town.yaml'), smallTown());
});

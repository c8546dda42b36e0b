import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { startGantry, waitForStderr } from '../harness/running.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { type Project, useProjects } from '../harness/useProjects.ts';

/** A workload is ready after one minute of the platform's clock, which the tests advance. */
const platform = usePlatform(['--clock', 'virtual', '--ready-after', '60s']);
const newProject = useProjects(platform, 'ready');
const project = (lifecycle?: string) => newProject((name) => stack(name, lifecycle));

const minute = () => platform.call('POST', '/-clock', { advance: '1m' });

/** A GVC in two locations with a public workload. */
function stack(name: string, lifecycle = ''): string {
  return `
kind: gvc
name: ${name}
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1, //location/aws-us-west-2]}}
---
kind: workload
name: web
gvc: ${name}
${lifecycle}
spec:
  type: standard
  containers: [{name: main, image: "a:1", ports: [{number: 8080, protocol: http}]}]
  firewallConfig: {external: {inboundAllowCIDR: [0.0.0.0/0]}}
`;
}

/** A stack that was applied and is not ready. */
async function applied(lifecycle?: string): Promise<Project> {
  const it = project(lifecycle);
  await succeeded(it.run('apply', '.', '--yes'));
  return it;
}

function resultOf({ stdout }: Outcome): JsonObject {
  const document: unknown = JSON.parse(stdout);
  return objectAt(isObject(document) ? document : {}, 'result');
}

test('apply --wait waits for a workload that an earlier apply left unready, although nothing changes', async () => {
  const it = await applied();

  const tooSoon = await it.run('apply', '.', '--wait', '--wait-timeout', '0s');
  expect(tooSoon.code).toBe(1);
  expect(tooSoon.stdout).toContain('Apply waits until 1 workload is ready (unchanged).');
  expect(tooSoon.stdout).toContain(
    `error apply.not-ready: workload/${it.name}/web was not ready after 0 s: 0 of 2 locations are ready; aws-eu-central-1, aws-us-west-2: the new version is starting`,
  );
  expect(tooSoon.stdout).toContain('Not ready: 1 unchanged and not ready.');
  expect(tooSoon.stderr).toContain(`workload/${it.name}/web waits for readiness: 0 of 2 locations are ready`);

  const waiting = startGantry(platform.url, ['apply', '.', '--wait'], it.folder);
  await waitForStderr(waiting, 'waits for readiness');
  await minute();
  const ended = await succeeded(waiting.ended);
  expect(ended.stderr).toContain(`✓ workload/${it.name}/web is ready`);
  expect(ended.stdout).toContain('Done: 1 unchanged and ready.');
  expect(ended.stdout).toMatch(new RegExp(`Addresses:\\n {2}workload/${it.name}/web {2}https://web-\\S+\n`));
});

test('a changed workload is awaited, and waitTimeout of its manifest limits the wait', async () => {
  const it = project('lifecycle: {waitTimeout: 0s}');
  const first = await it.run('apply', '.', '--yes', '--wait');
  expect(first.code).toBe(1);
  expect(first.stdout).toContain('Not ready: 1 created, 1 written but not ready.');
  const next = await it.run('apply', '.', '--yes', '--wait');
  expect(next.code).toBe(1);
  await minute();
  expect((await it.run('apply', '.', '--yes', '--wait')).code).toBe(0);
});

test('lifecycle.wait also applies to the next apply', async () => {
  const it = project('lifecycle: {wait: true, waitTimeout: 0s}');
  expect((await it.run('apply', '.', '--yes')).code).toBe(1);
  const again = await it.run('apply', '.', '--yes');
  expect(again.code, again.stdout).toBe(1);
  expect(again.stdout).toContain('apply.not-ready');
});

test('a saved plan waits until everything it created is ready, on each apply', async () => {
  const it = project();
  expect((await it.run('plan', '.', '--wait', '--out', 'it.plan')).code).toBe(0);
  for (const _ of ['first', 'again']) {
    const late = await it.run('apply', 'it.plan', '--yes', '--wait-timeout', '0s');
    expect(late.code, late.stdout).toBe(1);
    expect(late.stdout).toContain('apply.not-ready');
  }
  await minute();
  const ready = await succeeded(it.run('apply', 'it.plan', '--yes'));
  expect(ready.stdout).toContain('1 unchanged and ready');
});

test('suspended workloads and workloads that are not targets are not awaited', async () => {
  const it = await applied();
  await succeeded(it.run('apply', '.', '--wait', '--wait-timeout', '0s', '--target', `gvc/${it.name}`));
  const { version } = (await platform.call('GET', `/org/local/gvc/${it.name}/workload/web`)).body;
  const suspended = { spec: { defaultOptions: { suspend: true } } };
  await platform.call('PATCH', `/org/local/gvc/${it.name}/workload/web`, { ...suspended, version: version ?? 0 });
  expect((await it.run('apply', '.', '--wait', '--wait-timeout', '0s')).code).toBe(0);
});

test('the result in JSON has version, addresses, start and duration of each change', async () => {
  const it = project();
  const before = new Date().toISOString();
  const result = resultOf(await it.run('apply', '.', '--yes', '-o', 'json', '--wait', '--wait-timeout', '0s'));
  expect(result).toMatchObject({ outcome: 'not-ready', done: [`gvc/${it.name}`], elapsedMs: expect.any(Number) });
  const after = new Date().toISOString();
  expect(listAt(result, 'changes')).toEqual([
    { id: `gvc/${it.name}`, outcome: 'done', version: 1, startedAt: expect.any(String), elapsedMs: expect.any(Number) },
    {
      id: `workload/${it.name}/web`,
      outcome: 'failed',
      reached: 'written',
      version: 1,
      endpoints: [expect.stringMatching(/^https:\/\/web-/)],
      startedAt: expect.any(String),
      elapsedMs: expect.any(Number),
    },
  ]);
  for (const change of listAt(result, 'changes').filter(isObject)) {
    expect([before, String(change['startedAt']), after].toSorted()).toEqual([before, change['startedAt'], after]);
  }

  await minute();
  const ready = resultOf(await it.run('apply', '.', '--yes', '-o', 'json', '--wait'));
  expect(ready).toMatchObject({ outcome: 'done', done: [], ready: [`workload/${it.name}/web`] });
  expect(listAt(ready, 'changes')).toMatchObject([{ id: `workload/${it.name}/web`, outcome: 'ready', version: 1 }]);
});

test.each(['300', '5 min', '-1s'])('--wait-timeout %j is a usage error', async (text) => {
  const outcome = await project().run('apply', '.', `--wait-timeout=${text}`);
  expect(outcome.stderr).toContain('It must be a duration with a unit, such as 30s, 5m or 1h.');
  expect(outcome.code).not.toBe(0);
});

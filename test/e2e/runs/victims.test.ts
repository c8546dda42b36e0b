import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy, type Verdict } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const cwd = temporaryFolder('victims');
const platform = usePlatform();
beforeAll(async () => {
  await call('POST', '/secret', {
    name: 'pull',
    type: 'docker',
    data: '{"auths":{"r":{"username":"u","password":"p"}}}',
  });
  await call('POST', '/secret', { name: 'scaler', type: 'opaque', data: { payload: 'x' } });
});

const call = (method: string, path: string, body?: JsonObject) => platform.call(method, `/org/local${path}`, body);

/** The GVC of this stack, in which others have resources. */
function town(name: string, spec: string): string {
  return `kind: gvc\nname: ${name}\nspec:\n${spec}`;
}

const [west, east] = ['//location/aws-us-west-2', '//location/aws-eu-central-1'];
const places = (...links: readonly string[]) => `  staticPlacement: {locationLinks: [${links.join(', ')}]}\n`;

async function moveIn(gvc: string, name: string, container: JsonObject, more: JsonObject = {}): Promise<void> {
  const main = { name: 'main', image: 'registry.example.com/a:1', cpu: '50m', memory: '128Mi', ...container };
  const spec = { type: 'standard', containers: [main], ...more };
  const { status, body } = await call('POST', `/gvc/${gvc}/workload`, { name, spec });
  expect(status, JSON.stringify(body)).toBe(201);
}

function run(verb: string, manifests: string, ...flags: readonly string[]): Promise<Outcome> {
  writeFileSync(join(cwd, 'stack.yaml'), manifests);
  const confirming = verb === 'apply' ? ['--yes'] : [];
  return inProcess(platform, [verb, 'stack.yaml', '--stack', 'town', ...confirming, ...flags], { cwd });
}

async function gvcNow(name: string): Promise<JsonObject> {
  return objectAt((await call('GET', `/gvc/${name}`)).body, 'spec');
}

test('removing a location needs --allow-collateral with the exact number of resources of others in it', async () => {
  expect((await run('apply', town('v-place', places(west, east)))).code).toBe(0);
  await moveIn('v-place', 'theirs', {});
  await moveIn('v-place', 'also-theirs', {});
  const files = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
  expect((await call('POST', '/gvc/v-place/volumeset', { name: 'nowhere', spec: files })).status).toBe(201);

  const smaller = town('v-place', places(west));
  const plan = await run('plan', smaller);
  expect(plan.code).toBe(3);
  expect(plan.stdout).toContain('  ! gvc/v-place (version 1) (would be changed)  capacity-down\n');
  expect(plan.stdout).toContain(
    'refused update.victims: it takes away location aws-eu-central-1 from 2 resources of other owners: workload/v-place/also-theirs, workload/v-place/theirs\n',
  );
  expect(plan.stdout).toContain('To permit it: --allow-collateral=2\n');
  for (const flag of ['--allow-collateral=1', '--allow-collateral=3']) {
    expect((await run('apply', smaller, flag)).code).toBe(3);
  }
  expect(JSON.stringify(await gvcNow('v-place'))).toContain('aws-eu-central-1');

  const json = JSON.parse((await run('plan', smaller, '--allow-collateral=2', '-o', 'json')).stdout);
  expect(changesById(JSON.stringify(json)).get('gvc/v-place')).toMatchObject({
    action: 'patch',
    risk: 'capacity-down',
    takes: [{ what: 'location', name: 'aws-eu-central-1' }],
    victims: ['workload/v-place/also-theirs', 'workload/v-place/theirs'],
  });
  const from = await platform.seen();
  const applied = await succeeded(run('apply', smaller, '--allow-collateral=2', '-o', 'json'));
  const sent = (await platform.seen()) - from - 1; // one of them is seen() itself
  const { requests, result } = JSON.parse(applied.stdout);
  expect(result.requests).toBe(requests.apply);
  expect(sent).toBe(requests.snapshot + requests.apply);
  expect(JSON.stringify(await gvcNow('v-place'))).not.toContain('aws-eu-central-1');
});

test('removing a variable affects workloads that inherit it, and a pull secret those with other registries', async () => {
  const spec = `${places(west)}  pullSecretLinks: [//secret/pull]\n`;
  const env = '  env: [{name: A, value: "1"}, {name: B, value: "2"}]\n';
  expect((await run('apply', town('v-env', spec + env))).code).toBe(0);
  await moveIn('v-env', 'inherits', { inheritEnv: true, image: '//image/a:1' });
  await moveIn('v-env', 'has-its-own', { inheritEnv: true, image: '//image/a:1', env: [{ name: 'A', value: '0' }] });
  await moveIn('v-env', 'inherits-not', {});

  const variable = await run('plan', town('v-env', `${spec}  env: [{name: B, value: "2"}]\n`));
  expect(variable.stdout).toContain(
    'it takes away variable A from 1 resource of other owners: workload/v-env/inherits\n',
  );
  const secret = await run('plan', town('v-env', places(west) + env));
  expect(secret.stdout).toContain(
    'it takes away pull secret pull from 1 resource of other owners: workload/v-env/inherits-not\n',
  );
  const both = await run('plan', town('v-env', places(west)));
  expect(both.stdout).toContain(
    'it takes away variable A, variable B, pull secret pull from 3 resources of other owners: ',
  );
  expect((await run('plan', town('v-env', spec + env.replace('"1"', '"3"')))).code).toBe(0);
});

test('removing a keda secret affects the workloads that scale by it', async () => {
  const keda = '  keda: {enabled: true, secrets: [//secret/scaler]}\n';
  expect((await run('apply', town('v-keda', places(west) + keda))).code).toBe(0);
  const triggers = [{ type: 'cron', metadata: { start: '0 * * * *' }, authenticationRef: { name: 'scaler' } }];
  await moveIn(
    'v-keda',
    'scales',
    {},
    {
      defaultOptions: {
        capacityAI: false,
        autoscaling: { metric: 'keda', minScale: 1, maxScale: 2, keda: { triggers } },
      },
    },
  );
  await moveIn('v-keda', 'does-not', {});
  const plan = await run('plan', town('v-keda', `${places(west)}  keda: {enabled: true}\n`));
  expect(plan.stdout).toContain(
    'it takes away keda secret scaler from 1 resource of other owners: workload/v-keda/scales\n',
  );
});

test('if the affected records cannot be listed, the plan is refused and nothing is written', async () => {
  expect((await run('apply', town('v-dark', places(west, east)))).code).toBe(0);
  const proxy = await startProxy(platform.url, ({ method, path }) =>
    method === 'GET' && path.startsWith('/org/local/gvc/v-dark/volumeset') ? { status: 403 } : 'pass',
  );
  writeFileSync(join(cwd, 'stack.yaml'), town('v-dark', places(west)));
  const refused = await inProcess(
    { ...platform, url: proxy.url },
    ['apply', 'stack.yaml', '--stack', 'town', '--yes', '--allow-collateral=9'],
    { cwd },
  );
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('refused update.victims-unknown: ');
  expect(proxy.seen.filter(({ isWrite }) => isWrite)).toEqual([]);
  await proxy.close();
});

test('a workload that is created between the plan and its PATCH stops the change', async () => {
  expect((await run('apply', town('v-race', places(west, east)))).code).toBe(0);
  let lists = 0;
  const proxy = await startProxy(platform.url, async ({ method, path }): Promise<Verdict> => {
    if (method === 'GET' && path.startsWith('/org/local/gvc/v-race/workload')) {
      lists += 1;
      if (lists === 2) await moveIn('v-race', 'newcomer', {});
    }
    return 'pass';
  });
  writeFileSync(join(cwd, 'stack.yaml'), town('v-race', places(west)));
  const stale = await inProcess({ ...platform, url: proxy.url }, ['apply', 'stack.yaml', '--stack', 'town', '--yes'], {
    cwd,
  });
  expect(stale.code).toBe(4);
  expect(stale.stdout).toContain('workload/v-race/newcomer');
  expect(lists).toBe(2);
  expect(proxy.seen.filter(({ isWrite }) => isWrite).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  await proxy.close();
  expect(JSON.stringify(await gvcNow('v-race'))).toContain('aws-eu-central-1');
  expect((await run('apply', town('v-race', places(west)), '--allow-collateral=1')).code).toBe(0);
});

test('workloads of this stack are not victims, and an addition to a GVC lists no workloads', async () => {
  const ours = `---\nkind: workload\nname: ours\ngvc: v-ours\nspec:\n  type: standard\n  containers: [{name: main, image: 'a:1', cpu: 50m, memory: 128Mi}]\n  defaultOptions: {capacityAI: false}\n`;
  expect((await run('apply', town('v-ours', places(west, east)) + ours)).code).toBe(0);
  const from = platform.requests.length;
  await platform.seen();
  expect((await run('plan', town('v-ours', `${places(west, east)}  env: [{name: A, value: "1"}]\n`) + ours)).code).toBe(
    0,
  );
  await platform.seen();
  expect(platform.requests.slice(from).map(({ path }) => path)).not.toContain('/org/local/gvc/v-ours/workload');
  expect((await run('apply', town('v-ours', places(west)) + ours)).code).toBe(0);
});

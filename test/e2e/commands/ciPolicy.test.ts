import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt, stringAt } from '../../../src/base/json/json.ts';
import { type PipelineKeys, pipelineKeys } from '../../ci/pipelineKeys.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { useProjects } from '../harness/useProjects.ts';

const platform = usePlatform();
const root = temporaryFolder('ci-policy');
const newProject = useProjects(platform, 'pipe', { root });

/** Manifests with references to each other, an own secret, and a secret of another owner. */
const manifests = (name: string, image = 'nginx:1') =>
  `kind: gvc
name: ${name}
spec: { staticPlacement: { locationLinks: [//location/aws-eu-central-1] } }
---
kind: secret
name: ${name}-own
type: opaque
data: { payload: p4yload, encoding: plain }
---
kind: group
name: ${name}-ops
---
kind: identity
name: runner
gvc: ${name}
---
kind: workload
name: web
gvc: ${name}
spec:
  type: standard
  identityLink: //gvc/${name}/identity/runner
  containers:
    - name: main
      image: ${image}
      cpu: 50m
      memory: 64Mi
      ports: [{ number: 8080, protocol: http }]
      env:
        - { name: OWN, value: cpln://secret/${name}-own.payload }
        - { name: SHARED, value: cpln://secret/${name}-shared.payload }
`.replaceAll('cpln://', 'scheme://');

/** A project whose commands run as the bootstrap user, or with the key of an account. */
async function project() {
  const it = newProject((name) => manifests(name));
  const shared = {
    kind: 'secret',
    name: `${it.name}-shared`,
    type: 'opaque',
    data: { payload: 'x', encoding: 'plain' },
  };
  expect((await platform.call('POST', '/org/local/secret', shared)).status).toBe(201);
  const run = (key: string | undefined, ...args: readonly string[]) =>
    it.runWith(key === undefined ? {} : { GANTRY_TOKEN: key }, ...args);
  return { ...it, run };
}

type Project = Awaited<ReturnType<typeof project>>;

/** The manifests that `gantry ci policy` prints. */
async function printed(it: Project): Promise<readonly JsonObject[]> {
  const { stdout } = await succeeded(it.run(undefined, ...['ci', 'policy', '.', '-o', 'json']));
  const list: unknown = JSON.parse(stdout);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The keys of accounts with the printed permissions. */
function granted({ name, folder }: Project): Promise<PipelineKeys> {
  return pipelineKeys(platform, { project: folder, stack: name, folder: `${folder}-access` });
}

describe('gantry ci policy', () => {
  test('grants what plan, apply, drift and destroy of the stack need, and no writes to the planner', async () => {
    const it = await project();
    const keys = await granted(it);

    const first = await succeeded(it.run(keys.plan, 'plan', '.', '--out', 'first.plan'));
    expect(first.stdout).toContain('5 to create');
    const forbidden = await it.run(keys.plan, 'apply', '.', '--yes');
    expect(forbidden.stdout + forbidden.stderr).toContain('api.forbidden');
    await succeeded(it.run(keys.apply, 'apply', '.', '--yes'));

    it.write(manifests(it.name, 'nginx:2'));
    expect((await succeeded(it.run(keys.plan, 'plan', '.'))).stdout).toContain('1 to change');
    await succeeded(it.run(keys.apply, 'apply', '.', '--yes'));
    expect((await succeeded(it.run(keys.plan, 'plan', '.', '--detailed-exitcode'))).stdout).toContain('No changes');
    expect((await succeeded(it.run(keys.plan, 'drift', '.', '--detailed-exitcode'))).code).toBe(0);

    await succeeded(it.run(keys.apply, 'destroy', '.', '--yes'));
    expect((await platform.call('GET', `/org/local/gvc/${it.name}`)).status).toBe(404);
    expect((await platform.call('GET', `/org/local/secret/${it.name}-shared`)).status).toBe(200);
  });

  test.each(['Web', '9web', 'a b', 'x'.repeat(59), '-web'])('--name %j is refused', async (name) => {
    const args = ['ci', 'policy', '.', '--stack', 'web', `--name=${name}`];
    const { code, stdout, stderr } = await inProcess(platform, args, { cwd: mkdtempSync(join(root, 'name-')) });
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`--name: ${JSON.stringify(name)} cannot begin the name of a service account`);
  });

  test('grants no access to resources of others', async () => {
    const it = await project();
    const keys = await granted(it);
    it.write(
      `${manifests(it.name)}---\nkind: secret\nname: ${it.name}-shared\ntype: opaque\ndata: { payload: stolen }\n`,
    );
    const ended = await it.run(keys.apply, 'apply', '.', '--yes', '--adopt');
    expect(ended.code).not.toBe(0);
    it.write(`${manifests(it.name)}---\nkind: ipset\nname: ${it.name}\n`);
    expect((await it.run(keys.apply, 'apply', '.', '--yes')).code).not.toBe(0);
  });

  test('for several stacks prints one pair of accounts, which can plan, apply and destroy all of them', async () => {
    const folder = mkdtempSync(join(root, 'several-'));
    linkPackages(folder);
    writeFileSync(join(folder, 'gantry.yaml'), 'project: trio\n');
    writeFileSync(
      join(folder, 'stack.ts'),
      `import { App, Group, Gvc, Identity, Secret, Stack } from 'gantry';
const app = new App();
const [net, data, shop] = ['net', 'data', 'shop'].map((name) => new Stack(app, name));
const gvc = new Gvc(net, 'trio', { locations: ['aws-eu-central-1'] });
new Group(net, 'trio-net');
new Group(data, 'trio-data');
new Secret(data, 'trio', { type: 'opaque', data: { payload: 'x' } });
new Identity(shop, 'api', { gvc });
`,
    );
    const keys = await pipelineKeys(platform, { project: folder, stack: 'trio', folder: `${folder}-access` });
    const run = (key: string, ...args: readonly string[]) =>
      inProcess(platform, args, { cwd: folder, env: { GANTRY_TOKEN: key } });
    await succeeded(run(keys.plan, 'plan', '.', '--all', '--out', 'all.plan'));
    await succeeded(run(keys.apply, 'apply', 'all.plan', '--yes'));
    await succeeded(run(keys.plan, 'drift', '.', '--all', '--detailed-exitcode'));
    await succeeded(run(keys.plan, 'plan', '.', '--all', '--detailed-exitcode'));
    const one = await succeeded(run(keys.plan, 'ci', 'policy', '.', '--stack', 'net', '-o', 'json'));
    expect(one.stdout).not.toContain('own-secret');
    await succeeded(run(keys.apply, 'destroy', '--all', '--yes'));
    expect((await platform.call('GET', '/org/local/gvc/trio')).status).toBe(404);
  });

  test('prints manifests that can be applied in any org', async () => {
    const it = await project();
    const inOrg = (org: string) => succeeded(it.run(undefined, ...['ci', 'policy', '.', '--org', org, '-o', 'json']));
    const { stdout } = await inOrg('acme');
    expect(stdout).toBe((await inOrg('local')).stdout);
    expect(stdout).not.toContain('/org/');
  });

  // In full: GANTRY_CI_POLICY=all npx vitest run test/e2e/commands/ciPolicy.test.ts
  test('grants nothing superfluous: without any one permission, something is refused or unknown', async () => {
    const it = await project();
    const access = await printed(it);
    const keys = await granted(it);
    const whole = await life(it, keys);
    expect(await life(it, keys)).toBe(whole);

    const all = access.flatMap(permissionsIn);
    const tried = process.env['GANTRY_CI_POLICY'] === 'all' ? all : all.filter((_, index) => index % 9 === 0);
    expect(tried.length).toBeGreaterThan(2);
    let spared: readonly string[] = [];
    for (const part of tried) {
      await setPermissions(part, part.without);
      if ((await life(it, keys)) === whole) spared = [...spared, part.says];
      await setPermissions(part, part.bindings);
    }
    expect(spared).toEqual([]);
  });
});

/** One permission of one binding of a policy, and the bindings with it and without it. */
interface Part {
  readonly policy: string;
  readonly says: string;
  readonly bindings: readonly JsonValue[];
  readonly without: readonly JsonValue[];
}

function permissionsIn(manifest: JsonObject): readonly Part[] {
  const policy = stringAt(manifest, 'name') ?? '';
  const bindings = listAt(manifest, 'bindings');
  return bindings.flatMap((binding, at) => {
    const permissions = isObject(binding) ? listAt(binding, 'permissions') : [];
    return permissions.map((permission) => {
      const rest = permissions.filter((each) => each !== permission);
      const without = bindings.flatMap((each, index) => {
        if (index !== at) return [each];
        return rest.length === 0 || !isObject(each) ? [] : [{ ...each, permissions: rest }];
      });
      return { policy, says: `${policy}[${at}] ${String(permission)}`, bindings, without: merged(without) };
    });
  });
}

/** Merges bindings with the same permissions, which the platform refuses (platform/policy.bindings). */
function merged(bindings: readonly JsonValue[]): readonly JsonValue[] {
  const alike = Map.groupBy(bindings.filter(isObject), (binding) => JSON.stringify(listAt(binding, 'permissions')));
  return [...alike.values()].map((same) => ({
    ...same[0],
    principalLinks: same.flatMap((binding) => listAt(binding, 'principalLinks')),
  }));
}

async function setPermissions({ policy }: Part, bindings: readonly JsonValue[]): Promise<void> {
  const { status } = await platform.call('PATCH', `/org/local/policy/${policy}`, { '$replace/bindings': bindings });
  expect(status).toBe(200);
}

/** The output of a pipeline's commands on a stack, without parts that change on each run. */
async function life(it: Project, keys: PipelineKeys): Promise<string> {
  const said: string[] = [];
  const run = async (key: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await it.run(key, ...args);
    // Depends on who cleaned up before.
    const text = `${stdout}${stderr}`.replace(/it was deleted by .*/g, 'it does not exist yet').replace(/\d+/g, '#');
    const lines = text.split('\n').sort().join('\n');
    said.push(`${args.join(' ')}: ${code}\n${lines}`);
  };
  it.write(manifests(it.name));
  await run(keys.plan, 'plan', '.');
  await run(keys.apply, 'apply', '.', '--yes');
  it.write(manifests(it.name).replaceAll(/^name: .*$/gm, '$&\ndescription: changed'));
  await run(keys.plan, 'plan', '.');
  await run(keys.apply, 'apply', '.', '--yes');
  await platform.call('PATCH', `/org/local/gvc/${it.name}`, { description: 'by hand' });
  await run(keys.plan, 'drift', '.');
  it.write(manifests(it.name).split('---\n').slice(0, 1).join(''));
  await run(keys.plan, 'plan', '.');
  await run(keys.apply, 'apply', '.', '--yes');
  await run(keys.apply, 'destroy', '.', '--yes');
  await it.run(undefined, 'destroy', '.', '--yes');
  return said.join('\n');
}

import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Gantry } from '../../src/automation.ts';
import { linkPackages } from '../cli/projectFolder.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { remembering } from '../e2e/harness/rememberedStacks.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;
const examples = join(root, 'examples');
const folder = temporaryFolder('examples');
linkPackages(folder);
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');

/** An edit that a team would make, and the resources that change by it. Everything else stays as it is. */
interface Life {
  readonly example: string;
  /** Which of its environments. */
  readonly env?: string;
  readonly resources: number;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly changes: Readonly<Record<string, string>>;
  /** Volume sets that an apply has filled: so many must be named for the example to be destroyed. */
  readonly allowDataLoss?: number;
  /** Records that the platform never deletes: they only stop being the stack's. */
  readonly forgotten?: number;
  /** The text that protects a resource, as long as it says `true`. */
  readonly protection?: string;
}

// biome-ignore format: one case a line
const lives: readonly Life[] = [
  { example: 'hello', resources: 2, file: 'stack.ts', from: 'nginx:1.27', to: 'nginx:1.28', changes: { 'workload/hello/web': 'patch' } },
  {
    example: 'shop',
    resources: 12,
    file: 'settings.ts',
    from: "'1.4.0'",
    to: "'1.5.0'",
    changes: {
      'workload/shop/api': 'patch',
      'workload/shop/nightly-report': 'patch',
      'workload/shop/web': 'patch',
    },
    allowDataLoss: 2,
  },
  {
    example: 'data',
    resources: 9,
    file: 'stack.ts',
    from: "retentionDuration: '14d'",
    to: "retentionDuration: '30d'",
    changes: { 'volumeset/data/rows': 'patch' },
    allowDataLoss: 2,
    protection: 'protect: true',
  },
  {
    example: 'jobs',
    resources: 3,
    file: 'stack.ts',
    from: "schedule: '30 2 * * *'",
    to: "schedule: '0 3 * * *'",
    changes: { 'workload/jobs/export': 'patch' },
  },
  {
    example: 'edge',
    resources: 10,
    file: 'stack.ts',
    from: "'^/v[12]/.*'",
    to: "'^/v[123]/.*'",
    changes: { 'domain/edge.example.com': 'patch' },
  },
  {
    example: 'multi-env',
    env: 'dev',
    resources: 2,
    file: 'gantry.yaml',
    from: 'version: 2.1.0-rc.3',
    to: 'version: 2.1.0-rc.4',
    changes: { 'workload/system-dev/web': 'patch' },
  },
  {
    example: 'platform-team',
    resources: 11,
    file: 'stack.ts',
    from: "permissions: ['view', 'connect', 'exec']",
    to: "permissions: ['view', 'connect']",
    changes: { 'policy/prod-emergency': 'patch' },
    forgotten: 1,
  },
  {
    example: 'components',
    resources: 9,
    file: 'stack.ts',
    from: 'registry.example.com/orders:3.2',
    to: 'registry.example.com/orders:3.3',
    changes: { 'workload/components/orders': 'patch' },
  },
  {
    example: 'policies',
    resources: 4,
    file: 'stack.ts',
    from: 'registry.example.com/web:1.4.0',
    to: 'registry.example.com/web:1.5.0',
    changes: { 'workload/policies/web': 'patch' },
  },
];

test('every example is lived through', () => {
  const all = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  // The shop in YAML is compared with the one in TypeScript (shop.test.ts), gitops has a test of its own, and team one in
  // test/ci, fleet in test/reconcile/operations; the others need tools: test/provider/terraform runs the example of Terraform.
  const elsewhere = ['shop-yaml', 'gitops', 'team', 'fleet', 'cdktn', 'terraform'];
  expect(lives.map(({ example }) => example).sort()).toEqual(
    all
      .map(({ name }) => name)
      .filter((name) => !elsewhere.includes(name))
      .sort(),
  );
});

test('the index names every example', () => {
  const index = readFileSync(join(examples, 'README.md'), 'utf8');
  const all = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(all.map(({ name }) => name).filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

describe('the example multi-env', () => {
  const copy = (name: string) => {
    const project = join(folder, name);
    cpSync(join(examples, 'multi-env'), project, { recursive: true });
    return project;
  };
  const open = (project: string, env: string) => Gantry.open({ project, embedded: 'memory', environment: {}, env });

  test.each([
    ['dev', 'registry.example.com/system/web:2.1.0-rc.3', 1],
    ['staging', 'registry.example.com/system/web:2.1.0-rc.2', 2],
    ['prod', 'registry.example.com/system/web:2.0.4', 10],
  ])('declares %s as a stack with a GVC and values of its own', async (env, image, maxScale) => {
    await using gantry = await open(join(examples, 'multi-env'), env);
    const { owner, desired } = await gantry.load();
    expect(owner).toBe(`system-${env}`);
    expect(desired.map(({ id }) => id)).toEqual([`gvc/system-${env}`, `workload/system-${env}/web`]);
    expect(desired[1]?.record).toMatchObject({
      spec: { containers: [{ image }], defaultOptions: { autoscaling: { maxScale } } },
    });
  });

  test('plans nothing where no environment was chosen', async () => {
    const { code, stderr } = await inProcess(undefined, ['plan', '--embedded'], { cwd: copy('no-environment') });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error settings.environment: no environment was chosen'),
    ]);
  });

  test('does not let production be destroyed; dev can be', async () => {
    const project = copy('limited');
    for (const [env, codes] of [
      ['prod', ['limit.max-deletes', 'limit.max-risk']],
      ['dev', undefined],
    ] as const) {
      await using gantry = await open(project, env);
      const stack = await gantry.load();
      await gantry.apply(await gantry.plan(stack));
      const destroyed = await gantry.plan(stack, { destroy: true });
      expect(destroyed.refused?.causes.map(({ code }) => code)).toEqual(codes);
    }
  });

  test('carries the version from dev to staging to prod, and nothing else differs that may not', async () => {
    const project = copy('promoted');
    const before = readFileSync(join(project, 'gantry.yaml'), 'utf8');
    const promote = (...args: readonly string[]) => inProcess(undefined, ['promote', ...args], { cwd: project });
    expect((await promote('dev', 'staging', '--write')).stdout).toContain('values.version  2.1.0-rc.2 → 2.1.0-rc.3');
    const { stdout } = await promote('staging', 'prod', '--write');
    expect(stdout).toContain('values.version  2.0.4 → 2.1.0-rc.3');
    expect(stdout).toMatch(/\n\d+ differences, all allowed by promotion\.may-differ\.\n$/);
    expect(readFileSync(join(project, 'gantry.yaml'), 'utf8')).toBe(
      before.replace('2.1.0-rc.2', '2.1.0-rc.3').replace('2.0.4', '2.1.0-rc.3'),
    );
  });
});

test('the component of the example passes its own test', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'examples/components/publicApi.test.ts'], {
    cwd: root,
    // The variables of our own runner would make it report to nobody.
    env: { PATH: process.env['PATH'] },
  });
  expect(stdout).toMatch(/pass 2\b/);
});

test('the platform team refuses a GVC that belongs to no environment', async () => {
  const project = join(folder, 'refused');
  cpSync(join(examples, 'platform-team'), project, { recursive: true });
  edit(join(project, 'stack.ts'), "'dev-shop'", "'playground'");
  await using gantry = await Gantry.open({ project, embedded: 'memory', environment: {} });
  const { valid, problems } = await gantry.validate();
  expect(valid).toBe(false);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('belongs to no environment')]);
});

test('the policies of the example pass their own tests, and refuse what breaks them', async () => {
  const project = join(folder, 'judged');
  cpSync(join(examples, 'policies'), project, { recursive: true });
  const tested = await inProcess(undefined, ['policy', 'test'], { cwd: project });
  expect(tested.stdout).toMatch(/3 cases: 3 passed, 0 failed\n$/);
  edit(join(project, 'stack.ts'), 'registry.example.com/web:1.4.0', 'shop:latest');
  await using gantry = await Gantry.open({ project, embedded: 'memory', environment: {} });
  const { valid, problems } = await gantry.validate();
  expect(valid).toBe(false);
  expect(problems.map(({ rule, position: { line } }) => [rule, line])).toEqual([
    ['policy.images-pinned', 14],
    ['policy.own-registry', 14],
  ]);
  const plan = await gantry.plan(await gantry.load());
  expect(plan.refused?.causes.map(({ code }) => code)).toEqual(['policy.images-pinned', 'policy.own-registry']);
});

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text.split(from)).toHaveLength(2);
  writeFileSync(file, text.replace(from, to));
}

test.each(lives)('$example is created, changed and destroyed', async (life) => {
  const { example, env, resources, file, from, to, changes, allowDataLoss = 0, forgotten = 0, protection } = life;
  const project = join(folder, example);
  cpSync(join(examples, example), project, { recursive: true });
  await using gantry = await Gantry.open({
    project,
    embedded: 'memory',
    environment: { [remembering]: 'yes' },
    ...(env === undefined ? {} : { env }),
  });

  const stack = await gantry.load();
  expect(stack.warnings).toEqual([]);
  const first = await gantry.plan(stack);
  expect(first.counts).toMatchObject({ create: resources, patch: 0, replace: 0, delete: 0, refuse: 0 });
  expect((await gantry.apply(first, { verify: 'full' })).outcome).toBe('done');
  expect((await gantry.plan(stack)).isEmpty).toBe(true);

  edit(join(project, file), from, to);
  const changed = await gantry.plan(await gantry.load());
  expect(Object.fromEntries(changed.plan.changes.map(({ id, action }) => [id, action]))).toMatchObject(changes);
  expect(changed.counts).toMatchObject({ create: 0, patch: Object.keys(changes).length, replace: 0, delete: 0 });
  expect((await gantry.apply(changed, { verify: 'full' })).outcome).toBe('done');
  expect((await gantry.plan(await gantry.load())).isEmpty).toBe(true);

  if (protection !== undefined) {
    const refused = await gantry.plan(await gantry.load(), { destroy: true, allowDataLoss });
    expect(refused.refused?.causes.map(({ code }) => code)).toEqual(['delete.protected']);
    edit(join(project, file), protection, protection.replace('true', 'false'));
    await gantry.apply(await gantry.plan(await gantry.load()));
  }
  const last = await gantry.load();
  const destroyed = await gantry.plan(last, { destroy: true, allowDataLoss });
  expect(destroyed.refused).toBeUndefined();
  expect(destroyed.counts).toMatchObject({
    delete: resources - forgotten,
    forget: forgotten,
    create: 0,
    patch: 0,
    refuse: 0,
  });
  expect((await gantry.apply(destroyed, { verify: 'full' })).outcome).toBe('done');
  expect((await gantry.plan(last)).counts).toMatchObject({ create: resources - forgotten });
});

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applied } from './applied.ts';
import { excerpt } from './commands.ts';
import { project, setting, strangers } from './project.ts';

const destroy = ['destroy', '.', '--yes', '--allow-data-loss', '1', '--allow-unseen'];

it('read.list: destroy on a platform without lists names another way, which works', async () => {
  const { served, run, declare } = await applied(['query-and-lists-absent']);
  const refused = await run(...destroy);
  expect(refused.code).toBe(3);
  expect(refused.changes).toEqual([]);
  expect(refused.stdout).toContain('refused delete.closure-unknown: the content of the GVC shop could not be listed');
  expect(refused.stdout).toMatch(/To permit it: lifecycle\.retain: true .* gantry gvc delete shop --force/);

  declare(setting(project, 'gvc/shop', ['lifecycle'], { retain: true }));
  expect((await run('apply', '.', '--yes')).code).toBe(0);
  const destroyed = await run(...destroy);
  expect(destroyed.code, excerpt(destroyed, 2000)).toBe(0);
  const others = strangers.map(([path]) => path);
  const ours = () => [...served.platform.records().keys()].filter((path) => !others.includes(path));
  expect(ours()).toEqual(['/org/local/gvc/shop']);

  const unforced = await run('gvc', 'delete', 'shop', '--yes');
  expect(unforced.code).toBe(3);
  expect(unforced.stderr).toContain('delete.closure-unknown');
  expect(unforced.stderr).toContain('gantry gvc delete shop --force');
  expect(ours()).toEqual(['/org/local/gvc/shop']);
  expect((await run('gvc', 'delete', 'shop', '--yes', '--force')).code).toBe(0);
  expect(ours()).toEqual([]);
});

it('read.list: delete-all-workloads deletes nothing if the workloads are unknown', async () => {
  const { run } = await applied(['query-and-lists-absent']);
  const ran = await run('gvc', 'delete-all-workloads', 'shop', '--yes');
  expect(ran.code).toBe(3);
  expect(ran.changes).toEqual([]);
  expect(ran.stderr).toContain('gantry workload delete NAME --gvc shop');
});

it.each(['links-none', 'items-are-names', 'lists-under-gvc'] as const)(
  'read.items: gvc delete --force deletes the content first on a platform with %s',
  async (name) => {
    const { served, run } = await applied([name]);
    const ran = await run('gvc', 'delete', 'shop', '--yes', '--force', '--allow-dangling', '1');
    expect(ran.code, excerpt(ran, 2000)).toBe(0);
    const paths = ran.writes.map(({ path }) => path.replace('/org/local/gvc/shop', ''));
    expect(paths).toEqual(['/workload/database', '/workload/web', '/volumeset/files', '/identity/backend', '']);
    expect([...served.platform.records().keys()].some((path) => path.includes('/gvc/shop'))).toBe(false);
  },
);

/** The 14 kinds by query, 9 resources and 2 referenced records by name; `/discovery`, the list of GVCs, the value. */
it('read.list: a plan on a platform that can only GET by name costs kinds, resources, and three requests', async () => {
  const { run } = await applied(['query-and-lists-absent']);
  expect((await run('plan', '.')).requests).toBe(14 + 11 + 3);
});

it('read.list: with a data folder the next plan reads the resources, the list of GVCs and the value', async () => {
  const { run, cwd } = await applied(['query-and-lists-absent']);
  mkdirSync(join(cwd, '.gantry'));
  await run('plan', '.');
  expect((await run('plan', '.')).requests).toBe(11 + 2);
});

it('read.discovery: update reads /discovery once after any refusal with 400', async () => {
  const { served, run } = await applied(['only-drop', 'patch-refuses-version']);
  const before = served.platform.requests.length;
  await run('workload', 'update', 'web', '--gvc', 'shop', '--set', 'spec.containers.main.image=nginx:9');
  const asked = served.platform.requests.slice(before).filter(({ path }) => path === '/discovery');
  expect(asked.length).toBeLessThanOrEqual(1);
});

it('after a missing record, few requests for the list of orgs are sent to a platform that answers 500', async () => {
  const { served, run } = await applied(['unknown-500']);
  const ran = await run('group', 'get', 'nobody');
  expect(ran.stderr).toContain('there is no group "nobody"');
  expect(served.platform.requests.filter(({ path }) => path === '/org').length).toBeLessThanOrEqual(3);
});

it('read.discovery: audit reads the trail of a platform that does not name its address', async () => {
  const { run } = await applied(['audit-whole']);
  const ran = await run('workload', 'audit', 'web', '--gvc', 'shop');
  expect(ran.code, excerpt(ran, 2000)).toBe(0);
  expect(ran.stdout).toContain('create');
});

it('read.discovery: an output format of a platform service is refused if the service does not exist', async () => {
  const { run } = await applied([]);
  const ran = await run('workload', 'get', 'web', '--gvc', 'shop', '-o', 'tf');
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('the service terraform-exporter cannot be used: the platform does not say where it is');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Gantry } from '../../../src/automation.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token, writesSince } from '../harness/platform.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const cwd = temporaryFolder('other-environment');
/** No variable sets an org. The org of the platform is `local`, which belongs to `prod`. */
const gantry = (...args: readonly string[]) => inProcess(platform, args, { cwd, env: { GANTRY_ORG: '' } });
const inProduction = ['--env', 'dev', '--org', 'local'];

/** Sets the limits of `prod`; `dev` allows everything. */
const limits = (ofProd: string) =>
  writeFileSync(
    join(cwd, 'gantry.yaml'),
    'stack: shop\nenvironments:\n  dev:\n    org: local-dev\n    limits: {max-deletes: 9}\n' +
      `  prod:\n    org: local\n    limits: ${ofProd}\n`,
  );
const groups = (...names: readonly string[]) =>
  writeFileSync(join(cwd, 'groups.yaml'), names.map((name) => `kind: group\nname: ${name}\n`).join('---\n'));

beforeEach(async () => {
  limits('{}');
  groups('one', 'two');
  expect((await gantry('apply', '.', '--env', 'prod', '--yes')).code).toBe(0);
});

/** Runs a command that the limits of prod must refuse, without a write. */
async function refusedByProd(limit: string, ...args: readonly string[]): Promise<void> {
  const before = await platform.seen();
  const { code, stdout, stderr } = await gantry(...args);
  expect(code, stdout + stderr).toBe(3);
  expect(stdout + stderr).toContain(`environments.prod.limits.${limit}`);
  expect(stdout + stderr).toContain(`limit.${limit}`);
  expect(writesSince(platform, before)).toEqual([]);
}

describe('another environment, with the org of production', () => {
  test('plan and apply obey the limits of production', async () => {
    groups('one');
    limits('{max-deletes: 0}');
    await refusedByProd('max-deletes', 'plan', '.', ...inProduction);
    await refusedByProd('max-deletes', 'apply', '.', ...inProduction, '--yes');
  });

  test('also if variables choose it', async () => {
    groups('one');
    limits('{max-deletes: 0}');
    const env = { GANTRY_ORG: 'local', GANTRY_ENV: 'dev' };
    const { code, stdout } = await inProcess(platform, ['apply', '.', '--yes'], { cwd, env });
    expect(code).toBe(3);
    expect(stdout).toContain('environments.prod.limits.max-deletes');
  });

  test('destroy obeys the limits of production', async () => {
    limits('{max-deletes: 1}');
    await refusedByProd('max-deletes', 'destroy', '.', ...inProduction, '--yes');
  });

  test('a saved plan obeys the limits at planning and the current ones', async () => {
    groups('one', 'two', 'three');
    limits('{max-changes: 1}');
    expect((await gantry('plan', '.', ...inProduction, '--out', 'kept.plan')).code).toBe(0);
    limits('{max-changes: 0}');
    await refusedByProd('max-changes', 'apply', 'kept.plan', '--yes', ...inProduction);
    limits('{signature: required}');
    const unsigned = await gantry('apply', 'kept.plan', '--yes', '--org', 'local');
    expect(unsigned.code).not.toBe(0);
    expect(unsigned.stderr).toContain('environments.prod.limits.signature');
    limits('{max-changes: 1}');
    expect((await gantry('apply', 'kept.plan', '--yes', '--org', 'local')).code).toBe(0);
  });

  test('undo obeys the limits of production', async () => {
    groups('one', 'two', 'three');
    expect((await gantry('plan', '.', ...inProduction, '--out', 'kept.plan')).code).toBe(0);
    expect((await gantry('apply', 'kept.plan', '--yes', '--org', 'local')).code).toBe(0);
    limits('{max-deletes: 0}');
    await refusedByProd('max-deletes', 'undo', 'kept.plan', '--out', 'back.plan', '--org', 'local');
  });

  test('a program obeys them: plan, saved plan, undo and destroy', async () => {
    groups('one', 'two', 'three');
    const open = () =>
      Gantry.open({ project: cwd, env: 'dev', org: 'local', endpoint: platform.url, token, environment: {} });
    const saved = join(cwd, 'program.plan');
    {
      await using program = await open();
      const plan = await program.plan(await program.load());
      await program.save(plan, saved);
      await program.apply(plan);
    }
    limits('{max-deletes: 0, max-changes: 0}');
    await using program = await open();
    const stack = await program.load();
    const refused = { refused: { code: 'plan.refused' } };
    expect(await program.plan(stack, { destroy: true })).toMatchObject(refused);
    groups('one');
    const plan = await program.plan(await program.load());
    expect(plan.refused?.message).toContain('environments.prod.limits.max-deletes');
    await expect(program.apply(plan)).rejects.toThrow('environments.prod.limits.max-deletes');
    const undo = await program.undo(await program.open(saved));
    expect(undo.refused?.message).toContain('environments.prod.limits.max-deletes');
  });

  test('without an environment, commands and programs demand that one is chosen', async () => {
    limits('{max-deletes: 0}');
    for (const command of ['plan', 'apply', 'destroy']) {
      const { code, stderr } = await gantry(command, '.', '--org', 'local');
      expect(code).not.toBe(0);
      expect(stderr).toContain('settings.environment');
    }
    await expect(Gantry.open({ project: cwd, org: 'local', environment: {} })).rejects.toMatchObject({
      code: 'settings.environment',
    });
  });
});

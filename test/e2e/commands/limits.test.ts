import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Gantry } from '../../../src/automation.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token, writesSince } from '../harness/platform.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const cwd = temporaryFolder('limits');
const gantry = (...args: readonly string[]) => inProcess(platform, args, { cwd });

const group = (name: string, description: string) => `kind: group\nname: ${name}\ndescription: ${description}\n`;
const limits = (text: string) =>
  writeFileSync(join(cwd, 'gantry.yaml'), `stack: shop\nenvironments:\n  free: {}\n  prod:\n    limits: ${text}\n`);
const manifests = (...texts: readonly string[]) => writeFileSync(join(cwd, 'groups.yaml'), texts.join('---\n'));

beforeEach(async () => {
  limits('{}');
  manifests(group('one', 'one'), group('two', 'two'));
  expect((await gantry('apply', '.', '--env', 'free', '--yes')).code).toBe(0);
});

/** Runs a command that must be refused without a write, and returns its output. */
async function refusal(...args: readonly string[]): Promise<string> {
  const before = await platform.seen();
  const { code, stdout, stderr } = await gantry(...args);
  expect(code, stdout + stderr).toBe(3);
  expect(writesSince(platform, before)).toEqual([]);
  return stdout + stderr;
}

describe('the limits of an environment', () => {
  test('limit deletions, whatever flags are given', async () => {
    manifests(group('one', 'one'));
    limits('{max-deletes: 0}');
    expect(await refusal('plan', '.', '--env', 'prod')).toContain('environments.prod.limits.max-deletes');
    expect(await refusal('apply', '.', '--env', 'prod', '--yes', '--max-deletes', '5')).toContain('limit.max-deletes');
    expect((await gantry('apply', '.', '--env', 'free', '--yes')).code).toBe(0);
  });

  test('limit destroy as deletions', async () => {
    limits('{max-deletes: 1}');
    expect(await refusal('destroy', '.', '--env', 'prod', '--yes')).toContain('limit.max-deletes');
  });

  test('limit the risk', async () => {
    writeFileSync(
      join(cwd, 'groups.yaml'),
      `${group('one', 'one')}---\n${group('two', 'two')}---\nkind: secret\nname: key\ntype: opaque\ndata: {payload: x}\n---\n` +
        'kind: policy\nname: open\ntargetKind: secret\ntarget: all\nbindings:\n  - permissions: [reveal]\n    principalLinks: [//group/one]\n',
    );
    limits('{max-risk: rolling-restart}');
    expect(await refusal('plan', '.', '--env', 'prod')).toContain('environments.prod.limits.max-risk');
    expect(await refusal('apply', '.', '--env', 'prod', '--yes')).toContain('limit.max-risk');
  });

  test('limit applies to a window: plan warns outside of it, and apply is refused, also of a saved plan', async () => {
    manifests(group('one', 'changed'), group('two', 'two'));
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const [today, yesterday, tomorrow] = [0, 6, 1].map((later) => days[(new Date().getUTCDay() + later) % 7]);
    const others = days.filter((day) => ![today, yesterday, tomorrow].includes(day));
    limits(`{window: {days: [${others.join(', ')}], timezone: UTC}}`);
    const planned = await gantry('plan', '.', '--env', 'prod', '--out', 'kept.plan');
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain('environments.prod.limits.window');
    expect(await refusal('apply', '.', '--env', 'prod', '--yes')).toContain('limit.window');
    expect(await refusal('apply', 'kept.plan', '--env', 'prod', '--yes')).toContain('limit.window');
  });

  test.each([
    ['signature', 'required'],
    ['approvals', '1'],
  ])('%s: applying without a saved plan is refused, whatever signers are configured', async (limit, value) => {
    manifests(group('one', 'changed'), group('two', 'two'));
    const settings = `stack: shop\nsigners: {plan: keys, approval: keys}\nenvironments:\n  prod:\n    limits: {${limit}: ${value}}\n`;
    writeFileSync(join(cwd, 'gantry.yaml'), settings);
    for (const command of ['apply', 'destroy']) {
      const said = await refusal(command, '.', '--env', 'prod', '--yes');
      expect(said).toContain(`limit.${limit}`);
      expect(said).toContain(`environments.prod.limits.${limit}`);
    }
    await using program = await Gantry.open({
      ...{ project: cwd, env: 'prod', org: 'local', endpoint: platform.url, token, environment: {} },
    });
    await expect(program.apply(await program.plan(await program.load()))).rejects.toThrow(
      `environments.prod.limits.${limit}`,
    );
  });

  test('require a rehearsal to apply and to undo, also for programs', async () => {
    manifests(group('one', 'changed'), group('two', 'two'));
    limits('{rehearsal: required}');
    expect(await refusal('apply', '.', '--env', 'prod', '--yes')).toContain('gantry undo OLD --rehearse --out FILE');
    expect((await gantry('plan', '.', '--env', 'prod', '--out', 'kept.plan', '--rehearse')).code).toBe(0);
    expect((await gantry('apply', 'kept.plan', '--env', 'prod', '--yes')).code).toBe(0);

    expect((await gantry('undo', 'kept.plan', '--out', 'untried.plan')).code).toBe(0);
    expect(await refusal('apply', 'untried.plan', '--env', 'prod', '--yes')).toContain('limit.rehearsal');
    const undo = await gantry('undo', 'kept.plan', '--out', 'back.plan', '--rehearse=crash', '-o', 'json');
    // One point before the PATCH, one before the query that verifies it, and one after each.
    expect(JSON.parse(undo.stdout).rehearsal).toMatchObject({ consistent: true, points: { tried: 4, of: 4 } });
    expect((await gantry('apply', 'back.plan', '--env', 'prod', '--yes')).code).toBe(0);
    const description = async () => (await platform.call('GET', '/org/local/group/one')).body['description'];
    expect(await description()).toBe('one');

    await using program = await Gantry.open({
      ...{ project: cwd, env: 'prod', org: 'local', endpoint: platform.url, token, environment: {} },
    });
    const stack = await program.load();
    await expect(program.apply(await program.plan(stack))).rejects.toThrow('environments.prod.limits.rehearsal');
    const plan = await program.plan(stack, { rehearse: true });
    expect(plan.toJSON()).toMatchObject({ rehearsal: { consistent: true, points: { tried: 0 } } });
    await program.apply(plan);
    expect(await description()).toBe('changed');
    await expect(program.apply(await program.undo(plan))).rejects.toThrow('environments.prod.limits.rehearsal');
    await program.apply(await program.undo(plan, { rehearse: 'crash' }));
    expect(await description()).toBe('one');
  });

  test('a saved plan must satisfy the limits at planning and the current ones', async () => {
    manifests(group('one', 'one'));
    expect((await gantry('plan', '.', '--env', 'prod', '--out', 'kept.plan')).code).toBe(0);
    limits('{max-deletes: 0}');
    expect(await refusal('apply', 'kept.plan', '--env', 'prod', '--yes')).toContain('limit.max-deletes');
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { bothAtOnce } from '../harness/bothAtOnce.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const root = temporaryFolder('hand-over');
const folders = { bank: join(root, 'bank'), shop: join(root, 'shop') } as const;
type Stack = keyof typeof folders;
const platform = usePlatform();
let uid: unknown;

beforeAll(async () => {
  for (const [stack, folder] of Object.entries(folders)) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'gantry.yaml'), `stack: ${stack}\n`);
  }
  write('shop', group('clerks'));
  await apply('shop');
});

const group = (name: string, lifecycle = '') =>
  `kind: group\nname: ${name}\n${lifecycle === '' ? '' : `lifecycle: {${lifecycle}}\n`}---\n`;

function write(stack: Stack, text: string): void {
  writeFileSync(join(folders[stack], 'stack.yaml'), text);
}

function run(stack: Stack, ...args: readonly string[]) {
  return inProcess(platform, args, { cwd: folders[stack] });
}

async function apply(stack: Stack): Promise<void> {
  await succeeded(run(stack, 'apply', '.', '--yes'));
}

async function expectEmptyPlan(stack: Stack): Promise<void> {
  await succeeded(run(stack, 'plan', '.', '--detailed-exitcode'));
}

async function owner(): Promise<unknown> {
  const { status, body } = await platform.call('GET', '/org/local/group/vault');
  expect(status).toBe(200);
  expect(body['id']).toBe(uid);
  return objectAt(body, 'tags')['gantry/stack'];
}

/** The stack `bank` has created the group `vault`; each stack also has another group. */
beforeEach(async () => {
  await platform.call('DELETE', '/org/local/group/vault');
  write('bank', group('tellers') + group('vault', 'retain: true'));
  await apply('bank');
  uid = (await platform.call('GET', '/org/local/group/vault')).body['id'];
});

const leaving = {
  'handOver in the old stack': group('tellers') + group('vault', 'handOver: shop'),
  'removed from the old stack, which had retained it': group('tellers'),
};

describe('a hand-over without a deletion', () => {
  test.each([{ order: ['shop', 'bank'] as const }, { order: ['bank', 'shop'] as const }])(
    'is complete after the applies of $order',
    async ({ order }) => {
      write('bank', leaving['handOver in the old stack']);
      write('shop', group('clerks') + group('vault', 'adopt: {from: bank}'));
      for (const stack of order) await apply(stack);
      expect(await owner()).toBe('shop');
      await Promise.all([expectEmptyPlan('bank'), expectEmptyPlan('shop')]);
    },
  );

  test.each(Object.entries(leaving))('%s: if both apply together, one wins and the other agrees', async (_, text) => {
    write('bank', text);
    write('shop', group('clerks') + group('vault', 'adopt: {from: bank}'));
    const ended = await bothAtOnce(platform, [folders.bank, folders.shop], ['apply', '.', '--yes']);
    for (const { code, stdout, stderr } of ended) {
      if (code !== 0) expect(stdout + stderr).toContain('plan.stale');
    }
    await apply('shop');
    await apply('bank');
    expect(await owner()).toBe('shop');
    await Promise.all([expectEmptyPlan('bank'), expectEmptyPlan('shop')]);
  });

  test('the old stack is refused if it still declares the resource, and nothing is written', async () => {
    write('shop', group('clerks') + group('vault', 'adopt: {from: bank}'));
    await apply('shop');
    const refused = await run('bank', 'apply', '.', '--yes');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('owner.other');
    expect(refused.stdout).toContain('it belongs to the stack shop; if it was handed over, remove it here');
    expect(await owner()).toBe('shop');
  });

  test('if the old stack deletes while the new one adopts, the second is stale and the resource is adopted or deleted', async () => {
    write('bank', group('tellers') + group('vault', 'retain: false'));
    await apply('bank');
    write('bank', group('tellers'));
    write('shop', group('clerks') + group('vault', 'adopt: {from: bank}'));
    const [bank, shop] = await bothAtOnce(platform, [folders.bank, folders.shop], ['apply', '.', '--yes']);
    const { status } = await platform.call('GET', '/org/local/group/vault');
    if (status === 200) {
      expect(await owner()).toBe('shop');
      expect(shop?.code, shop?.stdout).toBe(0);
      expect((bank?.stdout ?? '') + (bank?.stderr ?? '')).toContain('plan.stale');
      await expectEmptyPlan('bank');
    } else {
      expect(bank?.code, bank?.stdout).toBe(0);
      expect([4, 5]).toContain(shop?.code);
      expect((shop?.stdout ?? '') + (shop?.stderr ?? '')).toMatch(/plan\.stale|Verification failed/);
    }
  });
});

describe('a saved plan of the old stack, once the new one has adopted the resource', () => {
  const vault = (fields: string) => `${group('tellers')}kind: group\nname: vault\n${fields}`;
  const retained = vault('description: new\nlifecycle: {retain: true}\n');

  async function saved(before: string, after: string): Promise<void> {
    write('bank', before);
    await apply('bank');
    write('bank', after);
    await succeeded(run('bank', 'plan', '.', '--out', 'it.plan'));
  }

  async function adopted(): Promise<void> {
    write('shop', group('clerks') + group('vault', 'adopt: {from: bank}'));
    await apply('shop');
  }

  test.each([
    { does: 'changes it', before: vault('lifecycle: {retain: true}\n'), after: retained },
    { does: 'deletes it', before: vault(''), after: group('tellers') },
  ])('that $does is stale and writes nothing', async ({ before, after }) => {
    await saved(before, after);
    await adopted();
    const { code, stderr } = await run('bank', 'apply', 'it.plan', '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('error plan.stale')]);
    expect(await owner()).toBe('shop');
    await expectEmptyPlan('shop');
  });

  test.each(Object.entries(leaving))('that releases it has nothing to do (%s)', async (_, after) => {
    await saved(vault('lifecycle: {retain: true}\n'), after);
    await adopted();
    const { code, stdout } = await run('bank', 'apply', 'it.plan', '--yes');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Everything in this plan is done')]);
    expect(await owner()).toBe('shop');
    await expectEmptyPlan('shop');
  });

  test('that keeps it is refused before its first write if a third stack owns it, like a plan that is not saved', async () => {
    await saved(vault('lifecycle: {retain: true}\n'), leaving['handOver in the old stack']);
    await succeeded(run('bank', 'apply', 'it.plan', '--yes'));
    write('bank', `${leaving['handOver in the old stack']}${group('guards')}`);
    await succeeded(run('bank', 'plan', '.', '--out', 'it.plan'));
    mkdirSync(join(root, 'third'));
    writeFileSync(join(root, 'third', 'gantry.yaml'), 'stack: third\n');
    writeFileSync(join(root, 'third', 'stack.yaml'), group('vault', 'adopt: true'));
    await succeeded(inProcess(platform, ['apply', '.', '--yes'], { cwd: join(root, 'third') }));

    const direct = await run('bank', 'apply', '.', '--yes');
    expect([direct.code, direct.stdout]).toEqual([3, expect.stringContaining('owner.other')]);
    const { code, stderr } = await run('bank', 'apply', 'it.plan', '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('error plan.fact')]);
    expect(stderr).toContain('group/vault, which is handed over to the stack shop, belongs to the stack third');
    expect((await platform.call('GET', '/org/local/group/guards')).status).toBe(404);
    expect(await owner()).toBe('third');
  });

  test('that has already changed it is not run again', async () => {
    await saved(vault('lifecycle: {retain: true}\n'), retained);
    await succeeded(run('bank', 'apply', 'it.plan', '--yes'));
    await adopted();
    const { code, stderr } = await run('bank', 'apply', 'it.plan', '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('it belongs to the stack shop')]);
    await expectEmptyPlan('shop');
  });
});

import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { KeptFiles } from '../../src/reconcile/store/keptFiles.ts';
import { readSigningKey } from '../../src/signing/signingKey.ts';
import { signPlan } from '../../src/signing/signPlan.ts';
import { planBytesOf, type Role } from '../../src/signing/statement.ts';
import { type KeyPair, writeKeyPair } from '../writeKeyPair.ts';
import { ownTown } from './ownTown.ts';
import { entryOf, writeStack } from './town.ts';

const { folder, platform, town, stateOf } = await ownTown('reconcile-approvals');

const ana = writeKeyPair(folder, 'ana');
const ben = writeKeyPair(folder, 'ben');
const stranger = writeKeyPair(folder, 'stranger');

/** A stack whose plan waits, and that trusts approvals signed with ana's key. */
async function waiting(name: string): Promise<{ readonly path: string; readonly plan: string }> {
  const path = writeStack(folder, name, { [`${name}-1`]: 'one' }, 'signers: { approval: approvers }\n');
  copyFileSync(ana.pub, join(path, 'approvers'));
  town.entries = [entryOf(path, { name })];
  await town.once();
  expect(await stateOf(name)).toMatchObject({ state: 'waiting', because: '0 of 1 approvals' });
  return { path, plan: await planOf(name) };
}

async function planOf(name: string): Promise<string> {
  return (await town.board.waiting(name))?.name ?? '';
}

interface ToSign {
  readonly role?: Role;
  readonly file?: string;
  readonly org?: string;
  readonly validForMs?: number;
}

async function signed(stack: string, by: KeyPair, { role = 'approval', ...other }: ToSign = {}): Promise<string> {
  const key = await readSigningKey(by.key, { cwd: folder, environment: {}, tell: () => {} });
  const { file } = await town.board.planFile(stack, await planOf(stack));
  const plan = planBytesOf(Buffer.from(other.file ?? file));
  const target = { org: other.org ?? 'local', stack, endpoints: [platform.url] };
  const { validForMs = 60_000 } = other;
  return signPlan({ role, plan, target, nowMs: town.store.now() }, { key, validForMs }).line;
}

async function approve(stack: string, by: string, signature: string): Promise<string> {
  const approved = town.board.approve(stack, await planOf(stack), { by, signature });
  return approved.then(
    () => 'approved',
    (error: Error) => error.message,
  );
}

test('an invalid signature is no approval, and the valid one is still accepted', async () => {
  await waiting('signed');
  const whole = await signed('signed', ana);
  const wrong: readonly (readonly [string, string])[] = [
    ['{"a": "paste"}', 'it is incomplete'],
    [whole.slice(0, -9), 'it is incomplete'],
    [`${whole}${whole}`, 'it is incomplete'],
    [await signed('signed', stranger), 'its key is not trusted for this'],
    [await signed('signed', ana, { file: 'another plan' }), 'it is for another plan'],
    [await signed('signed', ana, { org: 'other' }), 'it is for the org other'],
    [await signed('signed', ana, { validForMs: -1 }), 'it has expired'],
    [await signed('signed', ana, { role: 'plan' }), 'it is the signature of the plan, not an approval'],
  ];
  for (const [signature, why] of wrong)
    expect(await approve('signed', 'eve', signature)).toBe(`this signature does not count: ${why}`);
  expect((await town.board.waiting('signed'))?.approvals.given).toEqual([]);
  expect(await approve('signed', 'ana', `  ${whole} `)).toBe('approved');
  expect(await approve('signed', 'ann', whole)).toBe('this signature does not count: this key has signed already');
  await town.once();
  expect(await stateOf('signed')).toMatchObject({ state: 'in line' });
});

test('an expired approval no longer counts, and can be given again', async () => {
  await waiting('expired');
  const { name } = (await town.board.waiting('expired')) ?? { name: '' };
  expect(await approve('expired', 'ana', await signed('expired', ana, { validForMs: 1_000 }))).toBe('approved');
  const givenBy = async () => (await town.board.waiting('expired'))?.approvals.given;
  expect(await givenBy()).toEqual([expect.not.objectContaining({ uncounted: expect.anything() })]);
  town.pass(2_000);
  expect(await givenBy()).toMatchObject([{ by: 'ana', uncounted: 'it has expired' }]);
  await town.once();
  expect(await stateOf('expired')).toMatchObject({ state: 'waiting', because: '0 of 1 approvals', plan: name });
  expect(await approve('expired', 'ana', await signed('expired', ana))).toBe('approved');
  await town.once();
  expect(await stateOf('expired')).toMatchObject({ state: 'in line' });
});

test('trusting another key supersedes the plan, and the new plan can be approved with that key', async () => {
  const { path, plan } = await waiting('rotated');
  expect(await approve('rotated', 'ben', await signed('rotated', ben))).toContain('its key is not trusted');
  copyFileSync(ben.pub, join(path, 'approvers'));
  await town.once();
  expect(await planOf('rotated')).not.toBe(plan);
  expect((await town.board.plans('rotated')).at(-1)?.superseded?.because).toBe('the settings changed');
  expect(await approve('rotated', 'ana', await signed('rotated', ana))).toContain('its key is not trusted');
  expect(await approve('rotated', 'ben', await signed('rotated', ben))).toBe('approved');
});

test('no key is trusted if gantry.yaml names no keys', async () => {
  const path = writeStack(folder, 'unsigned', { 'unsigned-1': 'one' });
  town.entries = [entryOf(path, { name: 'unsigned', mode: 'propose' })];
  await town.once();
  expect(await approve('unsigned', 'ana', await signed('unsigned', ana))).toContain('its key is not trusted for this');
});

test('a damaged signature of a waiting plan is reported without the path of a temporary file', async () => {
  await waiting('damaged');
  expect(await approve('damaged', 'ana', await signed('damaged', ana))).toBe('approved');
  await town.store.sql.query("UPDATE plans SET signatures = 'cut off' WHERE stack = 'damaged'");
  await town.once();
  expect(await stateOf('damaged')).toMatchObject({
    state: 'failing',
    because: 'stack.plan.sig:1: this is not a whole signature of a plan: it was cut off or edited',
  });
});

test('an approval of a superseded plan stays void, even if the worker was killed during that', async () => {
  const path = writeStack(folder, 'void', { void: 'one' });
  town.entries = [entryOf(path, { name: 'void', mode: 'propose' })];
  await town.once();
  const approved = await planOf('void');
  await town.board.approve('void', approved, { by: 'ana' });
  writeStack(folder, 'void', { void: 'two' });
  using killed = vi.spyOn(KeptFiles.prototype, 'forgetOthers').mockRejectedValueOnce(new Error('killed'));
  await town.once();
  expect(killed).toHaveBeenCalled();
  expect(await planOf('void')).not.toBe(approved);
  writeStack(folder, 'void', { void: 'one' });
  town.pass(60_000);
  await town.once();
  expect(await planOf('void')).toBe(approved);
  expect(await stateOf('void')).toMatchObject({ state: 'waiting', because: '0 of 1 approvals' });
});

test('a truncated line of approvals does not damage the lines after it', async () => {
  const kept = new KeptFiles(join(folder, 'cut-off'));
  const before = { by: 'ana', atMs: 1 };
  const after = { by: 'ben', atMs: 2 };
  await kept.approve('cut', 'plan', before);
  appendFileSync(join(folder, 'cut-off/cut/plan.approvals'), '{"by":"eve","atM');
  await kept.approve('cut', 'plan', after);
  expect(await kept.approvals('cut', 'plan')).toEqual([before, after]);
});

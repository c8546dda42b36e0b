import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Gantry } from '../../src/automation.ts';
import type { Trust } from '../../src/project/session/session.ts';
import { codeOf } from '../codeOf.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useKeyPair } from '../writeKeyPair.ts';

const folder = temporaryFolder('signing-program');
const keys = {
  planner: useKeyPair(folder, 'planner'),
  approver: useKeyPair(folder, 'approver'),
  other: useKeyPair(folder, 'other'),
};
const trust: Trust = { signedBy: keys.planner.pub, approvedBy: keys.approver.pub };

/** A project whose environment requires both, with a platform in this process. */
function open(): Promise<Gantry> {
  const limits = 'environments:\n  prod:\n    limits: {signature: required, approvals: 1}\n';
  writeFileSync(join(folder, 'gantry.yaml'), `stack: shop\n${limits}`);
  writeFileSync(join(folder, 'group.yaml'), 'kind: group\nname: readers\n');
  return Gantry.open({ project: folder, env: 'prod', embedded: 'memory', environment: {} });
}

test('one program signs, another approves, and the saved plan is applied and undone, if both are required', async () => {
  await using gantry = await open();
  const plan = await gantry.plan(await gantry.load('group.yaml'));
  expect(await codeOf(gantry.apply(plan))).toBe('plan.refused');
  await gantry.save(plan, 'it.plan', { sign: keys.planner.key });
  const opened = await gantry.open('it.plan');
  expect(await codeOf(gantry.apply(opened))).toBe('settings.signers');
  expect(await codeOf(gantry.apply(opened, trust))).toBe('saved.approvals');

  expect(await codeOf(gantry.approve('it.plan', { sign: keys.planner.key }))).toBe('saved.own-approval');
  const signedBy = keys.other.pub;
  expect(await codeOf(gantry.approve('it.plan', { sign: keys.approver.key, signedBy }))).toBe(
    'saved.signature-unknown',
  );
  await gantry.approve('it.plan', { sign: keys.approver.key, signedBy: keys.planner.pub });
  expect(await codeOf(gantry.apply(opened, { ...trust, approvedBy: keys.other.pub }))).toBe('saved.approvals');
  expect(await gantry.read('group/readers')).toBeUndefined();
  await gantry.apply(opened, trust);
  expect(await gantry.read('group/readers')).toBeDefined();

  const undo = await gantry.undo(opened);
  expect(await codeOf(gantry.apply(undo))).toBe('plan.refused');
  await gantry.save(undo, 'back.plan', { sign: keys.planner.key });
  await gantry.approve('back.plan', { sign: keys.approver.key });
  await gantry.apply(await gantry.open('back.plan'), trust);
  expect(await gantry.read('group/readers')).toBeUndefined();
});

test('a signature that has expired, or belongs to another file, is not valid', async () => {
  await using gantry = await open();
  const plan = await gantry.plan(await gantry.load('group.yaml'));
  await gantry.save(plan, 'late.plan', { sign: keys.planner.key, validForMs: 0 });
  expect(await codeOf(gantry.apply(await gantry.open('late.plan'), trust))).toBe('saved.signature-expired');

  await gantry.save(plan, 'one.plan', { sign: keys.planner.key });
  const one = await gantry.open('one.plan');
  writeFileSync(join(folder, 'group.yaml'), 'kind: group\nname: writers\n');
  await gantry.save(await gantry.plan(await gantry.load('group.yaml')), 'one.plan', { sign: keys.planner.key });
  await gantry.approve('one.plan', { sign: keys.approver.key });
  expect(await codeOf(gantry.apply(one, trust))).toBe('saved.signature-invalid');
});

test('if keys are named, plans without a file are refused; an unreadable key writes nothing', async () => {
  await using gantry = await Gantry.open({ project: false, embedded: 'memory', environment: {} });
  const plan = await gantry.plan(await gantry.load([{ kind: 'group', name: 'readers' }], { stack: 'shop' }));
  expect(await codeOf(gantry.apply(plan, trust))).toBe('saved.unsigned');
  const file = join(folder, 'none.plan');
  expect(await codeOf(gantry.save(plan, file, { sign: join(folder, 'missing') }))).toBe('saved.key-file');
  expect(await codeOf(gantry.open(file))).toBe('file.read');
  await gantry.apply(plan);
  expect(await gantry.read('group/readers')).toBeDefined();
});

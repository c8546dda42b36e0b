import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { WriteEvent } from '../../src/manifest/live/writer.ts';
import { tags } from './harness/plans.ts';
import { planned, type RunRow, testRuns } from './harness/runText.ts';

const gvc = 'gvc/shop';

function write(
  version: number,
  name: string,
  record: JsonObject = {},
  action: WriteEvent['action'] = 'edit',
): WriteEvent {
  return { version, at: '2026-01-01T00:00:00Z', action, writer: { name, type: 'user' }, record };
}

const trail =
  (...writes: readonly WriteEvent[]) =>
  () =>
    Promise.resolve(writes);

const patched = 'patch gvc/shop at(3) over(old)';
const landed = trail(write(6, 'us'), write(5, 'bob'), write(4, 'ann'), write(3, 'us'));
const on = 'races gvc/shop written 3-5 theirs(tags.team) not-written()';

const meanwhile = 'patch gvc/shop: tagged(13)';
const byTen = { nextVersion: (before: number) => before + 10, ignoresVersions: true } as const;

// biome-ignore format: a row is a case
const written: readonly RunRow[] = [
  ['names the other writers and the fields of theirs that remain', patched, 'gvc/shop: tagged(5)',
    `${on} by(ann,bob)`, { again: 'old', run: { writesOf: landed } }],
  ['is not reported as changed by this run if another run made the same write', patched,
    'gvc/shop: tagged(4,gantry/applied,1;lgvc/shop;v4), edited(5,new)',
    'already gvc/shop; versions gvc/shop@5 already'],
  ['is not reported as changed by this run if nothing is left of it', patched, 'gvc/shop: edited(5,newer)',
    'already gvc/shop', { again: false }],
  ['is reported as changed by this run if the response of its own write was lost', patched,
    'gvc/shop: tagged(5); patch gvc/shop: api.conflict, lost', 'done gvc/shop; already nothing', { again: 'old' }],
  ['is not reported as created by this run if another run made the same creation', 'create gvc/shop',
    'gvc/shop: made(made)', 'already gvc/shop'],
  ['is reported as created by this run if the response was lost', 'create gvc/shop', 'create gvc/shop: lost',
    'done gvc/shop; already nothing'],
  ['is reported even if the response of its own write was lost', patched,
    'gvc/shop: tagged(5); patch gvc/shop: api.conflict, lost', `done gvc/shop; ${on} by(ann,bob)`,
    { again: 'old', run: { writesOf: landed } }],
  ['has an unknown writer if the audit trail cannot be read', patched, 'gvc/shop: tagged(5)', `${on} by(unknown)`,
    { again: 'old' }],
  ['does not get the version below ours if versions may rise by more than one', patched, meanwhile,
    'done gvc/shop; races gvc/shop written 3-unknown theirs(tags.team) not-written() by(unknown)',
    { ...byTen, again: 'old' }],
  ['has the version in the audit trail if versions may rise by more than one', patched, meanwhile,
    'done gvc/shop; races gvc/shop written 3-13 theirs(tags.team) not-written() by(bob)',
    { ...byTen, again: 'old', run: { writesOf: trail(write(23, 'us'), write(13, 'bob'), write(3, 'us')) } }],
];

const byAnn = trail(write(5, 'ann'), write(4, 'ann'));
const deletedByAnn = trail(write(3, 'ann', {}, 'delete'), write(3, 'us'));
const createdByBob = trail(write(1, 'bob', {}, 'create'));
const before = { name: 'shop', description: 'old', tags: tags(gvc, 3) };
const otherThan = 'patch gvc/shop: lost; read gvc/shop: edited(9,NEW)';

// biome-ignore format: a row is a case
const stale: readonly RunRow[] = [
  ['a patch names the field that they wrote and that our write did not', patched, 'gvc/shop: edited(5,theirs)',
    'failed gvc/shop plan.stale; races gvc/shop stale 3-5 theirs(description) not-written(description) by(ann)',
    { again: 'theirs', run: { writesOf: byAnn } }],
  ['a patch of a deleted record names who deleted it', patched, 'gvc/shop: gone',
    'failed gvc/shop plan.stale; races gvc/shop stale 3-gone theirs() not-written(description) by(ann)',
    { run: { writesOf: deletedByAnn } }],
  ['a name used by another record lists the differences there', 'create gvc/shop',
    'gvc/shop: edited(1,theirs), tagged(1)', 'failed gvc/shop plan.stale; ' +
      'races gvc/shop stale 0-1 theirs(description,tags.team) not-written(description) by(bob)',
    { run: { writesOf: createdByBob } }],
  ['a deletion lists their changes from the audit trail', 'delete gvc/shop at(3)', 'gvc/shop: edited(4,theirs)',
    'failed gvc/shop plan.stale; races gvc/shop stale 3-4 theirs(description) not-written() by(ann)',
    { run: { writesOf: trail(write(4, 'ann'), write(3, 'us', before)) } }],
  ['our write with a lost response, which differs from the sent one, was changed by others if versions count writes',
    patched, otherThan,
    'failed gvc/shop plan.stale; reached written; ' +
      'races gvc/shop stale 3-9 theirs(description) not-written(description) by(unknown)',
    { again: 'NEW', knows: [['version.plus-one', 'holds']] }],
  ['… names no writer if versions do not prove that others wrote last', patched, otherThan,
    'failed gvc/shop plan.stale; reached written; ' +
      'races gvc/shop unsure 3-9 theirs(description) not-written() by(unknown)',
    { again: 'NEW' }],
];

describe('a patch written after another write', () => testRuns(written));
describe('a stale change', () => testRuns(stale));

test('our own write with a lost response that was not visible at first is no race', async () => {
  const { platform, from: picture, apply } = planned(patched, { ignoresVersions: true, unsaid: true, again: false });
  const nothing = { kind: 'meanwhile', happens: () => {} } as const;
  platform.fault('patch', gvc, nothing, { kind: 'lost-after' });
  platform.fault('read', gvc, nothing, { kind: 'stale', picture });
  const { result } = await apply();
  expect(result.done).toEqual([gvc]);
  expect(result.races).toBeUndefined();
});

test('the trail is only requested for records with a race, and not at all without one', async () => {
  const asked: string[] = [];
  const { result } = await planned(`${patched}; create secret/x`).apply({
    writesOf: (uid) => Promise.resolve(void asked.push(uid)),
  });
  expect(asked).toEqual([]);
  expect(result.races).toBeUndefined();
});

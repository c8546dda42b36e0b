import { expect, test } from 'vitest';
import { staleRecords } from '../../../src/gantry/savedPlan/stale.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { live, org } from '../../plan/world.ts';

const id = 'group/team';
const approved = live(id, { description: 'old' }, { version: 3 });
const edited = live(id, { description: 'new' }, { version: 5 });

interface Case {
  readonly it: string;
  readonly before?: LiveResource;
  readonly now?: LiveResource;
  readonly fields: readonly string[];
  readonly uid: string;
  readonly since: number;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'the same record with a later write: its changed fields, and its audit trail since then', before: approved,
    now: edited, fields: ['description'], uid: 'uid-group/team', since: 3 },
  { it: 'another record with that name: no fields, and its whole audit trail',
    before: approved, now: { ...edited, uid: 'another' }, fields: [], uid: 'another', since: 0 },
  { it: 'a deleted record: the audit trail of the former record', before: approved, fields: [], uid: 'uid-group/team',
    since: 3 },
  { it: 'a new record: the whole audit trail of the current record', now: edited, fields: [], uid: 'uid-group/team',
    since: 0 },
];

test.each(cases)('a stale record is $it', ({ before, now, fields, uid, since }) => {
  const progress = new Map([[id, { as: 'stale', moved: 'in words', live: now } as const]]);
  const kept = new Map(before === undefined ? [] : [[id, before] as const]);
  expect(staleRecords(progress, kept, org)).toEqual([{ id, reason: 'in words', fields, uid, since }]);
});

test('records that are unchanged or done are not stale', () => {
  const progress = new Map([
    ['group/a', { as: 'open' } as const],
    ['group/b', { as: 'done' } as const],
  ]);
  expect(staleRecords(progress, new Map(), org)).toEqual([]);
});

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
  { it: 'the same record, written since: its fields that moved, and its trail from then on', before: approved,
    now: edited, fields: ['description'], uid: 'uid-group/team', since: 3 },
  { it: 'another record of that name: no fields, because none of them moved, and the whole of its trail',
    before: approved, now: { ...edited, uid: 'another' }, fields: [], uid: 'another', since: 0 },
  { it: 'gone: the trail of the former record', before: approved, fields: [], uid: 'uid-group/team', since: 3 },
  { it: 'not there before: the whole trail of what is there now', now: edited, fields: [], uid: 'uid-group/team',
    since: 0 },
];

test.each(cases)('a stale record is $it', ({ before, now, fields, uid, since }) => {
  const progress = new Map([[id, { as: 'stale', moved: 'in words', live: now } as const]]);
  const kept = new Map(before === undefined ? [] : [[id, before] as const]);
  expect(staleRecords(progress, kept, org)).toEqual([{ id, reason: 'in words', fields, uid, since }]);
});

test('what is as it was approved, or done, is not stale', () => {
  const progress = new Map([
    ['group/a', { as: 'open' } as const],
    ['group/b', { as: 'done' } as const],
  ]);
  expect(staleRecords(progress, new Map(), org)).toEqual([]);
});

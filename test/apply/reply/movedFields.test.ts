import { expect, test } from 'vitest';
import { movedFields, overwrittenFields } from '../../../src/apply/sameWrite.ts';
import type { FieldChange } from '../../../src/plan/model/change.ts';
import { change } from '../harness/plans.ts';

const hidden = { sensitive: true, changed: true } as const;
const alias = { path: 'alias', new: 'x' };
const description = { path: 'description', old: 'old', new: 'new' };
const spec = { path: 'spec', old: { sensitive: false, a: [1] }, new: {} };

function changing(...fields: readonly FieldChange[]) {
  return change('gvc/shop', { action: 'patch', fields });
}

interface Case {
  readonly it: string;
  readonly approved: readonly FieldChange[];
  readonly now: readonly FieldChange[];
  readonly moved: readonly string[];
  readonly overwritten: readonly string[];
}

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'the approved ones', approved: [alias, description, spec], now: [spec, description, alias], moved: [],
    overwritten: [] },
  { it: 'some of the approved ones', approved: [alias, description], now: [description], moved: [], overwritten: [] },
  { it: 'a field that was not approved', approved: [description], now: [description, alias], moved: ['alias'],
    overwritten: [] },
  { it: 'several differing fields, sorted', approved: [description, spec, alias],
    now: [{ ...spec, old: { sensitive: false, a: [2] } }, { ...description, old: 'theirs' }, alias],
    moved: ['description', 'spec'], overwritten: ['spec', 'description'] },
  { it: 'a field with another new value', approved: [description], now: [{ ...description, new: 'newer' }],
    moved: ['description'], overwritten: ['description'] },
  { it: 'a field whose old value was removed', approved: [description], now: [{ path: 'description', new: 'new' }],
    moved: ['description'], overwritten: ['description'] },
];

test.each(cases)('a change of $it: moved $moved, overwritten $overwritten', ({ approved, now, moved, overwritten }) => {
  const words = moved.length === 0 ? [] : [`the change is different for ${moved.join(', ')}`];
  expect(movedFields(changing(...approved), changing(...now))).toEqual(words);
  expect(overwrittenFields(changing(...approved), changing(...now))).toEqual(overwritten);
});

test('for a hidden value it is unknown whether it changed since', () => {
  const change = changing({ path: 'data', old: hidden, new: hidden });
  expect(movedFields(change, change)).toEqual(['the earlier value of data is not known, so it cannot be compared']);
  expect(overwrittenFields(change, change)).toEqual([]);
});

test('a refusal of the new plan is reported first', () => {
  const refusals = [{ code: 'adopt.not-asked', message: 'it belongs to nobody' }];
  const now = { ...changing(alias), refusals };
  expect(movedFields(changing(), now)).toEqual(['it belongs to nobody', 'the change is different for alias']);
});

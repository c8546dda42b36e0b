import { expect, test } from 'vitest';
import { refuseSaved } from '../../../src/change/savedPlan.ts';
import type { Limits } from '../../../src/plan/model/limits.ts';
import { declare, options } from '../../plan/world.ts';
import { planned } from './saving.ts';

const { plan } = planned([declare('group/a'), declare('group/b')], []);
const at = 'environments.prod.limits';
const [rehearsal, window]: readonly Limits[] = [
  { at, rehearsal: 'required' },
  { at, windows: [{ days: ['sun'], from: '22:00', to: '23:00', timezone: 'UTC' }] },
];
const few: Limits = { at, maxChanges: 1 };
/** A Monday. */
const nowMs = Date.parse('2026-11-23T08:05:00Z');

test.each<{ it: string; then?: readonly Limits[]; now: readonly Limits[]; rehearsed?: true; codes: readonly string[] }>(
  [
    { it: 'none without limits', now: [], codes: [] },
    { it: 'the current limits', now: [few], codes: ['limit.max-changes'] },
    { it: 'the limits of the plan', now: [], then: [few], codes: ['limit.max-changes'] },
    {
      it: 'the limits of the plan, whatever is permitted now',
      now: [{ at, maxChanges: 9 }],
      then: [few],
      codes: ['limit.max-changes'],
    },
    { it: 'the time window', now: window ? [window] : [], codes: ['limit.window'] },
    { it: 'the missing rehearsal', now: rehearsal ? [rehearsal] : [], codes: ['limit.rehearsal'] },
    { it: 'not a rehearsal that was made', now: rehearsal ? [rehearsal] : [], rehearsed: true, codes: [] },
  ],
)('limits that refuse a saved plan: $it', ({ then, now, rehearsed, codes }) => {
  const given = { ...options, ...(then && { limits: then }), ...(rehearsed && { rehearsed }) };
  const refusals = refuseSaved({ plan, options: given }, now, { nowMs, isSigned: false });
  expect(refusals.map(({ code }) => code)).toEqual(codes);
});

import { describe, expect, test } from 'vitest';
import {
  isOpen,
  localTime,
  refuseBeyondLimits,
  refuseNow,
  tightest,
  windowsText,
} from '../../../src/plan/checks/refusePlan.ts';
import type { TimeWindow } from '../../../src/plan/model/limits.ts';

const office: TimeWindow = { days: ['mon', 'fri'], from: '09:00', to: '17:00', timezone: 'Europe/Berlin' };
const night: TimeWindow = { days: ['sun'], from: '22:00', to: '02:00', timezone: 'UTC' };

/** 2026-11-23 and 2026-07-06 are Mondays; Berlin is then one and two hours ahead of UTC. */
// biome-ignore format: a row is a case
test.each([
  { window: office, at: '2026-11-23T07:59:59Z', open: false },
  { window: office, at: '2026-11-23T08:00:00Z', open: true },
  { window: office, at: '2026-11-23T15:59:59Z', open: true },
  { window: office, at: '2026-11-23T16:00:00Z', open: false },
  { window: office, at: '2026-11-24T10:00:00Z', open: false },
  { window: office, at: '2026-07-06T07:00:00Z', open: true },
  { window: office, at: '2026-07-06T15:00:00Z', open: false },
  { window: night, at: '2026-11-22T21:59:00Z', open: false },
  { window: night, at: '2026-11-22T22:00:00Z', open: true },
  { window: night, at: '2026-11-23T01:59:00Z', open: true },
  { window: night, at: '2026-11-23T02:00:00Z', open: false },
  { window: night, at: '2026-11-23T22:00:00Z', open: false },
  { window: { ...office, days: ['sun'], from: '00:00', to: '24:00' } as const, at: '2026-11-22T22:59:00Z', open: true },
  { window: { ...office, days: ['sun'], from: '00:00', to: '24:00' } as const, at: '2026-11-22T23:00:00Z',
    open: false },
  // The clock goes from 02:00 to 03:00 in Berlin on 2026-03-29, a Sunday.
  { window: { ...office, days: ['sun'], from: '02:00', to: '03:00' } as const, at: '2026-03-29T01:00:00Z',
    open: false },
  { window: { ...office, days: ['sun'], from: '01:00', to: '03:30' } as const, at: '2026-03-29T01:15:00Z', open: true },
])(
  'a window of $window.days from $window.from to $window.to in $window.timezone at $at: $open',
  ({ window, at, open }) => {
    expect(isOpen(window, Date.parse(at))).toBe(open);
  },
);

test('windows are described in words', () => {
  expect(windowsText([office, { ...night, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }])).toBe(
    'mon, fri 09:00-17:00 in Europe/Berlin or 22:00-02:00 in UTC',
  );
  expect(windowsText([{ ...night, days: ['mon', 'mon', 'mon', 'mon', 'mon', 'mon', 'mon'] }])).toContain('mon');
  expect(localTime(Date.parse('2026-11-23T08:05:00Z'), 'Europe/Berlin')).toBe('mon 09:05 in Europe/Berlin');
});

const at = 'environments.prod.limits';

test('an apply is allowed if one of several windows is open', () => {
  const nowMs = Date.parse('2026-11-23T08:05:00Z');
  expect(refuseNow([{ at, windows: [night, office] }], { nowMs, isRehearsed: false, isSigned: false })).toEqual([]);
  expect(refuseNow([{ at, windows: [night] }], { nowMs, isRehearsed: false, isSigned: false })).toEqual([
    {
      code: 'limit.window',
      message:
        'gantry.yaml: environments.prod.limits.window: it is mon 08:05 in UTC; it is allowed sun 22:00-02:00 in UTC',
    },
  ]);
  expect(refuseNow([{ at, rehearsal: 'required' }], { nowMs, isRehearsed: true, isSigned: false })).toEqual([]);
  expect(refuseNow([{ at, rehearsal: 'required' }], { nowMs, isRehearsed: false, isSigned: false })).toEqual([
    {
      code: 'limit.rehearsal',
      message: 'gantry.yaml: environments.prod.limits.rehearsal: this plan was not rehearsed',
      allow: 'gantry plan --rehearse --out FILE (or gantry undo OLD --rehearse --out FILE), and gantry apply FILE',
    },
  ]);
  expect(refuseNow([], { nowMs, isRehearsed: false, isSigned: false })).toEqual([]);
});

test('a plan without changes is not refused', () => {
  expect(refuseBeyondLimits({ changes: [] }, [{ at, maxDeletes: 0, maxChanges: 0, maxRisk: 'none' }])).toEqual([]);
  expect(refuseBeyondLimits({ changes: [] }, [])).toEqual([]);
});

describe('limits of several environments', () => {
  const dev = 'environments.dev.limits';

  test('the tightest of each is kept with its place; the first one of equal ones', () => {
    expect(
      tightest([
        { at: dev, maxDeletes: 1, maxChanges: 9, maxRisk: 'downtime', rehearsal: 'required', approvals: 1 },
        { at, maxDeletes: 3, maxChanges: 5, maxRisk: 'metadata', rehearsal: 'required', signature: 'required' },
        { at: 'third', approvals: 2, maxChanges: 5 },
      ]),
    ).toEqual([
      { at: dev, maxDeletes: 1, rehearsal: 'required' },
      { at, maxChanges: 5, maxRisk: 'metadata', signature: 'required' },
      { at: 'third', approvals: 2 },
    ]);
  });

  test('the first one of two equal requirements is kept', () => {
    const both = { signature: 'required', rehearsal: 'required', approvals: 1, maxRisk: 'downtime' } as const;
    expect(
      tightest([
        { at: dev, ...both },
        { at, ...both },
      ]),
    ).toEqual([{ at: dev, ...both }, { at }]);
  });

  test('0 approvals require none, and 0 deletions are the tightest limit', () => {
    expect(
      tightest([
        { at: dev, approvals: 0, maxDeletes: 1 },
        { at, maxDeletes: 0 },
      ]),
    ).toEqual([
      { at: dev, approvals: 0 },
      { at, maxDeletes: 0 },
    ]);
  });

  test('every window must be open, and equal ones are reported once', () => {
    const nowMs = Date.parse('2026-11-23T08:05:00Z');
    const now = { nowMs, isRehearsed: false, isSigned: false };
    expect(
      refuseNow(
        [
          { at: dev, windows: [office] },
          { at, windows: [night] },
        ],
        now,
      ),
    ).toEqual([
      {
        code: 'limit.window',
        message:
          'gantry.yaml: environments.prod.limits.window: it is mon 08:05 in UTC; it is allowed sun 22:00-02:00 in UTC',
      },
    ]);
    expect(
      refuseNow(
        [
          { at: dev, windows: [night] },
          { at, windows: [night] },
        ],
        now,
      ),
    ).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { isOpen, localTime, refuseBeyondLimits, refuseNow } from '../../../src/plan/checks/refusePlan.ts';
import type { Action, Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Limits, TimeWindow } from '../../../src/plan/model/limits.ts';
import { changeWith } from '../changes.ts';

const at = 'environments.prod.limits';

function change(action: Action, name: string, more: Partial<UncheckedChange> = {}): Change {
  return changeWith({ id: `secret/${name}`, ref: { kind: 'secret', name }, kind: 'secret', name, action, ...more });
}

const [created, kept] = [change('create', 'new'), change('keep', 'same')];
const deleted = change('delete', 'old');

describe('limits of an environment that a plan exceeds', () => {
  test.each<[string, readonly Change[], Omit<Limits, 'at'>, readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['as many deletions as allowed', [deleted, created], { maxDeletes: 1 }, []],
      ['one more', [deleted, change('delete', 'b')], { maxDeletes: 1 }, ['limit.max-deletes']],
      ['a replacement counts as a deletion', [change('replace', 'a')], { maxDeletes: 0 }, ['limit.max-deletes']],
      ['a cascade to records of others counts as deletions',
        [change('delete', 'a', { cascadesTo: ['secret/theirs'] })], { maxDeletes: 1 },
        ['limit.max-deletes']],
      ['a cascade to an own deletion counts once', [change('delete', 'a', { cascadesTo: ['secret/old'] }), deleted],
        { maxDeletes: 2 }, []],
      ['the same cascade of two deletions counts once',
        [change('delete', 'a', { cascadesTo: ['secret/x'] }), change('delete', 'b', { cascadesTo: ['secret/x'] })],
        { maxDeletes: 3 }, []],
      ['a patch or a released record is no deletion',
        [created, change('patch', 'a'), change('forget', 'b')], { maxDeletes: 0 },
        []],
      ['as many changes as allowed', [created, kept], { maxChanges: 1 }, []],
      ['more changes', [created, deleted, kept], { maxChanges: 1 }, ['limit.max-changes']],
      ['a plan without changes', [kept], { maxChanges: 0, maxDeletes: 0, maxRisk: 'none' }, []],
      ['as much risk as allowed', [change('patch', 'a', { risk: 'downtime' })], { maxRisk: 'downtime' }, []],
      ['less risk', [change('patch', 'a', { risk: 'metadata' })], { maxRisk: 'downtime' }, []],
      ['more risk', [change('patch', 'a', { risk: 'data-loss' })], { maxRisk: 'downtime' }, ['limit.max-risk']],
      ['the risk of a kept resource does not count',
        [change('keep', 'a', { risk: 'data-loss' })], { maxRisk: 'none' }, []],
      ['without limits', [deleted, change('delete', 'b', { risk: 'data-loss' })], {}, []],
      ['each limit separately', [change('delete', 'a', { risk: 'data-loss' }), deleted],
        { maxDeletes: 0, maxChanges: 1, maxRisk: 'none' },
        ['limit.max-deletes', 'limit.max-changes', 'limit.max-risk']],
    ],
  )('%s', (_, changes, limits, expected) => {
    const refusals = refuseBeyondLimits({ changes }, [{ at, ...limits }]);
    expect(refusals.map(({ code }) => code)).toEqual(expected);
    for (const refusal of refusals) expect(refusal).not.toHaveProperty('allow');
  });

  test('the messages give the counts and name the riskiest changes first', () => {
    const changes = [
      change('patch', 'a', { risk: 'downtime' }),
      change('delete', 'b', { risk: 'data-loss' }),
      change('patch', 'c', { risk: 'metadata' }),
    ];
    const refusals = refuseBeyondLimits({ changes }, [{ at, maxDeletes: 0, maxChanges: 2, maxRisk: 'metadata' }]);
    expect(refusals.map(({ message }) => message)).toEqual([
      `gantry.yaml: ${at}.max-deletes: 1 resource would be deleted; at most 0 are allowed`,
      `gantry.yaml: ${at}.max-changes: 3 resources would be changed; at most 2 are allowed`,
      `gantry.yaml: ${at}.max-risk: the risk is greater than metadata for secret/b (data-loss), secret/a (downtime)`,
    ]);
  });
});

describe('requirements of an environment that keep a plan from being applied now', () => {
  const nowMs = Date.parse('2026-11-23T08:05:00Z');

  test.each<[string, Omit<Limits, 'at'>, boolean, boolean, readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['an unsigned plan', { signature: 'required' }, true, false, ['limit.signature']],
      ['not a signed plan', { signature: 'required' }, false, true, []],
      ['a plan without approvals', { approvals: 1 }, true, false, ['limit.approvals']],
      ['not a plan with approvals', { approvals: 1 }, false, true, []],
      ['not a plan if no approvals are required', { approvals: 0 }, false, false, []],
      ['a plan that was not rehearsed', { rehearsal: 'required' }, false, true, ['limit.rehearsal']],
      ['all of them', { approvals: 2, signature: 'required', rehearsal: 'required' }, false, false,
        ['limit.rehearsal', 'limit.signature', 'limit.approvals']],
      ['none if nothing is required', {}, false, false, []],
    ],
  )('%s', (_, limits, isRehearsed, isSigned, expected) => {
    const refusals = refuseNow([{ at, ...limits }], { nowMs, isRehearsed, isSigned });
    expect(refusals.map(({ code }) => code)).toEqual(expected);
    for (const { allow } of refusals) expect(allow).toMatch(/^gantry /);
  });
});

test('a destroy, which makes no file, is permitted by the saved plan of manifests without the resources', () => {
  const limits: Limits = { at, signature: 'required', rehearsal: 'required' };
  const unmet = { nowMs: 0, isRehearsed: false, isSigned: false };
  expect(refuseNow([limits], { ...unmet, destroys: true }).map(({ allow }) => allow)).toEqual([
    'gantry plan --allow-empty --rehearse --out FILE without the manifests of what is deleted, and gantry apply FILE',
    'gantry plan --allow-empty --out FILE --sign KEYFILE without the manifests of what is deleted, and gantry apply FILE --signed-by KEYS',
  ]);
});

describe('a window that ends when it begins lasts 24 hours', () => {
  const day: TimeWindow = { days: ['mon'], from: '09:30', to: '09:30', timezone: 'UTC' };

  /** 2026-11-23 is a Monday. */
  test.each([
    ['2026-11-23T09:29:00Z', false],
    ['2026-11-23T09:30:00Z', true],
    ['2026-11-23T23:59:00Z', true],
    ['2026-11-24T09:29:00Z', true],
    ['2026-11-24T09:30:00Z', false],
  ])('at %s', (time, open) => {
    expect(isOpen(day, Date.parse(time))).toBe(open);
  });
});

test.each([
  ['2026-11-23T23:59:59Z', 'mon 23:59 in UTC'],
  ['2026-11-29T00:00:00Z', 'sun 00:00 in UTC'],
])('the time on a wall at %s', (time, expected) => {
  expect(localTime(Date.parse(time), 'UTC')).toBe(expected);
});

import { expect, test } from 'vitest';
import { limitsForm, timeOfDay } from '../../../src/plan/model/limits.ts';

const at = 'environments.prod.limits';
const window = { days: ['mon', 'fri'], from: '22:00', to: '06:00', timezone: 'Europe/Vienna' };

test.each<{ readonly it: string; readonly limits: object }>([
  { it: 'none', limits: {} },
  { it: 'of numbers', limits: { maxDeletes: 0, maxChanges: 3, approvals: 2 } },
  { it: 'on the risk', limits: { maxRisk: 'exposure' } },
  { it: 'with required checks', limits: { rehearsal: 'required', signature: 'required' } },
  { it: 'with a window over midnight', limits: { windows: [window] } },
  { it: 'with a window to the end of a day', limits: { windows: [{ ...window, to: '24:00' }] } },
])('valid limits of an environment: $it', ({ limits }) => {
  expect(limitsForm.is({ at, ...limits })).toBe(true);
});

test.each<{ readonly it: string; readonly limits: object }>([
  { it: 'a negative number of deletions', limits: { maxDeletes: -1 } },
  { it: 'an unknown risk', limits: { maxRisk: 'fatal' } },
  { it: 'an invalid requirement', limits: { rehearsal: true } },
  { it: 'an hour with one digit', limits: { windows: [{ ...window, from: '9:00' }] } },
  { it: 'a time as a number', limits: { windows: [{ ...window, from: 900 }] } },
  { it: 'a time as a list', limits: { windows: [{ ...window, to: ['06:00'] }] } },
  { it: 'an offset as a time zone', limits: { windows: [{ ...window, timezone: '+02:00' }] } },
  { it: 'an unknown day', limits: { windows: [{ ...window, days: ['monday'] }] } },
  { it: 'a window without a time zone', limits: { windows: [{ days: ['mon'], from: '22:00', to: '06:00' }] } },
])('invalid limits of an environment: $it', ({ limits }) => {
  expect(limitsForm.is({ at, ...limits })).toBe(false);
});

test('limits name their place', () => {
  expect(limitsForm.is({ maxDeletes: 1 })).toBe(false);
});

test('the schema accepts the same times of a window', () => {
  const time = { type: 'string', pattern: timeOfDay.source };
  expect(limitsForm.schema).toMatchObject({
    properties: { windows: { items: { properties: { from: time, to: time, timezone: { type: 'string' } } } } },
  });
});

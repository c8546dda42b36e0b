import { expect, test } from 'vitest';
import { limitsForm, timeOfDay } from '../../../src/plan/model/limits.ts';

const at = 'environments.prod.limits';
const window = { days: ['mon', 'fri'], from: '22:00', to: '06:00', timezone: 'Europe/Vienna' };

test.each<{ readonly it: string; readonly limits: object }>([
  { it: 'none', limits: {} },
  { it: 'of numbers', limits: { maxDeletes: 0, maxChanges: 3, approvals: 2 } },
  { it: 'of risk', limits: { maxRisk: 'exposure' } },
  { it: 'what is demanded', limits: { rehearsal: 'required', signature: 'required' } },
  { it: 'a window over midnight', limits: { windows: [window] } },
  { it: 'a window to the end of a day', limits: { windows: [{ ...window, to: '24:00' }] } },
])('limits of an environment: $it', ({ limits }) => {
  expect(limitsForm.is({ at, ...limits })).toBe(true);
});

test.each<{ readonly it: string; readonly limits: object }>([
  { it: 'less than no deletion', limits: { maxDeletes: -1 } },
  { it: 'an unknown risk', limits: { maxRisk: 'fatal' } },
  { it: 'a demand that is none', limits: { rehearsal: true } },
  { it: 'a clock with one digit', limits: { windows: [{ ...window, from: '9:00' }] } },
  { it: 'a time as a number', limits: { windows: [{ ...window, from: 900 }] } },
  { it: 'a time as a list', limits: { windows: [{ ...window, to: ['06:00'] }] } },
  { it: 'an offset as a time zone', limits: { windows: [{ ...window, timezone: '+02:00' }] } },
  { it: 'a day that is none', limits: { windows: [{ ...window, days: ['monday'] }] } },
  { it: 'a window without a time zone', limits: { windows: [{ days: ['mon'], from: '22:00', to: '06:00' }] } },
])('no limits of an environment: $it', ({ limits }) => {
  expect(limitsForm.is({ at, ...limits })).toBe(false);
});

test('limits say where they are written', () => {
  expect(limitsForm.is({ maxDeletes: 1 })).toBe(false);
});

test('the schema has the same times of a window', () => {
  const time = { type: 'string', pattern: timeOfDay.source };
  expect(limitsForm.schema).toMatchObject({
    properties: { windows: { items: { properties: { from: time, to: time, timezone: { type: 'string' } } } } },
  });
});

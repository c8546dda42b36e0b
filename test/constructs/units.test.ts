import { Cpu, Duration, Gvc, Memory, Schedule, Size, Testing, VolumeSet, Workload } from 'gantry';
import { synth } from 'gantry/testing';
import { describe, expect, test } from 'vitest';

test.each([
  { it: 'millicores', is: Cpu.millicores(250), expected: '250m' },
  { it: 'cores', is: Cpu.cores(0.5), expected: '500m' },
  { it: 'cores with three decimals', is: Cpu.cores(1.125), expected: '1125m' },
  { it: 'cores without an exact binary fraction', is: Cpu.cores(0.29), expected: '290m' },
  { it: 'mebibytes', is: Memory.mebibytes(512), expected: '512Mi' },
  { it: 'gibibytes', is: Memory.gibibytes(1.5), expected: '1.5Gi' },
  { it: 'gigabytes', is: Size.gigabytes(20), expected: 20 },
  { it: 'terabytes', is: Size.terabytes(1.5), expected: 1500 },
  { it: 'milliseconds', is: Duration.milliseconds(250), expected: '250ms' },
  { it: 'seconds', is: Duration.seconds(30), expected: '30s' },
  { it: 'minutes', is: Duration.minutes(5), expected: '5m' },
  { it: 'hours', is: Duration.hours(2), expected: '2h' },
  { it: 'days', is: Duration.days(7), expected: '7d' },
  { it: 'minutes in seconds', is: Duration.inSeconds('5m'), expected: 300 },
  { it: 'days in seconds', is: Duration.inSeconds(Duration.days(1)), expected: 86_400 },
  { it: 'milliseconds in seconds', is: Duration.inSeconds('2000ms'), expected: 2 },
  { it: 'every 15 minutes', is: Schedule.everyMinutes(15), expected: '*/15 * * * *' },
  { it: 'every minute', is: Schedule.everyMinutes(1), expected: '* * * * *' },
  { it: 'every 6 hours', is: Schedule.everyHours(6, { minute: 30 }), expected: '30 */6 * * *' },
  { it: 'every hour', is: Schedule.hourly(), expected: '0 * * * *' },
  { it: 'every day', is: Schedule.daily({ hour: 3 }), expected: '0 3 * * *' },
  { it: 'on weekdays', is: Schedule.weekdays({ hour: 8, minute: 15 }), expected: '15 8 * * 1-5' },
  { it: 'on Sundays', is: Schedule.weekly({ day: 'sunday', hour: 0 }), expected: '0 0 * * 0' },
  { it: 'on the first', is: Schedule.monthly({ day: 1, hour: 6 }), expected: '0 6 1 * *' },
  { it: 'an expression', is: Schedule.cron('0 3 * * mon'), expected: '0 3 * * mon' },
])('$it: $expected', ({ is, expected }) => expect(is).toBe(expected));

describe('refused', () => {
  test.each([
    { it: 'zero cpu', make: () => Cpu.millicores(0), code: 'stack.quantity' },
    { it: 'half a millicore', make: () => Cpu.cores(0.0005), code: 'stack.quantity' },
    { it: 'negative memory', make: () => Memory.gibibytes(-1), code: 'stack.quantity' },
    { it: 'not a number', make: () => Memory.mebibytes(Number('x')), code: 'stack.quantity' },
    { it: 'half a gigabyte', make: () => Size.gigabytes(0.5), code: 'stack.quantity' },
    { it: 'half a minute', make: () => Duration.minutes(0.5), code: 'stack.quantity' },
    { it: 'half a second, in seconds', make: () => Duration.inSeconds('500ms'), code: 'stack.quantity' },
    { it: 'an hour that does not exist', make: () => Schedule.daily({ hour: 24 }), code: 'stack.schedule' },
    { it: 'a minute that does not exist', make: () => Schedule.hourly({ minute: 60 }), code: 'stack.schedule' },
    { it: 'a day that does not exist', make: () => Schedule.monthly({ day: 32, hour: 0 }), code: 'stack.schedule' },
    { it: 'an interval that does not divide the hour', make: () => Schedule.everyMinutes(45), code: 'stack.schedule' },
    { it: 'four fields', make: () => Schedule.cron('0 3 * *'), code: 'stack.schedule' },
  ])('$it', ({ make, code }) => {
    expect(make).toThrow(expect.objectContaining({ code }));
  });
});

test("units can be mixed with the platform's texts, and pass its rules", () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] });
  new VolumeSet(gvc, 'data', {
    performanceClass: 'general-purpose-ssd',
    initialCapacity: Size.gigabytes(20),
    snapshots: { schedule: Schedule.daily({ hour: 3 }), retentionDuration: Duration.days(7) },
  });
  new Workload(gvc, 'report', {
    type: 'cron',
    containers: [{ name: 'main', image: 'x:1', cpu: Cpu.millicores(250), memory: Memory.gibibytes(1) }],
    job: { schedule: Schedule.weekdays({ hour: 8 }), activeDeadlineSeconds: Duration.inSeconds('1h') },
    lifecycle: { wait: true, waitTimeout: Duration.minutes(5) },
  });
  expect(synth(stack).slice(1)).toEqual([
    {
      kind: 'volumeset',
      name: 'data',
      gvc: 'shop',
      spec: {
        performanceClass: 'general-purpose-ssd',
        initialCapacity: 20,
        snapshots: { schedule: '0 3 * * *', retentionDuration: '7d' },
      },
    },
    {
      kind: 'workload',
      name: 'report',
      gvc: 'shop',
      lifecycle: { wait: true, waitTimeout: '5m' },
      spec: {
        type: 'cron',
        containers: [{ name: 'main', image: 'x:1', cpu: '250m', memory: '1Gi' }],
        job: { schedule: '0 8 * * 1-5', activeDeadlineSeconds: 3600 },
      },
    },
  ]);
});

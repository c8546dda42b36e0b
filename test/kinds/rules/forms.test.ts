import { describe, expect, test } from 'vitest';
import { patterns } from '../../../src/base/text/patterns.ts';
import { isAtMostHourly, parseCron } from '../../../src/kinds/common/expressions.ts';
import { apexOf, isHostName, parentsOf } from '../../../src/kinds/domain/domainView.ts';
import { isAddressBlock } from '../../../src/kinds/workload/networkRules.ts';

test.each([
  ['* * * * *', true],
  ['0 0 1 1 *', true],
  ['*/15 9-17 * * MON-FRI', true],
  ['5,35 0 * jan-mar,dec 0,7', true],
  ['@daily', true],
  ['', false],
  ['* * * * * *', false],
  ['61 * * * *', false],
  ['5-1 * * * *', false],
  ['*/0 * * * *', false],
  ['a * * * *', false],
])('%s is a cron expression: %s (platform/concepts.quantities)', (text, valid) => {
  expect(parseCron(text) !== undefined).toBe(valid);
});

test.each([
  ['0 * * * *', true],
  ['*/60 * * * *', true],
  ['30 2 * * *', true],
  ['0,30 * * * *', false],
  ['* 2 * * *', false],
])('%s fires at most once per hour: %s (platform/volumeset.snapshots)', (text, hourly) => {
  expect(isAtMostHourly(parseCron(text) ?? [])).toBe(hourly);
});

test.each([
  ['0.0.0.0/0', true],
  ['10.1.2.3', true],
  ['::/0', true],
  ['fe80::1/128', true],
  ['::ffff:10.0.0.1', true],
  ['1:2:3:4:5:6:7:8', true],
  ['10.0.0.0/-1', false],
  ['10.0.0', false],
  ['1:2:3:4:5:6:7', false],
  ['1::2::3', false],
  ['12345::', false],
  ['::/129', false],
  ['', false],
])('%s is an address or block: %s (platform/concepts.quantities)', (text, valid) => {
  expect(isAddressBlock(text)).toBe(valid);
});

test('the apex is the registrable root, by the public suffix list (platform/domain)', () => {
  expect(apexOf('a.b.example.co.uk')).toBe('example.co.uk');
  expect(apexOf('example.com')).toBe('example.com');
  expect(apexOf('co.uk')).toBeUndefined();
  expect(parentsOf('a.b.example.com')).toEqual(['b.example.com', 'example.com']);
  expect(parentsOf('example.com')).toEqual([]);
});

test.each([
  ['a.example.com', true],
  [`${'a'.repeat(63)}.com`, true],
  [`${'a'.repeat(64)}.com`, false],
  ['a..com', false],
  ['-a.com', false],
  ['a_b.com', false],
])('%s is a host name: %s (platform/concepts.names)', (text, valid) => {
  expect(isHostName(text)).toBe(valid);
});

const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a cron expression (platform/concepts.quantities)', () => {
  test.each<[string, readonly (readonly number[])[]]>([
    ['* * * * *', [all(0, 59), all(0, 23), all(1, 31), all(1, 12), all(0, 7)]],
    ['*/20 6-8 1,15 feb-apr mon', [[0, 20, 40], [6, 7, 8], [1, 15], [2, 3, 4], [1]]],
    [' 5/25  22-23/1 31 12 SUN,7 ', [[5, 30, 55], [22, 23], [31], [12], [0, 7]]],
    ['0 1-9/4 1 dec sat', [[0], [1, 5, 9], [1], [12], [6]]],
    ['@hourly', [[0], all(0, 23), all(1, 31), all(1, 12), all(0, 7)]],
    ['@daily', [[0], [0], all(1, 31), all(1, 12), all(0, 7)]],
    ['@midnight', [[0], [0], all(1, 31), all(1, 12), all(0, 7)]],
    ['@weekly', [[0], [0], all(1, 31), all(1, 12), [0]]],
    ['@Monthly', [[0], [0], [1], all(1, 12), all(0, 7)]],
    ['@yearly', [[0], [0], [1], [1], all(0, 7)]],
    ['@annually', [[0], [0], [1], [1], all(0, 7)]],
  ])('%s', (text, values) => {
    expect(parseCron(text)?.map((field) => [...field])).toEqual(values);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ...['60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 0 *', '* * * 13 *', '* * * * 8', '001 * * * *'],
      ...['9-5 * * * *', '5- * * * *', '-5 * * * *', '1,,2 * * * *', '1, * * * *', '*/ * * * *', '*/1000 * * * *',
        '*/0 * * * *'],
      ...['*-5 * * * *', 'mon * * * *', '* * * mon *', '* * * * jan', '1x * * * *', 'x1 * * * *', '* * * *',
        '* * * * * *'],
    ],
  )('is not %s', (text) => {
    expect(parseCron(text)).toBeUndefined();
  });

  test.each(
    ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map(
      (name, index) => [name, index + 1] as const,
    ),
  )('has %s as month %i', (name, month) => {
    expect(parseCron(`* * * ${name} *`)?.[3]).toEqual(new Set([month]));
  });

  test.each(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((name, index) => [name, index] as const))(
    'has %s as day %i',
    (name, day) => {
      expect(parseCron(`* * * * ${name}`)?.[4]).toEqual(new Set([day]));
    },
  );
});

test.each([
  ['255.255.255.255', true],
  ['10.0.0.0/32', true],
  ['10.0.0.0/0', true],
  ['::1/128', true],
  ['256.0.0.0', false],
  ['10.0.0.0.0', false],
  ['10.0.0.', false],
  ['a.0.0.0', false],
  ['0001.0.0.0', false],
  ['1.0.0.0a', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/x8', false],
  ['10.0.0.0/8x', false],
  ['10.0.0.0/0008', false],
  ['::g', false],
  ['/8', false],
])('%s is an address or a block: %s (platform/concepts.quantities)', (text, valid) => {
  expect(isAddressBlock(text)).toBe(valid);
});

const hostName = new RegExp(patterns.hostname.pattern);

test.each([
  ['a.com', true],
  ['*.a.com', true],
  ['*', true],
  ['localhost', true],
  ['xn--bcher-kva.example', true],
  ['10.0.0.1', true],
  [`${'a'.repeat(63)}.com`, true],
  ['http://a.com', false],
  ['a b.com', false],
  ['a.com:443', false],
  ['a.com/x', false],
  ['.com', false],
  ['a..com', false],
  ['a.com.', false],
  ['a_b.com', false],
  ['-a.com', false],
  ['a-.com', false],
  ['A.com', false],
  ['*a.com', false],
  ['a.*.com', false],
  ['*.*.com', false],
  ['*.', false],
  ['', false],
  [`${'a'.repeat(64)}.com`, false],
  ['a.com\nb.com', false],
])('%j is an item of outboundAllowHostname: %s (platform/workload.firewall)', (text, valid) => {
  expect(hostName.test(text)).toBe(valid);
});

import { expect, test } from 'vitest';
import { isAddressBlock } from '../../../src/schema/rules/common/addressBlock.ts';
import { isAtMostHourly, parseCron } from '../../../src/schema/rules/common/cronExpression.ts';
import { apexOf, isHostName, parentsOf } from '../../../src/schema/rules/domain/hostNames.ts';

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

import { expect, test } from 'vitest';
import { termOf } from '../../src/commands/call/queryTerms.ts';
import { tagsOf } from '../../src/commands/call/tags.ts';
import { ageOf, timeOf } from '../../src/commands/call/times.ts';

/** Expectations written by hand from platform/clients.grammar. */
test.each([
  ['a=b', { a: 'b' }],
  ['a=5', { a: 5 }],
  ['a=1.5', { a: 1.5 }],
  ['a=null', { a: null }],
  ['a=', { a: null }],
  ['a=true', { a: 'true' }],
  ['a:5', { a: '5' }],
  ['a:b=c', { a: 'b=c' }],
  ['a=b:c', { a: 'b:c' }],
  ['a', { a: '' }],
  ['scheme/protected=true', { 'scheme/protected': 'true' }],
])('the tag %s', (text, tags) => {
  expect(tagsOf([text])).toEqual(tags);
});

test.each([
  ['property', 'name=web', { op: '=', property: 'name', value: 'web' }],
  ['property', 'version>=2', { op: '>=', property: 'version', value: 2 }],
  ['property', 'version<=2', { op: '<=', property: 'version', value: 2 }],
  ['property', 'version>2', { op: '>', property: 'version', value: 2 }],
  ['property', 'version<2', { op: '<', property: 'version', value: 2 }],
  ['property', 'name!=web', { op: '!=', property: 'name', value: 'web' }],
  ['property', 'name~we', { op: '~', property: 'name', value: 'we' }],
  ['property', '~we', { op: '~', property: '*', value: 'we' }],
  ['property', 'name=a=b', { op: '=', property: 'name', value: 'a=b' }],
  ['tag', 'team', { op: 'exists', tag: 'team' }],
  ['tag', 'team!', { op: '!exists', tag: 'team' }],
  ['tag', 'on=true', { op: '=', tag: 'on', value: true }],
  ['rel', 'gvc=shop', { op: '=', rel: 'gvc', value: 'shop' }],
] as const)('the %s term %s', (selector, text, term) => {
  expect(termOf(selector, text)).toEqual(term);
});

const now = Date.parse('2026-05-31T12:00:00.000Z');

test.each([
  ['7d', '2026-05-24T12:00:00.000Z'],
  ['now-1h', '2026-05-31T11:00:00.000Z'],
  ['30m', '2026-05-31T11:30:00.000Z'],
  ['500ms', '2026-05-31T11:59:59.500Z'],
  ['1mo', '2026-05-01T12:00:00.000Z'],
  ['1M', '2026-05-01T12:00:00.000Z'],
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z'],
])('the time %s is %s', (text, time) => {
  expect(timeOf(text, now)).toBe(time);
});

test.each(['2026-02-30', '2026-02-30T08:00:00Z', '2026-13-01', 'soon', 'now', '7', '999999999d', 'now-999999999y'])(
  '%s is not a time',
  (text) => {
    expect(timeOf(text, now)).toBeUndefined();
  },
);

test.each([
  ['2026-05-31T11:59:26Z', '34s'],
  ['2026-05-31T11:55:00Z', '5m'],
  ['2026-05-31T08:48:00Z', '3h12m'],
  ['2026-05-31T09:00:00Z', '3h'],
  ['2026-05-19T12:00:00Z', '12d'],
  ['2026-05-31T12:00:05Z', '0s'],
])('%s is %s ago', (time, age) => {
  expect(ageOf(time, now)).toBe(age);
});

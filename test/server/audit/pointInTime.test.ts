import { expect, test } from 'vitest';
import { pointInTime } from '../../../src/server/audit/decisions/auditEvent.ts';

const nowMs = Date.parse('2026-03-31T12:00:00.000Z');

test.each([
  ['7d', '2026-03-24T12:00:00.000Z'],
  ['1h', '2026-03-31T11:00:00.000Z'],
  ['30m', '2026-03-31T11:30:00.000Z'],
  ['90s', '2026-03-31T11:58:30.000Z'],
  ['500ms', '2026-03-31T11:59:59.500Z'],
  ['2w', '2026-03-17T12:00:00.000Z'],
  ['1mo', '2026-03-01T12:00:00.000Z'],
  ['1M', '2026-03-01T12:00:00.000Z'],
  ['1y', '2025-03-31T12:00:00.000Z'],
  ['now-30m', '2026-03-31T11:30:00.000Z'],
  ['now', '2026-03-31T12:00:00.000Z'],
  ['0d', '2026-03-31T12:00:00.000Z'],
  ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T08:30:00.123Z', '2026-03-01T08:30:00.123Z'],
  ['2026-03-01T08:30:00+02:00', '2026-03-01T06:30:00.000Z'],
  ['2026-03-01T08:30', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
])('%s is %s, seen from noon of 31 March (platform/clients.operations, platform/clients.options)', (text, at) => {
  expect(new Date(pointInTime(text, nowMs) ?? 0).toISOString()).toBe(at);
});

test.each([
  '',
  ' ',
  '7',
  'd',
  '7 d',
  '-7d',
  '7dd',
  '7D',
  'now-',
  'yesterday',
  '2026-13-01',
  '2026-02-30',
  '2026-02-30T08:30:00Z',
  '2026-02-30T25:00:00Z',
  '1e3d',
])('%j is not a point in time', (text) => {
  expect(pointInTime(text, nowMs)).toBeUndefined();
});

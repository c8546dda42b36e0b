import { expect, test } from 'vitest';
import { describeWriter, type WriteEvent, writeOfVersion } from '../../../src/manifest/live/writer.ts';

const write = (version: number, action: WriteEvent['action'], name: string): WriteEvent => ({
  version,
  at: '2026-01-01T00:00:00Z',
  action,
  writer: { name, type: 'user' },
  record: {},
});
const trail = [
  write(4, 'exec', 'runner'),
  write(4, 'edit', 'bob'),
  write(3, 'delete', 'eve'),
  write(2, 'edit', 'ann'),
  write(1, 'create', 'tom'),
];

test.each([
  { version: 1, who: 'tom' },
  { version: 2, who: 'ann' },
  { version: 3, who: 'unknown' }, // a deletion produces no version
  { version: 4, who: 'bob' },
  { version: 5, who: 'unknown' },
])('version $version was written by $who', ({ version, who }) => {
  expect(describeWriter(writeOfVersion(trail, version))).toBe(who);
});

test('the writer is unknown if the trail cannot be read', () => {
  expect(describeWriter(writeOfVersion(undefined, 1))).toBe('unknown');
});

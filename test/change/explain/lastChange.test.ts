import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { lastChange } from '../../../src/change/attributeCauses.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';

const shape = shapeOf('workload');
const path = 'spec.containers.main.env.A.value';

function at(version: number, value: string | undefined, more: JsonObject = {}): JsonObject {
  const env = value === undefined ? [] : [{ name: 'A', value }];
  return { name: 'web', version, spec: { containers: [{ name: 'main', env }] }, ...more };
}

function write(by: string, action: WriteEvent['action'], record: JsonObject): WriteEvent {
  const version = Number(record['version']);
  return { version, at: `2026-01-0${version}`, action, writer: { name: by, type: 'user' }, record };
}

// The trail lists the newest write first.
const trail = [
  write('dora', 'edit', at(4, '2', { description: 'words' })),
  write('carl', 'edit', at(3, '2')),
  write('bob', 'edit', at(2, '1', { description: 'x' })),
  write('ann', 'create', at(1, '1')),
];

test('the write in which the field got its live value, not the last write of the record', () => {
  expect(lastChange(path, shape, at(4, '2'), trail)?.writer.name).toBe('carl');
});

test('a field that never changed was written by the creator of the record', () => {
  expect(lastChange('spec.containers.main.name', shape, at(4, '2'), trail)?.writer.name).toBe('ann');
});

test('a trail that does not reach the creation has no writer for fields that do not change in it', () => {
  expect(lastChange('spec.containers.main.name', shape, at(4, '2'), trail.slice(0, 3))).toBeUndefined();
  expect(lastChange(path, shape, at(4, '2'), trail.slice(0, 3))?.writer.name).toBe('carl');
});

test('a removed field has a writer, and a field that never existed has none', () => {
  const removed = [write('eve', 'edit', at(5, undefined)), ...trail];
  expect(lastChange(path, shape, at(5, undefined), removed)?.writer.name).toBe('eve');
  expect(lastChange('spec.containers.main.cpu', shape, at(5, undefined), removed)).toBeUndefined();
});

test('a trail that is older than the record has no writer for a field with another value since', () => {
  expect(lastChange(path, shape, at(5, '3'), trail)).toBeUndefined();
});

test('if the trail lacks the version in between, the writer is unknown', () => {
  const [dora, , bob, ann] = trail;
  const gap = [dora, bob, ann].flatMap((each) => each ?? []);
  expect(lastChange(path, shape, at(4, '2'), gap)).toBeUndefined();
});

test('writes after the record was read do not count', () => {
  const later = [write('eve', 'edit', at(5, '9')), ...trail];
  expect(lastChange(path, shape, at(4, '2'), later)?.writer.name).toBe('carl');
});

test('commands and deletions are not writes of fields, and without a trail no writer is named', () => {
  expect(lastChange(path, shape, at(4, '2'), [write('eve', 'exec', at(4, '2')), ...trail])?.writer.name).toBe('carl');
  expect(lastChange(path, shape, at(4, '2'), [])).toBeUndefined();
  expect(lastChange(path, shape, at(4, '2'), undefined)).toBeUndefined();
});

test('items are found by key, at any position', () => {
  const env = (names: readonly string[]) => names.map((name) => ({ name, value: name }));
  const record = (version: number, names: readonly string[]) => ({
    name: 'web',
    version,
    spec: { containers: [{ name: 'main', env: env(names) }] },
  });
  const moved = [write('bob', 'edit', record(2, ['B', 'A'])), write('ann', 'create', record(1, ['A']))];
  expect(lastChange(path, shape, record(2, ['B', 'A']), moved)?.writer.name).toBe('ann');
  expect(lastChange('spec.containers.main.env.B.value', shape, record(2, ['B', 'A']), moved)?.writer.name).toBe('bob');
});

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

/** Newest first, as the trail tells them. */
const trail = [
  write('dora', 'edit', at(4, '2', { description: 'words' })),
  write('carl', 'edit', at(3, '2')),
  write('bob', 'edit', at(2, '1', { description: 'x' })),
  write('ann', 'create', at(1, '1')),
];

test('the write in which the field got its live value, not the last one of the record', () => {
  expect(lastChange(path, shape, at(4, '2'), trail)?.writer.name).toBe('carl');
});

test('what never changed is of whoever created the record', () => {
  expect(lastChange('spec.containers.main.name', shape, at(4, '2'), trail)?.writer.name).toBe('ann');
});

test('a trail that does not go back to the creation does not say who wrote what did not change in it', () => {
  expect(lastChange('spec.containers.main.name', shape, at(4, '2'), trail.slice(0, 3))).toBeUndefined();
  expect(lastChange(path, shape, at(4, '2'), trail.slice(0, 3))?.writer.name).toBe('carl');
});

test('who removed a field is known, and nobody removed what was never there', () => {
  const removed = [write('eve', 'edit', at(5, undefined)), ...trail];
  expect(lastChange(path, shape, at(5, undefined), removed)?.writer.name).toBe('eve');
  expect(lastChange('spec.containers.main.cpu', shape, at(5, undefined), removed)).toBeUndefined();
});

test('a trail that is behind the record says nothing of a field that has another value by now', () => {
  expect(lastChange(path, shape, at(5, '3'), trail)).toBeUndefined();
});

test('where the trail leaves out the version between, nobody knows which of the two it was', () => {
  const [dora, , bob, ann] = trail;
  const gap = [dora, bob, ann].flatMap((each) => each ?? []);
  expect(lastChange(path, shape, at(4, '2'), gap)).toBeUndefined();
});

test('what was written after the record was read does not count', () => {
  const later = [write('eve', 'edit', at(5, '9')), ...trail];
  expect(lastChange(path, shape, at(4, '2'), later)?.writer.name).toBe('carl');
});

test('commands and deletions are no writes of fields, and without a trail nobody is named', () => {
  expect(lastChange(path, shape, at(4, '2'), [write('eve', 'exec', at(4, '2')), ...trail])?.writer.name).toBe('carl');
  expect(lastChange(path, shape, at(4, '2'), [])).toBeUndefined();
  expect(lastChange(path, shape, at(4, '2'), undefined)).toBeUndefined();
});

test('items are found by key, wherever they stood', () => {
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

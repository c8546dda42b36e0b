import { expect } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';
import { at, itemsAt, joined, nest } from './place.ts';
import { type Row, row } from './row.ts';
import type { Wire } from './wire.ts';

type Value = JsonValue | ((wire: Wire) => Promise<JsonValue>);

/** The value that is written to a field, and the value that must be read back. */
export interface Field {
  readonly value: Value;
  /** The stored value, if it differs from the sent one. */
  readonly stored?: Value;
  /** The value that a PATCH then sets. */
  readonly next?: Value;
  readonly nextStored?: Value;
  /** An invalid value, which is refused with 400 and a problem at the field. */
  readonly wrong?: JsonValue;
}

/** Where the fields of a family of rows are: a collection, a record that lacks only the field, and access to it. */
export interface Subject {
  readonly base: (wire: Wire) => Promise<{ readonly collection: string; readonly record: JsonObject }>;
  readonly set: (record: JsonObject, place: string, value: JsonValue) => JsonObject;
  readonly patch: (record: JsonObject, place: string, value: JsonValue) => JsonObject;
  readonly read: (place: string) => string;
}

/** Fields at a place in the record. */
export function subjectOf(base: Subject['base']): Subject {
  return {
    base,
    set: (record, place, value) => joined(record, nest(place, value)),
    patch: (_record, place, value) => nest(place, value),
    read: (place) => place,
  };
}

/** Fields of the only container, named `main`. */
export function containerOf(base: Subject['base']): Subject {
  return {
    base,
    set: (record, place, value) => {
      const containers = itemsAt(record, 'spec/containers').map((item) => joined(item, nest(place, value)));
      return joined(record, { spec: { containers } });
    },
    patch: (_record, place, value) => ({ spec: { '$patch/containers': [{ name: 'main', ...nest(place, value) }] } }),
    read: (place) => `spec/containers/main/${place}`,
  };
}

/** A row that writes a field, reads it back, changes it by a PATCH, and demands the refusal of an invalid value. */
export function fieldRow(id: string, statement: string, subject: Subject, place: string, field: Field): Row {
  return row(id, statement, (wire) => checkField(wire, subject, place, field));
}

export async function checkField(wire: Wire, subject: Subject, place: string, field: Field): Promise<void> {
  const { collection, record } = await subject.base(wire);
  if (field.wrong !== undefined) {
    const error = await wire.refused(400, 'POST', collection, subject.set(record, place, field.wrong));
    expect(problemPaths(error), 'the problems name the field').toContain(place.split('/').at(-1));
  }

  const value = await settled(wire, field.value);
  const created = await wire.ok('POST', collection, subject.set(record, place, value));
  const item = `${collection}/${String(record['name'])}`;
  const stored = await settled(wire, field.stored ?? value);
  same(at(created, subject.read(place)), stored);
  same(at(await wire.get(item), subject.read(place)), stored);

  if (field.next === undefined) return;
  const next = await settled(wire, field.next);
  const nextStored = await settled(wire, field.nextStored ?? next);
  const patched = await wire.ok('PATCH', item, subject.patch(record, place, next));
  expect(patched['version'], 'a change raises the version').toBe(2);
  same(at(patched, subject.read(place)), nextStored);
  same(at(await wire.get(item), subject.read(place)), nextStored);
}

/** The parts of the paths of all problems in an error body. */
export function problemPaths(error: JsonObject): readonly string[] {
  return itemsAt(error, 'details/problems').flatMap(({ path }) => String(path).split(/[.[\]"/]+/));
}

async function settled(wire: Wire, value: Value): Promise<JsonValue> {
  return typeof value === 'function' ? value(wire) : value;
}

/**
 * Demands equality, except that objects can have more members, because the platform fills the omitted members of an
 * object (platform/concepts.filled).
 */
export function same(actual: JsonValue | undefined, wanted: JsonValue): void {
  if (isObject(wanted)) expect(actual).toMatchObject(wanted);
  else if (isArray(wanted) && wanted.some(isObject)) expect(actual).toMatchObject([...wanted]);
  else expect(actual).toEqual(wanted);
}

/** Demands that each field is absent or has its default (platform/concepts.filled). */
export function absentOr(actual: JsonValue | undefined, defaults: JsonObject): void {
  for (const [field, value] of Object.entries(defaults)) expect([undefined, value]).toContainEqual(at(actual, field));
}

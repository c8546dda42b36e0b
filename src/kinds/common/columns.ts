import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, stringAt } from '../../base/json/json.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { Column } from './client.ts';

export function member(title: string, ...path: readonly string[]): Column {
  return { title, rank: 2, of: (record) => at(record, ...path) };
}

export function time(title: string, key: string): Column {
  return { title, rank: 1, of: (record) => stringAt(record, key) ?? '', isTime: true };
}

/** The names at the ends of links. */
export function lastNames(title: string, list: (record: JsonObject) => readonly JsonValue[]): Column {
  return {
    title,
    rank: 3,
    of: (record) =>
      list(record)
        .map((each) => lastSegment(plain(each)))
        .join(' '),
  };
}

/** The value at a path, as text. */
export function at(record: JsonObject, ...path: readonly string[]): string {
  let value: JsonValue | undefined = record;
  for (const key of path) value = fieldIn(value, key);
  return plain(value);
}

export function plain(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
}

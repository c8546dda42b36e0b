import type { SQLOutputValue } from 'node:sqlite';
import { isObject, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { type Kind, kindNamed } from '../../schema/kinds.ts';

/** What a column or a stored JSON text holds, checked: anything else is a damaged database. */
export type Stored = SQLOutputValue | JsonValue | undefined;

export type Columns = Readonly<Record<string, SQLOutputValue>>;

export function parseObject(text: Stored): JsonObject {
  const value: unknown = text === '{}' ? {} : JSON.parse(textOf(text));
  if (!isObject(value)) throw new Error('the database holds a record that is no object');
  return value;
}

export function textOf(value: Stored): string {
  if (typeof value !== 'string') throw new Error('the database holds something else where text belongs');
  return value;
}

export function numberOf(value: Stored): number {
  if (typeof value !== 'number') throw new Error('the database holds something else where a number belongs');
  return value;
}

export function kindOf(value: Stored): Kind {
  const kind = kindNamed(value);
  if (kind === undefined) {
    throw new Error(`the database holds a kind that this version does not know: ${String(value)}`);
  }
  return kind;
}

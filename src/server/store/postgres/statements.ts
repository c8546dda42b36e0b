import pg from 'pg';
import type { Columns } from '../model/stored.ts';

export type Value = string | number | boolean | null | readonly (string | number | null)[];

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  /** The best plan depends on the values, so the statement is planned each time instead of prepared. */
  readonly plannedEachTime?: true;
}

export interface Result {
  readonly command: string;
  readonly rows: readonly Columns[];
}

/** The subset of a connection used here. */
export interface Connection {
  query(query: {
    readonly text: string;
    readonly name?: string;
    readonly values?: unknown[];
  }): Promise<{ readonly command: string; readonly rows: Columns[] }>;
}

const names = new Map<string, string>();

/**
 * Sends the statement without waiting for earlier ones: connections pipeline, so statements sent together take one
 * round trip. Each text is prepared once per connection.
 */
export function send(connection: Connection, { text, values, plannedEachTime }: Statement): Promise<Result> {
  if (plannedEachTime) return connection.query({ text, values: values.map(storable) });
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return connection.query({ text, name, values: values.map(storable) });
}

/** PostgreSQL text cannot contain NUL. Neither can JSON text, so this affects only compared values, such as names. */
function storable(value: Value): unknown {
  if (typeof value === 'string') return withoutNul(value);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? withoutNul(item) : item));
  return value;
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text;
}

const bigInteger = 20;

/** Counts and times as numbers, which are all far below 2^53. */
export const numbers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === bigInteger ? Number : pg.types.getTypeParser(type, format)),
};

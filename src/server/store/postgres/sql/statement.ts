import pg from 'pg';
import type { Columns } from '../../storedText.ts';

export type Value = string | number | boolean | null | readonly (string | number | null)[];

/** One statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  /** Its best plan depends on the values: not prepared, so that each time it is planned for those that it has. */
  readonly plannedEachTime?: true;
}

export interface Result {
  readonly command: string;
  readonly rows: readonly Columns[];
}

/** A connection, as far as it is needed here. */
export interface Connection {
  query(query: {
    readonly text: string;
    readonly name?: string;
    readonly values?: unknown[];
  }): Promise<{ readonly command: string; readonly rows: Columns[] }>;
}

const names = new Map<string, string>();

/**
 * Sends it, and does not wait for what was sent before: the connections pipeline, so that statements that are sent
 * together take one round trip. Each text is prepared once on each connection.
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

/** PostgreSQL keeps no NUL in a text. JSON has none, so this only touches what is compared, such as a name. */
function storable(value: Value): unknown {
  if (typeof value === 'string') return withoutNul(value);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? withoutNul(item) : item));
  return value;
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text;
}

const bigInteger = 20;

/** Counts and times as numbers: all are far below 2^53. */
export const numbers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === bigInteger ? Number : pg.types.getTypeParser(type, format)),
};

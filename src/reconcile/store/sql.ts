import type { ConstructorOptions } from 'pg-boss';

export type Row = Readonly<Record<string, unknown>>;
export type Parameter = string | number | boolean | null | readonly string[];

/**
 * A value for a column of JSON. PostgreSQL refuses U+0000 and halves of surrogate pairs, often only when it looks for a
 * member of it, so any text of others (code, errors, files, records) would spoil statements about all stacks.
 */
export function storedJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(/\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/g, (escaped, refused?: string) =>
    refused === undefined ? escaped : inPlace,
  );
}

/** Parameters as PostgreSQL takes them. */
export function storedValues(values: readonly Parameter[]): Parameter[] {
  return values.map((value) =>
    typeof value === 'string' ? withoutNul(value) : Array.isArray(value) ? value.map(withoutNul) : value,
  );
}

const inPlace = '\ufffd';

function withoutNul(text: string): string {
  return text.replaceAll('\0', inPlace);
}

/** Sends one statement with its parameters (`$1`, …). */
export type Query = (text: string, values?: readonly Parameter[]) => Promise<readonly Row[]>;

/** To a channel, each of these texts. */
export const notifyAll = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS told (payload)';

/** A PostgreSQL, wherever it runs. Tables are found without their schema. */
export interface Sql {
  readonly query: Query;
  /** All of it or nothing. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Calls for each NOTIFY. Where the connection is lost it is made again, and `listener` called with an empty text. */
  listen(listener: (payload: string) => void): Promise<() => Promise<void>>;
  notify(payloads: readonly string[]): Promise<void>;
  /** How pg-boss gets there. */
  readonly boss: Pick<ConstructorOptions, 'connectionString' | 'db' | 'backend' | 'schema'>;
  close(): Promise<void>;
}

import type { ConstructorOptions } from 'pg-boss';

export type Row = Readonly<Record<string, unknown>>;
export type Parameter = string | number | boolean | null | readonly string[];

/**
 * A value for a JSON column. PostgreSQL refuses U+0000 and unpaired surrogates, often only when a member is read, so
 * texts from outside (code, errors, files, records) would break statements about all stacks.
 */
export function storedJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(/\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/g, (escaped, refused?: string) =>
    refused === undefined ? escaped : inPlace,
  );
}

/** Converts parameters for PostgreSQL. */
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

/** Sends each of these texts to a channel. */
export const notifyAll = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS told (payload)';

/** A PostgreSQL of either kind. Tables are found without their schema. */
export interface Sql {
  readonly query: Query;
  /** Atomic. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Calls `listener` for each NOTIFY. A lost connection is reopened, and `listener` is called with an empty text. */
  listen(listener: (payload: string) => void): Promise<() => Promise<void>>;
  notify(payloads: readonly string[]): Promise<void>;
  /** The connection options of pg-boss. */
  readonly boss: Pick<ConstructorOptions, 'connectionString' | 'db' | 'backend' | 'schema'>;
  close(): Promise<void>;
}

import type { ConstructorOptions } from 'pg-boss';

export type Row = Readonly<Record<string, unknown>>;
export type Parameter = string | number | boolean | null | readonly string[];

/** Sends one statement with its parameters (`$1`, …). */
export type Query = (text: string, values?: readonly Parameter[]) => Promise<readonly Row[]>;

/** To a channel, each of these texts. */
export const notifyAll = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS told (payload)';

/** A PostgreSQL, wherever it runs. Tables are found without their schema. */
export interface Sql {
  readonly query: Query;
  /** All of it or nothing. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Several statements without parameters. */
  exec(text: string): Promise<void>;
  /** Calls for each NOTIFY. Where the connection is lost it is made again, and `listener` called with an empty text. */
  listen(listener: (payload: string) => void): Promise<() => Promise<void>>;
  notify(payloads: readonly string[]): Promise<void>;
  /** How pg-boss gets there. */
  readonly boss: Pick<ConstructorOptions, 'connectionString' | 'db' | 'backend' | 'schema'>;
  close(): Promise<void>;
}

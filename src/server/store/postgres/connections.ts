import pg from 'pg';
import { type Connection, numbers } from './statements.ts';

/** The location of the platform: a database and a schema in it. */
export interface Address {
  /** Without Gantry's own parameters. */
  readonly url: string;
  readonly schema: string;
}

const defaultSchema = 'gantry';
const schemaName = /^[a-z_][a-z0-9_]{0,47}$/;

/** `postgres://user:password@host:port/database?schema=name`; the default schema is `gantry`. */
export function addressOf(text: string): Address {
  const url = new URL(text);
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw new Error('the address does not begin with postgres://');
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!schemaName.test(schema)) throw new Error(`${JSON.stringify(schema)} cannot be the name of a schema`);
  url.searchParams.delete('schema');
  return { url: url.href, schema };
}

const settings = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  // A server that hangs in a transaction must not block others by its locks.
  idle_in_transaction_session_timeout: 60_000,
} as const;

/** One for each org that is being written, and some for reads. */
const maxConnections = 10;

export class Connections {
  readonly #pool: pg.Pool;

  constructor({ url, schema }: Address) {
    this.#pool = new pg.Pool({
      ...settings,
      connectionString: url,
      application_name: 'gantry',
      options: `-c search_path=${schema}`,
      max: maxConnections,
      pipeline: true,
      types: numbers,
    });
    // An idle connection was lost. The pool opens a new one when needed.
    this.#pool.on('error', () => {});
  }

  /**
   * Runs the work on its own connection. After an error the connection is closed instead of reused, unless the work
   * allows reuse.
   */
  with<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#lend(work, true);
  }

  /** Like `with`, but always closes the connection, with any state that the work left on it. */
  withDisposable<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#lend(work, false);
  }

  async #lend<T>(work: (connection: Connection) => Promise<T>, isReusable: boolean): Promise<T> {
    const client = await this.#pool.connect();
    // The pool does not listen to connections in use, so a lost one would end the process. The current query also
    // fails.
    const ignore = (): void => {};
    client.on('error', ignore);
    let broken: unknown;
    try {
      return await work(client);
    } catch (error) {
      broken = error;
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken !== undefined || !isReusable);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Returns all results, or throws the first error. Queries sent together are pipelined in one round trip. */
export async function awaitAll<T>(sent: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(sent);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

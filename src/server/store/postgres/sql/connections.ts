import pg from 'pg';
import { type Connection, numbers } from './statement.ts';

/** Where the platform is: a database, and a schema in it. */
export interface Address {
  /** Without our own parameters. */
  readonly url: string;
  readonly schema: string;
}

const usualSchema = 'gantry';
const schemaName = /^[a-z_][a-z0-9_]{0,47}$/;

/** `postgres://user:password@host:port/database?schema=name`; the schema is `gantry` where none is given. */
export function addressOf(text: string): Address {
  const url = new URL(text);
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw new Error('the address does not begin with postgres://');
  const schema = url.searchParams.get('schema') ?? usualSchema;
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
  // A server that stands still in the middle of a transaction must not hold its locks.
  idle_in_transaction_session_timeout: 60_000,
} as const;

/** One for each org that is written at the same time, and some for reads. */
const mostConnections = 10;

export class Connections {
  readonly #pool: pg.Pool;

  constructor({ url, schema }: Address) {
    this.#pool = new pg.Pool({
      ...settings,
      connectionString: url,
      application_name: 'gantry',
      options: `-c search_path=${schema}`,
      max: mostConnections,
      pipeline: true,
      types: numbers,
    });
    // An idle connection was lost. The pool opens another one when it is needed.
    this.#pool.on('error', () => {});
  }

  /**
   * The work has a connection for itself. After an error it is closed rather than used again, unless the work says so.
   */
  with<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#lend(work, true);
  }

  /** The same; the connection is closed afterwards: what the work left on it is gone. */
  once<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#lend(work, false);
  }

  async #lend<T>(work: (connection: Connection) => Promise<T>, again: boolean): Promise<T> {
    const client = await this.#pool.connect();
    // While it is lent, the pool does not listen: a lost connection would end the process. The query under way fails
    // too.
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
      client.release(broken !== undefined || !again);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** All of them, or the first error of one. The connection pipelines: what is sent together takes one round trip. */
export async function together<T>(sent: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(sent);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

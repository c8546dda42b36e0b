import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { notifyAll, type Parameter, type Query, type Sql, storedValues } from './sql.ts';

const usualSchema = 'gantry_reconcile';
const schemaName = /^[a-z_][a-z0-9_]{0,40}$/;
const againMs = 1_000;

/**
 * A database for any number of workers. `address`: `postgres://…`, with `?schema=NAME` for a schema other than the
 * default.
 */
export async function openPostgres(address: string): Promise<Sql> {
  const url = new URL(address);
  const schema = url.searchParams.get('schema') ?? usualSchema;
  if (!schemaName.test(schema)) throw new Error(`${JSON.stringify(schema)} cannot be the name of a schema`);
  url.searchParams.delete('schema');
  const options = {
    connectionString: url.href,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'gantry reconcile',
  };
  const pool = new pg.Pool({
    ...options,
    max: 6,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser: (type, format) => (type === bigInteger ? Number : pg.types.getTypeParser(type, format)) },
  });
  pool.on('error', () => {}); // a lost idle connection is replaced when needed
  const through =
    (client: Pick<pg.PoolClient, 'query'>): Query =>
    async (text, values: readonly Parameter[] = []) =>
      (await client.query(text, storedValues(values))).rows;
  return {
    query: through(pool),
    async transaction(work) {
      const client = await pool.connect();
      const ignore = (): void => {};
      client.on('error', ignore); // the present statement also fails
      let failed = true;
      try {
        await client.query('BEGIN');
        const result = await work(through(client));
        await client.query('COMMIT');
        failed = false;
        return result;
      } finally {
        client.off('error', ignore);
        client.release(failed); // closes it, which rolls back
      }
    },
    async listen(listener) {
      const listening = new Listening(options, schema, listener);
      await listening.start().catch(() => void listening.again());
      return () => listening.end();
    },
    async notify(payloads) {
      await pool.query(notifyAll, [schema, [...payloads]]);
    },
    boss: { connectionString: url.href, schema: `${schema}_jobs` },
    close: () => pool.end(),
  };
}

/** `bigint`: times and counts, far below 2^53. */
const bigInteger = 20;

/** One listening connection, reopened when lost. */
class Listening {
  readonly #options: pg.ClientConfig;
  readonly #channel: string;
  readonly #listener: (payload: string) => void;
  #client: pg.Client | undefined;
  #isOver = false;

  constructor(options: pg.ClientConfig, channel: string, listener: (payload: string) => void) {
    this.#options = options;
    this.#channel = channel;
    this.#listener = listener;
  }

  async start(): Promise<void> {
    const client = new pg.Client(this.#options);
    this.#client = client;
    client.on('notification', ({ payload }) => this.#listener(payload ?? ''));
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    client.on('end', () => void this.again());
  }

  async again(): Promise<void> {
    while (!this.#isOver) {
      await sleep(againMs, undefined, { ref: false });
      try {
        if (this.#isOver) return;
        await this.start();
        if (this.#isOver) await this.#client?.end();
        this.#listener(''); // notifications may have been missed
        return;
      } catch {
        // the database is still unavailable
      }
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#client?.end();
  }
}

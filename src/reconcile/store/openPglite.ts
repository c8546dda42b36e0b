/// <reference path="./pglite.d.ts" />
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { fromPglite } from 'pg-boss';
import { notifyAll, type Parameter, type Query, type Sql, storedValues } from './sql.ts';

const schema = 'gantry_reconcile';

/**
 * PostgreSQL in this process, with its data in `folder/db`, for one process at a time (`lockFolder`). A folder that
 * cannot be opened is moved aside and created again, with a message to `tell`.
 */
export async function openPglite(folder: string, tell: (text: string) => void): Promise<Sql> {
  const data = join(folder, 'db');
  const database = await open(data).catch(async (error: unknown) => {
    const aside = `${data}-damaged-${Date.now()}`;
    await rename(data, aside).catch(() => {
      throw error;
    });
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    tell(
      `the database of the reconciler in ${data} is damaged (${why}). It was moved to ${aside}, and is made anew: ` +
        'stacks are planned again, approvals are kept, the history of runs is lost.',
    );
    return open(data);
  });
  const through =
    (client: Pick<PGlite, 'query'>): Query =>
    async (text, values: readonly Parameter[] = []) =>
      (await client.query(text, storedValues(values))).rows;
  return {
    query: through(database),
    transaction: (work) => database.transaction((client) => work(through(client))),
    listen: (listener) => database.listen(schema, listener),
    async notify(payloads) {
      await database.query(notifyAll, [schema, [...payloads]]);
    },
    boss: { db: fromPglite(database), backend: 'pglite', schema: `${schema}_jobs` },
    close: () => database.close(),
  };
}

/**
 * Compiles the WebAssembly of PostgreSQL only once, quickly. V8's optimizing compiler would use three times the memory,
 * for statements that wait for a platform anyway.
 */
function compilePlainly(): void {
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}

/** By default PostgreSQL fills 128 MB with zeros at each start, for a database of a few MB. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

async function open(dataDir: string): Promise<PGlite> {
  compilePlainly();
  const database = await PGlite.create({ dataDir, startParams });
  try {
    await database.exec(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET search_path = ${schema}`);
    // Reads all tables, because damaged pages are only found by reading.
    const { rows } = await database.query(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`);
    for (const { tablename } of rows) await database.query(`SELECT count(*) FROM ${String(tablename)}`);
    return database;
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

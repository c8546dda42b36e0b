import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { addPart, OneView, otherLayout } from '../model/opening.ts';
import type { Database, Due, Loaded, View } from '../model/row.ts';
import { dueOf, numberOf, textOf } from '../model/stored.ts';
import { pagedView } from '../model/viewPages.ts';
import { type Address, awaitAll, Connections } from './connections.ts';
import { failureOf } from './failure.ts';
import { PostgresQueue } from './jobQueue.ts';
import { KnownReads } from './knownReads.ts';
import { OrgState, orgStore, type StoreServices } from './orgStore.ts';
import { Overlay } from './overlay.ts';
import { type Connection, type Result, send } from './statements.ts';
import { ReplayTransaction } from './transaction.ts';
import { writeStatements } from './writeStatements.ts';

export interface PostgresOptions {
  readonly address: Address;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the time of the database, which all its servers share. */
  readonly follow?: (ms: number) => void;
}

const followEveryMs = 60_000;

/** Opens a database for any number of servers after migrating it to the newest layout. */
export async function openPostgres({ address, now, follow = () => {} }: PostgresOptions): Promise<Database> {
  await prepare(address);
  const connections = new Connections(address);
  let listener: (atMs: number) => void = () => {};
  const queue = new PostgresQueue(address, { now, follow }, async () => {
    const { rows } = await query('SELECT DISTINCT org, at FROM due');
    return rows.map(({ org, at }) => ({ org: textOf(org), atMs: numberOf(at) }));
  });
  const services: StoreServices = {
    connections,
    schema: address.schema,
    now,
    beforeScheduling: (connection, org, due) => queue.beforeCommit(connection, org, due),
    afterScheduling(atMs) {
      queue.afterCommit(atMs);
      listener(atMs);
    },
  };
  const views = new OneView();
  const stores = new Map<string, ReturnType<typeof orgStore>>();
  const diskSpace = new DiskSpaceProbe();

  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await connections.with(work);
    } catch (error) {
      throw failureOf(error);
    }
  }

  function query(text: string): Promise<Result> {
    return withConnection((connection) => send(connection, { text, values: [] }));
  }

  function replace(content: Parameters<typeof replaceAll>[1]): Promise<void> {
    return replaceAll(connections, content, services).catch((error: unknown) => {
      throw failureOf(error);
    });
  }

  async function followTime(): Promise<void> {
    const [found] = (await query('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms')).rows;
    const ms = numberOf(found?.['ms']);
    follow(ms);
    await queue.compareTimes(now() - ms);
  }
  try {
    await followTime();
  } catch (error) {
    await connections.close();
    throw error;
  }
  // This machine may be suspended meanwhile. If the database is unavailable, the time continues.
  const following = setInterval(() => followTime().catch(() => {}), followEveryMs);
  following.unref();

  async function orgs(): Promise<readonly string[]> {
    const { rows } = await query("SELECT org FROM facts WHERE key = 'created' ORDER BY value, org");
    return rows.map(({ org }) => textOf(org));
  }

  return {
    queue,
    of(org) {
      const known = stores.get(org);
      if (known !== undefined) return known;
      const made = orgStore(new OrgState(org, services));
      stores.set(org, made);
      return made;
    },
    orgs,
    async nextDue() {
      const [found] = (await query('SELECT * FROM due ORDER BY at, seq LIMIT 1')).rows;
      return found === undefined ? undefined : { org: textOf(found['org']), due: dueOf(found) };
    },
    onScheduled(listening) {
      listener = listening;
    },
    async check() {
      // A sequence is the smallest possible write and invalidates no cache.
      await query("SELECT nextval('generations')");
      await query('SELECT 1 FROM due LIMIT 1');
      await diskSpace.check(withConnection);
    },
    // Each view uses one of the few connections.
    view: () => views.open(() => postgresView(connections)),
    replace,
    load: (content) => replace([content]),
    async close() {
      clearInterval(following);
      await Promise.all([...stores.values()].map((store) => store.drained()));
      await connections.close();
    },
  };
}

async function prepare({ url, schema }: Address): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await migrate(client, schema, migrations());
  } finally {
    await client.end();
  }
}

/** Limits checks, because any client may request health at any rate. */
const pauseMs = 1_000;

/**
 * A sort that exceeds the memory: PostgreSQL writes about a megabyte to a temporary file on the same disk and removes
 * it. Only an allocation shows that a disk is full; the next number of a sequence does not.
 */
const sortOnDisk = [
  'BEGIN READ ONLY',
  "SET LOCAL work_mem = '64kB'",
  'SELECT count(*) FROM ' +
    '(SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1024) AS n ORDER BY 1 OFFSET 1) AS sorted',
  'COMMIT',
].join('; ');

/** Checks at most once a second whether the database's disk has space. */
class DiskSpaceProbe {
  #again = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  /** Rejects with PostgreSQL's error: 53100 if there is no space. */
  async check(withConnection: (work: (connection: Connection) => Promise<unknown>) => Promise<unknown>): Promise<void> {
    const nowMs = performance.now();
    if (nowMs >= this.#again) {
      this.#again = nowMs + pauseMs;
      this.#last = withConnection((connection) => connection.query({ text: sortOnDisk }));
      this.#last.catch(() => {}); // later callers handle the error
    }
    await this.#last;
  }
}

const records = `(SELECT r.*, coalesce((
  SELECT json_agg(json_build_array(t.kind, t.gvc, t.name) ORDER BY t.kind, t.gvc, t.name)
  FROM targets t WHERE t.org = r.org AND t.seq = r.seq), '[]')::text AS targets FROM records r) seen`;

const tables = { records, leaving: 'leaving', entries: 'entries', due: 'due', facts: 'facts' } as const;

/** A snapshot on its own connection, released when the view is closed. */
function postgresView(connections: Connections): Promise<View> {
  const opened = Promise.withResolvers<View>();
  const closed = Promise.withResolvers<void>();
  async function holdSnapshot(connection: Connection): Promise<void> {
    await connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    // The first read determines the moment of the snapshot.
    await connection.query({ text: 'SELECT 1 FROM facts LIMIT 1' });
    opened.resolve(
      pagedView(
        async (text, values) => {
          const { rows } = await send(connection, { text, values: [...values] }).catch((error: unknown) => {
            throw failureOf(error);
          });
          return rows;
        },
        tables,
        async () => {
          closed.resolve();
          await ended;
        },
      ),
    );
    await closed.promise;
    await connection.query({ text: 'COMMIT' });
  }
  // An error while opening rejects the promise; if the connection is lost later, the next read fails.
  const ended = connections.with(holdSnapshot).catch((error: unknown) => opened.reject(failureOf(error)));
  return opened.promise;
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** Beside this file; in the bundle also one folder up (scripts/build.ts copies them). */
const folders = ['./migrations/', '../migrations/'];

/** All migrations in order: `NNN-name.sql`. */
export function migrations(): readonly Migration[] {
  const found = folders.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error('the migrations of the database are missing');
  return readdirSync(found)
    .filter((file) => /^\d{3}-[a-z-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      return { number: Number(file.slice(0, 3)), name: file, text: readFileSync(join(found, file), 'utf8') };
    });
}

/**
 * Migrates the schema to the newest layout in one transaction. Servers that start together wait for each other. Throws
 * if the layout is newer than this version.
 */
export async function migrate(client: pg.ClientBase, schema: string, all: readonly Migration[]): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${schema} migrations`]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS layout
       (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<{ number: number | null }>('SELECT max(number) AS number FROM layout');
    const [current, newest] = [rows[0]?.number ?? 0, all.at(-1)?.number ?? 0];
    if (current > newest) throw otherLayout(current, newest);
    for (const { number, name, text } of all) {
      if (number <= current) continue;
      await client.query(text);
      await client.query('INSERT INTO layout (number, name) VALUES ($1, $2)', [number, name]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

const replacedTables = ['records', 'tags', 'targets', 'leaving', 'facts', 'entries', 'due'];

/**
 * Replaces the whole state. It is first loaded into temporary tables, which hide the others on this connection, and
 * then copied in one transaction, which blocks writes but not reads.
 */
function replaceAll(
  connections: Connections,
  content: AsyncIterable<readonly Loaded[]> | Iterable<readonly Loaded[]>,
  services: StoreServices,
): Promise<void> {
  return connections.withDisposable(async (connection) => {
    for (const table of replacedTables)
      await run(connection, `CREATE TEMP TABLE ${table} (LIKE ${services.schema}.${table} INCLUDING INDEXES)`);
    const orgs = new Map<string, StagedOrg>();
    for await (const items of content) {
      for (const [org, of] of Map.groupBy(items, ({ org }) => org)) {
        const staged = orgs.get(org) ?? { org, lastSeq: 0, due: [] };
        orgs.set(org, await stageOrg(connection, of, staged, services));
      }
    }
    await swapTables(connection, orgs, services);
    // Without this the query planner would have no statistics of the loaded data for about a minute.
    await run(connection, `ANALYZE ${replacedTables.map((table) => `${services.schema}.${table}`).join(', ')}`);
  });
}

interface StagedOrg {
  readonly org: string;
  readonly lastSeq: number;
  readonly due: readonly Due[];
}

async function stageOrg(
  connection: Connection,
  items: readonly Loaded[],
  { org, lastSeq, due }: StagedOrg,
  { now }: StoreServices,
): Promise<StagedOrg> {
  const overlay = new Overlay(lastSeq);
  const nothing = new KnownReads(0);
  const tx = new ReplayTransaction({ org, known: nothing, foreign: nothing, now }, overlay);
  for (const item of items) addPart(tx, item);
  await awaitAll(writeStatements(org, overlay, now()).map((statement) => send(connection, statement)));
  const more = items.flatMap((item) => (item.of === 'due' ? [item.due] : []));
  return { org, lastSeq: overlay.lastSeq, due: [...due, ...more] };
}

async function swapTables(
  connection: Connection,
  orgs: ReadonlyMap<string, StagedOrg>,
  { schema, beforeScheduling }: StoreServices,
): Promise<void> {
  await run(connection, 'BEGIN');
  await run(connection, 'LOCK TABLE orgs IN EXCLUSIVE MODE');
  for (const table of replacedTables) {
    await run(connection, `DELETE FROM ${schema}.${table}`);
    await run(connection, `INSERT INTO ${schema}.${table} SELECT * FROM pg_temp.${table}`);
  }
  await run(connection, "UPDATE orgs SET generation = nextval('generations')");
  for (const [org, { lastSeq, due }] of orgs) {
    const text = `INSERT INTO orgs (name, last_seq) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET last_seq = greatest(orgs.last_seq, excluded.last_seq)`;
    await send(connection, { text, values: [org, lastSeq] });
    if (due.length > 0) await beforeScheduling(connection, org, due);
  }
  await run(connection, 'COMMIT');
}

async function run(connection: Connection, text: string): Promise<void> {
  await connection.query({ text });
}

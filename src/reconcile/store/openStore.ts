import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isMissingModule } from '../../base/thrown.ts';
import { ToolError } from '../../base/toolError.ts';
import { KeptFiles } from './keptFiles.ts';
import type { Sql } from './sql.ts';
import { Store } from './store.ts';
import { storeError } from './storeError.ts';

/** The place of the store: a folder on this machine, or a PostgreSQL for any number of workers. */
export type StoreAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Errors: `reconcile.package` (with the command that installs it), `reconcile.store`, `reconcile.store-away`,
 * `reconcile.locked` (another process uses the folder). `now`: milliseconds since 1970; by default the time of the
 * database.
 */
export async function openStore(
  address: StoreAddress,
  { tell, now }: { readonly tell: (text: string) => void; readonly now?: () => number },
): Promise<Store & { close(): Promise<void> }> {
  const unlock = address.kind === 'folder' ? await lock(address.folder) : () => {};
  try {
    const sql = await open(address, tell);
    const measured = await prepared(sql).catch(async (error: unknown) => {
      await sql.close();
      throw storeError(error);
    });
    const folder = address.kind === 'folder' ? address.folder : undefined;
    const kept = folder === undefined ? undefined : new KeptFiles(join(folder, 'kept'));
    const store = new Store(sql, { now: now ?? measured, kept, folder });
    return Object.assign(store, {
      async close() {
        await sql.close();
        unlock();
      },
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

async function prepared(sql: Sql): Promise<() => number> {
  await prepare(sql);
  return databaseTime(sql);
}

async function lock(folder: string): Promise<() => void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return lockFolder(folder);
}

async function open(address: StoreAddress, tell: (text: string) => void): Promise<Sql> {
  try {
    if (address.kind === 'folder') return await (await import('./openPglite.ts')).openPglite(address.folder, tell);
    return await (await import('./openPostgres.ts')).openPostgres(address.url);
  } catch (error) {
    if (!isMissingModule(error)) throw storeError(error);
    const packages = address.kind === 'folder' ? '@electric-sql/pglite@0.5 pg-boss@12' : 'pg@8 pg-boss@12';
    throw new ToolError({
      code: 'reconcile.package',
      message: `gantry reconcile needs packages that are not installed: ${packages}`,
      hint: `npm install ${packages}, with --global where Gantry is installed globally.`,
    });
  }
}

const measureEveryMs = 60_000;

/**
 * The time of the database, equal for all workers. Between measurements it advances with the monotonic clock, so jumps
 * of the machine's clock have no effect.
 */
async function databaseTime(sql: Sql): Promise<() => number> {
  async function measure(): Promise<number> {
    const [row] = await sql.query('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms');
    return Number(row?.['ms']) - performance.now();
  }
  let offsetMs = await measure();
  let measuredMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - measuredMs > measureEveryMs) {
      measuredMs = nowMs;
      measure().then(
        (offset) => {
          offsetMs = offset;
        },
        () => undefined,
      );
    }
    return Math.floor(offsetMs + nowMs);
  };
}

/**
 * Locks a folder for this process with a lock of the operating system, which always ends with the process. Errors:
 * `reconcile.locked`.
 */
function lockFolder(folder: string): () => void {
  const database = new DatabaseSync(join(folder, 'lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (by); COMMIT');
  } catch (cause) {
    database.close();
    throw new ToolError({
      code: 'reconcile.locked',
      message: `another process uses the store in ${folder}`,
      hint: 'One worker at a time has the store in a folder. For several workers give --store postgres://….',
      cause,
    });
  }
  return () => database.close();
}

/** Each runs once, in this order. Only append. */
const steps: readonly string[] = [
  `
  CREATE TABLE stacks (
    name text PRIMARY KEY,
    entry json NOT NULL,
    state json NOT NULL,
    pause json,
    next_ms bigint NOT NULL,
    asked_ms bigint
  );
  CREATE INDEX stacks_next ON stacks (next_ms);
  CREATE TABLE runs (
    id text PRIMARY KEY,
    stack text NOT NULL,
    worker text NOT NULL,
    fence bigint NOT NULL,
    start_ms bigint NOT NULL,
    end_ms bigint,
    outcome text,
    said json NOT NULL DEFAULT '{}',
    log json NOT NULL DEFAULT '[]',
    document json
  );
  CREATE INDEX runs_of_stack ON runs (stack, start_ms DESC);
  CREATE INDEX runs_by_end ON runs (end_ms);
  CREATE TABLE plans (
    stack text NOT NULL,
    name text NOT NULL,
    made_ms bigint NOT NULL,
    inputs json NOT NULL,
    document json NOT NULL,
    file text NOT NULL,
    signatures text NOT NULL,
    needed integer NOT NULL,
    signed boolean NOT NULL,
    blocked text,
    status text NOT NULL CHECK (status IN ('waiting', 'applying', 'applied', 'superseded')),
    superseded json,
    PRIMARY KEY (stack, name)
  );
  CREATE UNIQUE INDEX plans_open ON plans (stack) WHERE status IN ('waiting', 'applying');
  CREATE TABLE approvals (
    stack text NOT NULL,
    plan text NOT NULL,
    who text NOT NULL,
    at_ms bigint NOT NULL,
    signature text,
    PRIMARY KEY (stack, plan, who),
    FOREIGN KEY (stack, plan) REFERENCES plans (stack, name) ON DELETE CASCADE
  );
  CREATE TABLE leases (
    stack text PRIMARY KEY,
    fence bigint NOT NULL,
    worker text NOT NULL,
    until timestamptz NOT NULL
  );
  CREATE TABLE budget (
    endpoint text PRIMARY KEY,
    tokens double precision NOT NULL,
    at timestamptz NOT NULL,
    requests bigint NOT NULL
  );
  `,
  'ALTER TABLE plans ADD COLUMN trust json',
  'CREATE TABLE configuration (single boolean PRIMARY KEY DEFAULT true CHECK (single), origin text NOT NULL)',
  'CREATE TABLE owners (owner text PRIMARY KEY, stack text NOT NULL REFERENCES stacks (name) ON DELETE CASCADE)',
  `
  ALTER TABLE stacks ADD COLUMN told jsonb NOT NULL DEFAULT '{}';
  CREATE TABLE notices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target text NOT NULL,
    body json NOT NULL,
    made_ms bigint NOT NULL,
    next_ms bigint NOT NULL
  );
  CREATE INDEX notices_next ON notices (next_ms);
  CREATE TABLE targets (
    name text PRIMARY KEY,
    delivered bigint NOT NULL DEFAULT 0,
    lost bigint NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    failing_ms bigint,
    because text
  );
  `,
  'ALTER TABLE targets ADD COLUMN next_ms bigint NOT NULL DEFAULT 0',
  `
  CREATE TABLE sessions (
    id text PRIMARY KEY,
    until_ms bigint NOT NULL,
    who json NOT NULL
  );
  ALTER TABLE approvals ADD COLUMN person text;
  CREATE UNIQUE INDEX approvals_of_person ON approvals (stack, plan, person);
  `,
  'CREATE TABLE attempts (id text PRIMARY KEY, until_ms bigint NOT NULL)',
  'ALTER TABLE stacks ADD COLUMN reads json',
  // Formerly a status counted as sent before the forge had accepted it.
  `ALTER TABLE notices ADD COLUMN stack text; ALTER TABLE notices ADD COLUMN status text;
   UPDATE stacks SET told = told - 'commit'`,
  // People may share a name: `isSamePerson` decides.
  'ALTER TABLE approvals DROP CONSTRAINT approvals_pkey',
];

/** Updates the tables to the newest layout. Workers that start together wait for each other. */
async function prepare(sql: Sql): Promise<void> {
  await sql.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock(hashtext('gantry reconcile layout'))");
    const [path] = await query('SHOW search_path');
    await query(`CREATE SCHEMA IF NOT EXISTS ${String(path?.['search_path'])}`);
    await query('CREATE TABLE IF NOT EXISTS layout (number integer PRIMARY KEY)');
    const [found] = await query('SELECT coalesce(max(number), 0)::integer AS number FROM layout');
    const current = Number(found?.['number']);
    if (current > steps.length) throw new Error('the store is of a newer version of Gantry');
    for (const [index, text] of steps.entries()) {
      if (index < current) continue;
      for (const statement of text.split(';')) if (statement.trim() !== '') await query(statement);
      await query('INSERT INTO layout (number) VALUES ($1)', [index + 1]);
    }
  });
}

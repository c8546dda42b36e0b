import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '../../base/toolError.ts';
import { KeptFiles } from './keptFiles.ts';
import { prepare } from './layout.ts';
import type { Sql } from './sql.ts';
import { Store } from './store.ts';
import { storeError } from './storeError.ts';

/** Where the store is: a folder of this machine, or a PostgreSQL for any number of workers. */
export type StoreAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Errors: `reconcile.package` (with the command that installs it), `reconcile.store`, `reconcile.store-away`,
 * `reconcile.locked` (another process has the folder). `now`: milliseconds since 1970; by default the time of the database.
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

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

const measureEveryMs = 60_000;

/**
 * The time of the database: the same for all workers. Between two measurements it goes on with the monotonic clock, so
 * that a clock of a machine that jumps moves nothing.
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
 * Holds a folder for this process: a lock of the operating system, which ends with the process however that ends. Errors:
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

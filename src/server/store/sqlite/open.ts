import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { GroupCommit } from '../model/groupCommit.ts';
import { addPart } from '../model/loaded.ts';
import { OneView } from '../model/oneView.ts';
import { otherLayout } from '../model/otherLayout.ts';
import type { Database, Loaded } from '../model/row.ts';
import { isStorageFailure } from '../model/storageFailure.ts';
import { dueOf } from '../model/storedEntry.ts';
import { textOf } from '../model/storedText.ts';
import { sqliteFailure } from './failure.ts';
import { SqliteHealth } from './health.ts';
import { layout, layoutVersion } from './layout.ts';
import { SqliteLog } from './log.ts';
import { removeStages, restoreIndexes, SqliteStage } from './replace.ts';
import { SqliteStatements } from './statements.ts';
import { SqliteTransaction } from './transaction.ts';
import { fileView, memoryView } from './view.ts';

/**
 * Opens or creates the database at `path` (or `:memory:`). Durable: WAL with `synchronous=FULL`, so an answered write
 * survives a kill. `now`: milliseconds since 1970. `mayBeNew`: throws if the database must already exist.
 */
export function openSqlite(path: string, now: () => number, mayBeNew: () => void = () => {}): Database {
  const database = openDatabase(path, mayBeNew);
  const file = path === ':memory:' ? undefined : path;
  const health = new SqliteHealth(file);
  const log = new SqliteLog(database, file);
  const statements = new SqliteStatements(database);
  const commits = new GroupCommit(database, statements, () => log.committed());
  const transactions = new Map<string, SqliteTransaction>();
  const views = new OneView();
  const loads = new OneView();
  let listener: (atMs: number) => void = () => {};
  let earliestMs: number | undefined;

  function transactionOf(org: string): SqliteTransaction {
    const known = transactions.get(org);
    if (known !== undefined) return known;
    const made = new SqliteTransaction(org, statements, now, (atMs) => {
      earliestMs = Math.min(atMs, earliestMs ?? atMs);
    });
    transactions.set(org, made);
    return made;
  }

  async function written<T>(work: () => T): Promise<T> {
    if (health.damage !== undefined) throw health.damage;
    const result = await commits.run(work).catch((error: unknown) => {
      const failure = sqliteFailure(error);
      health.failed(failure);
      throw failure;
    });
    health.wrote();
    if (earliestMs !== undefined) {
      const atMs = earliestMs;
      earliestMs = undefined;
      listener(atMs);
    }
    return result;
  }

  // In one transaction: another process on the same file may commit between two statements.
  async function seen<T>(work: () => T): Promise<T> {
    try {
      statements.of('BEGIN').run();
      try {
        statements.begun();
        return work();
      } finally {
        // Some file errors end the transaction by themselves.
        if (database.isTransaction) statements.of('COMMIT').run();
      }
    } catch (error) {
      const failure = sqliteFailure(error);
      if (isStorageFailure(failure) && failure.code === 'storage_damaged') health.failed(failure);
      throw failure;
    }
  }

  async function replaceWith(content: AsyncIterable<readonly Loaded[]>): Promise<void> {
    const stage = new SqliteStage(database, statements, now);
    function swap(): Promise<void> {
      return written(() => {
        stage.swap();
        if (stage.earliestMs !== undefined) earliestMs = Math.min(stage.earliestMs, earliestMs ?? stage.earliestMs);
      });
    }
    await written(() => stage.prepare());
    try {
      for await (const items of content) await written(() => stage.add(items));
      // The triggers of a view of a database in memory refer to its tables by name.
      await (path === ':memory:' ? views.alone(swap) : swap());
    } finally {
      while (await written(() => stage.sweep()));
    }
  }

  function orgs(): readonly string[] {
    return statements
      .all("SELECT org FROM facts WHERE key = 'created' ORDER BY value, org")
      .map(({ org }) => textOf(org));
  }

  return {
    of(org) {
      const transaction = transactionOf(org);
      return { read: (work) => seen(() => work(transaction)), write: (work) => written(() => work(transaction)) };
    },
    orgs: () => seen(orgs),
    nextDue: () =>
      seen(() => {
        const found = statements.one('SELECT * FROM due ORDER BY at, seq LIMIT 1');
        return found === undefined ? undefined : { org: textOf(found['org']), due: dueOf(found) };
      }),
    onScheduled(listening) {
      listener = listening;
    },
    view: async () => (path === ':memory:' ? views.open(() => memoryView(database)) : fileView(path)),
    replace: (content) => loads.alone(() => replaceWith(content)),
    load: (content) =>
      written(() => {
        for (const table of ['records', 'leaving', 'facts', 'entries', 'due']) statements.run(`DELETE FROM ${table}`);
        statements.undone();
        for (const part of content) addPart(transactionOf(part.org), part);
      }),
    check: () => health.check(() => written(() => probe(database))),
    async close() {
      await commits.drained();
      await Promise.all([health.close(), log.close()]);
      database.close();
    },
  };
}

function openDatabase(path: string, mayBeNew: () => void): DatabaseSync {
  // Created here with access for the owner only, as it contains secret values.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    // Set first: the next statements may already have to wait for another process.
    database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    // Truncates a log that grew during a long read.
    database.exec('PRAGMA journal_size_limit = 33554432');
    // Changing the journal mode fails at once, without the busy timeout, if another process is doing the same.
    patiently(() => database.exec('PRAGMA journal_mode = WAL'));
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
    const { user_version: found } = database.prepare('PRAGMA user_version').get() ?? {};
    if (found !== 0 && found !== layoutVersion) throw otherLayout(Number(found), layoutVersion);
    // Only in the exclusive transaction: another process may be creating it.
    if (found === 0) mayBeNew();
    removeStages(database);
    restoreIndexes(database);
    database.exec(`${layout}; PRAGMA user_version = ${layoutVersion}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Writes as much as a usual write, then rolls back. */
function probe(database: DatabaseSync): void {
  database.exec("INSERT INTO facts (org, key, value) VALUES ('', 'probe', hex(zeroblob(131072)))");
  database.exec("DELETE FROM facts WHERE org = '' AND key = 'probe'");
}

const patienceMs = 5_000;
const pauseMs = 20;

/** Retries while the database is locked. Blocks the process, which can do nothing else before it is open. */
function patiently(work: () => void): void {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      work();
      return;
    } catch (error) {
      if (!isLocked(error) || waitedMs >= patienceMs) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

const sqliteBusy = 5;

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

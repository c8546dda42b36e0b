import { closeSync, openSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { ApiFailure } from '../../http/apiFailure.ts';
import { GroupCommit } from '../model/groupCommit.ts';
import { addPart, OneView, otherLayout } from '../model/opening.ts';
import type { Database, Loaded } from '../model/row.ts';
import { isStorageFailure, storageDamaged, storageFull } from '../model/storageFailure.ts';
import { dueOf, numberOf, textOf } from '../model/stored.ts';
import { sqliteFailure } from './failure.ts';
import { layout, layoutVersion } from './layout.ts';
import { SqliteStatements } from './statements.ts';
import { SqliteTransactions } from './transaction.ts';
import { fileView, memoryView } from './view.ts';

/**
 * Opens or creates the database at `path` (or `:memory:`). Writes are durable: with WAL and `synchronous=FULL` an
 * answered write survives a kill. `now`: milliseconds since 1970. `mayBeNew` throws if the database must already exist.
 */
export function openSqlite(path: string, now: () => number, mayBeNew: () => void = () => {}): Database {
  const database = openDatabase(path, mayBeNew);
  const file = path === ':memory:' ? undefined : path;
  const health = new SqliteHealth(file);
  const log = new WalCheckpointer(database, file);
  const statements = new SqliteStatements(database);
  const commits = new GroupCommit(database, statements, () => log.committed());
  const transactions = new SqliteTransactions(statements, now);
  const views = new OneView();
  const loads = new OneView();
  let listener: (atMs: number) => void = () => {};

  async function runWrite<T>(work: () => T): Promise<T> {
    if (health.damage !== undefined) throw health.damage;
    const result = await commits.run(work).catch((error: unknown) => {
      const failure = sqliteFailure(error);
      health.failed(failure);
      throw failure;
    });
    health.wrote();
    const atMs = transactions.earliestMs;
    transactions.earliestMs = undefined;
    if (atMs !== undefined) listener(atMs);
    return result;
  }

  // One transaction, because another process on the same file may commit between two statements.
  async function runRead<T>(work: () => T): Promise<T> {
    try {
      statements.of('BEGIN').run();
      try {
        statements.begun();
        return work();
      } finally {
        // Some file errors end the transaction.
        if (database.isTransaction) statements.of('COMMIT').run();
      }
    } catch (error) {
      const failure = sqliteFailure(error);
      if (isStorageFailure(failure) && failure.code === 'storage_damaged') health.failed(failure);
      throw failure;
    }
  }

  async function replaceWith(content: AsyncIterable<readonly Loaded[]>): Promise<void> {
    const stage = new StagedState(database, statements, now);
    function swap(): Promise<void> {
      return runWrite(() => {
        stage.swap();
        if (stage.earliestMs !== undefined) transactions.scheduled(stage.earliestMs);
      });
    }
    await runWrite(() => stage.prepare());
    try {
      for await (const items of content) await runWrite(() => stage.add(items));
      // The triggers of a view of a database in memory refer to its tables by name.
      await (path === ':memory:' ? views.withoutView(swap) : swap());
    } finally {
      while (await runWrite(() => stage.sweep()));
    }
  }

  function orgs(): readonly string[] {
    return statements
      .all("SELECT org FROM facts WHERE key = 'created' ORDER BY value, org")
      .map(({ org }) => textOf(org));
  }

  return {
    of(org) {
      const transaction = transactions.of(org);
      return { read: (work) => runRead(() => work(transaction)), write: (work) => runWrite(() => work(transaction)) };
    },
    orgs: () => runRead(orgs),
    nextDue: () =>
      runRead(() => {
        const found = statements.one('SELECT * FROM due ORDER BY at, seq LIMIT 1');
        return found === undefined ? undefined : { org: textOf(found['org']), due: dueOf(found) };
      }),
    onScheduled(listening) {
      listener = listening;
    },
    view: async () => (path === ':memory:' ? views.open(() => memoryView(database)) : fileView(path)),
    replace: (content) => loads.withoutView(() => replaceWith(content)),
    load: (content) =>
      runWrite(() => {
        for (const table of ['records', 'leaving', 'facts', 'entries', 'due']) statements.run(`DELETE FROM ${table}`);
        statements.undone();
        for (const part of content) addPart(transactions.of(part.org), part);
      }),
    check: () => health.check(() => runWrite(() => tryWrite(database))),
    async close() {
      await commits.drained();
      await Promise.all([health.close(), log.close()]);
      database.close();
    },
  };
}

function openDatabase(path: string, mayBeNew: () => void): DatabaseSync {
  // Creates the file for its owner only, because it contains secret values.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    // Set first, because the next statements may already wait for another process.
    database.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
    // Truncates a log that grew during a long read.
    database.exec('PRAGMA journal_size_limit = 33554432');
    // Changing the journal mode fails immediately, without the busy timeout, if another process does the same.
    retryWhileLocked(() => database.exec('PRAGMA journal_mode = WAL'));
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
    const { user_version: found } = database.prepare('PRAGMA user_version').get() ?? {};
    if (found !== 0 && found !== layoutVersion) throw otherLayout(Number(found), layoutVersion);
    // Checked in the exclusive transaction only: another process may be creating the database.
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

/** Writes as much as a typical write, then rolls back. */
function tryWrite(database: DatabaseSync): void {
  database.exec("INSERT INTO facts (org, key, value) VALUES ('', 'probe', hex(zeroblob(131072)))");
  database.exec("DELETE FROM facts WHERE org = '' AND key = 'probe'");
}

const lockTimeoutMs = 5_000;
const pauseMs = 20;

/** Retries while the database is locked. Blocks the process, which can do nothing before the database is open. */
function retryWhileLocked(work: () => void): void {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      work();
      return;
    } catch (error) {
      if (!isLocked(error) || waitedMs >= lockTimeoutMs) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

const sqliteBusy = 5;

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

/** With less free space the next writes fail, because a commit is first written to the log. */
const leastFreeBytes = 1024 * 1024;

/** The maximum share of one thread's time for damage checks. */
const maxCheckShare = 1 / 20;
const leastPauseMs = 1_000;
const firstCheckMs = 1_000;

/** The health of a database file. Damage is permanent until the file is replaced. */
class SqliteHealth {
  readonly #path: string | undefined;
  #damage: ApiFailure | undefined;
  #lastWrite: ApiFailure | undefined;
  #checkAgainMs = 0;
  #checking: Promise<void> | undefined;
  #worker: Worker | undefined;
  readonly #first: NodeJS.Timeout | undefined;

  /** `path`: of the file; undefined for a database in memory. */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined) return;
    this.#first = setTimeout(() => void this.#look(path), firstCheckMs);
    this.#first.unref();
  }

  /** The reason why writes must be refused; undefined if no damage is known. */
  get damage(): ApiFailure | undefined {
    return this.#damage;
  }

  /** Must be called after each successful write. */
  wrote(): void {
    this.#lastWrite = undefined;
  }

  failed(error: unknown): void {
    if (!isStorageFailure(error)) return;
    if (error.code === 'storage_damaged') this.#damage = error;
    else this.#lastWrite = error;
  }

  /** Rejects with the problem. `probe`: a write to try if the last one failed. */
  async check(probe: () => Promise<void>): Promise<void> {
    if (this.#path !== undefined) {
      const { bavail, bsize } = await statfs(dirname(this.#path));
      if (bavail * bsize < leastFreeBytes) throw storageFull();
      await this.#look(this.#path);
    }
    if (this.#damage !== undefined) throw this.#damage;
    if (this.#lastWrite !== undefined) await probe();
  }

  async close(): Promise<void> {
    clearTimeout(this.#first);
    await this.#worker?.terminate();
  }

  /** Reads the whole file in a separate thread. */
  #look(path: string): Promise<void> {
    if (this.#damage !== undefined || performance.now() < this.#checkAgainMs) return Promise.resolve();
    this.#checking ??= this.#lookNow(path).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #lookNow(path: string): Promise<void> {
    const startedMs = performance.now();
    const reason = await this.#reasonIn(path);
    if (reason !== undefined) this.#damage = storageDamaged(reason);
    const tookMs = performance.now() - startedMs;
    this.#checkAgainMs = performance.now() + Math.max(leastPauseMs, tookMs / maxCheckShare);
  }

  async #reasonIn(path: string): Promise<string | undefined> {
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) return 'its file is gone';
    if (size === 0) return 'its file is empty';
    const worker = new Worker(checker, { eval: true, workerData: path });
    this.#worker = worker;
    worker.unref();
    return new Promise((resolve) => {
      worker.once('message', (found: unknown) => resolve(typeof found === 'string' ? found : undefined));
      worker.once('error', () => resolve(undefined));
      worker.once('exit', () => resolve(undefined));
    });
  }
}

/** Text, so that the bundle needs no separate file. A file locked by another process is not damaged. */
const checker = `
  process.emitWarning = () => undefined; // of Node 22, that SQLite is experimental
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  let found;
  try {
    const database = new DatabaseSync(workerData, { readOnly: true });
    const [row] = database.prepare('PRAGMA quick_check(1)').all();
    if (row?.quick_check !== 'ok') found = String(row?.quick_check);
    database.close();
  } catch (error) {
    const code = error.errcode & 0xff;
    if (code === 11 || code === 26) found = error.message;
  }
  parentPort.postMessage(found);
`;

/** In pages of 4 KiB. A page that every write touches is copied only once per this many. */
const pagesForCopy = 1_000;
/** The number of pages that may be copied between two requests. */
const fewPages = 250;
/** A log of this length is copied between two requests, because the thread is slower than the writes. */
const longestLog = 16_000;
const pagesForCopyInCommit = 4_000;

/**
 * Checkpoints the WAL of a database file in a separate thread. SQLite would do so in the commit that fills the log, and
 * all requests would wait for megabytes of random writes. The last few pages are copied here: the log restarts only
 * after all of it was copied, and under constant writes the thread would never finish.
 */
class WalCheckpointer {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #length: StatementSync | undefined;
  #worker: Worker | undefined;
  #isCopying = false;
  /** The length of the log and of its copied part when the thread last started copying. */
  #given = { length: 0, copied: 0 };

  /** `path`: of the file; undefined for a database in memory, which has no log. */
  constructor(database: DatabaseSync, path: string | undefined) {
    this.#database = database;
    this.#path = path ?? '';
    if (path === undefined) return;
    // Older versions treat NOOP as a request to copy.
    const isKnown = database.prepare("SELECT sqlite_version() GLOB '3.5[1-9].*' AS known").get()?.['known'] === 1;
    if (isKnown) this.#length = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    database.exec(`PRAGMA wal_autocheckpoint = ${isKnown ? 0 : pagesForCopyInCommit}`);
  }

  /** Must be called after each commit. */
  committed(): void {
    if (this.#isCopying || this.#length === undefined) return;
    const now = pagesIn(this.#length);
    // The log has restarted.
    if (now.length < this.#given.length) this.#given = { length: 0, copied: 0 };
    if (now.length - this.#given.length >= pagesForCopy) this.#copy(now);
  }

  async close(): Promise<void> {
    this.#isCopying = true;
    await this.#worker?.terminate();
  }

  #copy(now: Pages): void {
    this.#given = now;
    this.#isCopying = true;
    this.#worker ??= this.#started();
    this.#worker.postMessage('copy');
  }

  #started(): Worker {
    const worker = new Worker(copier, { eval: true, workerData: this.#path });
    worker.unref();
    worker.on('message', () => this.#wasCopied());
    // Without the thread, commits copy the log.
    worker.on('error', () => this.#database.exec(`PRAGMA wal_autocheckpoint = ${pagesForCopyInCommit}`));
    return worker;
  }

  #wasCopied(): void {
    this.#isCopying = false;
    if (!this.#database.isOpen || this.#length === undefined) return;
    const now = pagesIn(this.#length);
    const left = now.length - now.copied;
    if (left === 0) return;
    if (left <= fewPages || now.length >= longestLog) pagesIn(this.#database.prepare('PRAGMA wal_checkpoint(PASSIVE)'));
    // Without progress, a reader still needs the log.
    else if (now.copied !== this.#given.copied) this.#copy(now);
  }
}

interface Pages {
  readonly length: number;
  readonly copied: number;
}

/** Returns zeros for a failed checkpoint, which is retried later. */
function pagesIn(statement: StatementSync): Pages {
  try {
    const found = statement.get() ?? {};
    return { length: numberOf(found['log']), copied: numberOf(found['checkpointed']) };
  } catch {
    return { length: 0, copied: 0 };
  }
}

/** Text, so that the bundle needs no separate file. */
const copier = `
  process.emitWarning = () => undefined; // of Node 22, that SQLite is experimental
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const database = new DatabaseSync(workerData);
  database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = FULL');
  parentPort.on('message', () => {
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {}
    parentPort.postMessage('copied');
  });
`;

/** Referencing tables come first, because they must be deleted first. */
const tables = ['tags', 'targets', 'records', 'leaving', 'facts', 'entries', 'due'] as const;
const tablePattern = tables.join('|');
const rowsPerSweep = 200;

/**
 * A state that is loaded into tables beside the served ones, which are then swapped instantly by renaming in one
 * transaction. Each method is the work of one write.
 */
class StagedState {
  readonly #database: DatabaseSync;
  readonly #transactions: SqliteTransactions;
  readonly #served: SqliteStatements;

  /** `served`: the statements of the served state, whose caches must be notified of each write. */
  constructor(database: DatabaseSync, served: SqliteStatements, now: () => number) {
    this.#database = database;
    this.#served = served;
    const statements = new SqliteStatements(database, (text) =>
      text.replaceAll(new RegExp(`\\b(FROM|INTO|UPDATE|JOIN) (${tablePattern})\\b`, 'g'), '$1 next_$2'),
    );
    this.#transactions = new SqliteTransactions(statements, now);
  }

  prepare(): void {
    this.#served.changes += 1;
    removeStages(this.#database);
    this.#database.exec(layoutOfStage(this.#database));
  }

  add(items: readonly Loaded[]): void {
    this.#served.changes += 1;
    for (const item of items) addPart(this.#transactions.of(item.org), item);
  }

  /** The time of the earliest scheduled work in it. */
  get earliestMs(): number | undefined {
    return this.#transactions.earliestMs;
  }

  /** Makes this the served state. */
  swap(): void {
    this.#served.changes += 1;
    this.#served.undone();
    for (const table of tables) {
      this.#database.exec(`ALTER TABLE ${table} RENAME TO old_${table}; ALTER TABLE next_${table} RENAME TO ${table}`);
    }
  }

  /** Deletes some rows of the previous or an abandoned state; false once all are deleted. */
  sweep(): boolean {
    this.#served.changes += 1;
    for (const table of tables.toReversed()) {
      for (const name of [`old_${table}`, `next_${table}`]) {
        if (!exists(this.#database, name)) continue;
        const key = table === 'tags' || table === 'targets' || table === 'facts' ? undefined : 'rowid';
        const some = key === undefined ? '' : ` WHERE rowid IN (SELECT rowid FROM ${name} LIMIT ${rowsPerSweep})`;
        if (this.#database.prepare(`DELETE FROM ${name}${some}`).run().changes > 0) return true;
      }
    }
    removeStages(this.#database);
    return false;
  }
}

/** Removes the tables of an unfinished or replaced load. */
function removeStages(database: DatabaseSync): void {
  for (const table of tables) {
    database.exec(`DROP TABLE IF EXISTS old_${table}; DROP TABLE IF EXISTS next_${table}`);
  }
}

/** Drops the indexes of a loaded state, which are not renamed with their tables. The normal ones are created again. */
function restoreIndexes(database: DatabaseSync): void {
  const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'loaded%'").all();
  for (const { name } of found) database.exec(`DROP INDEX ${name}`);
  // An index of an earlier version, replaced by `entries_named`.
  database.exec('DROP INDEX IF EXISTS entries_by_id');
}

/** The layout with unused names of tables and indexes. */
function layoutOfStage(database: DatabaseSync): string {
  const prefix = exists(database, 'loaded_records_in_order') ? 'loaded_too_' : 'loaded_';
  return layout
    .replaceAll(new RegExp(`(TABLE IF NOT EXISTS|REFERENCES|ON) (${tablePattern})\\b`, 'g'), '$1 next_$2')
    .replaceAll('INDEX IF NOT EXISTS ', `INDEX ${prefix}`);
}

function exists(database: DatabaseSync, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

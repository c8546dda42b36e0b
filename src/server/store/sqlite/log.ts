import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { numberOf } from '../model/storedText.ts';

/** Pages of 4 KiB. Pages that every write touches are copied only once per this many. */
const pagesForCopy = 1_000;
/** The number of pages that may be copied between two requests. */
const fewPages = 250;
/** If the log is this long, it is copied between two requests: the thread cannot keep up with the writes. */
const longestLog = 16_000;
const pagesForCopyInCommit = 4_000;

/**
 * Checkpoints the WAL of a database file in a separate thread. SQLite would do it in the commit that fills the log, and
 * all requests would wait for megabytes of random writes. The last few pages are copied here: the log restarts only
 * after all of it was copied, and under constant writes the thread would never catch up.
 */
export class SqliteLog {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #length: StatementSync | undefined;
  #worker: Worker | undefined;
  #isCopying = false;
  /** The length of the log and its copied part when the thread was last started. */
  #given = { length: 0, copied: 0 };

  /** `path`: of the file; undefined: the database is in memory, and has no log. */
  constructor(database: DatabaseSync, path: string | undefined) {
    this.#database = database;
    this.#path = path ?? '';
    if (path === undefined) return;
    // Older versions treat NOOP as a request to copy.
    const isKnown = database.prepare("SELECT sqlite_version() GLOB '3.5[1-9].*' AS known").get()?.['known'] === 1;
    if (isKnown) this.#length = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    database.exec(`PRAGMA wal_autocheckpoint = ${isKnown ? 0 : pagesForCopyInCommit}`);
  }

  /** Call after each commit. */
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
    // No progress means that a reader still needs the log.
    else if (now.copied !== this.#given.copied) this.#copy(now);
  }
}

interface Pages {
  readonly length: number;
  readonly copied: number;
}

/** A failed checkpoint is retried later. */
function pagesIn(statement: StatementSync): Pages {
  try {
    const found = statement.get() ?? {};
    return { length: numberOf(found['log']), copied: numberOf(found['checkpointed']) };
  } catch {
    return { length: 0, copied: 0 };
  }
}

/** As text, so that the bundle needs no separate file. */
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

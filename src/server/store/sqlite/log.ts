import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { numberOf } from '../storedText.ts';

/** Pages of 4 KiB. What every write touches is copied once for so many. */
const pagesForCopy = 1_000;
/** So many may be copied between two requests. */
const fewPages = 250;
/** Of a log as long as this everything is copied between two requests: the thread is slower than the writes. */
const longestLog = 16_000;
const pagesForCopyInCommit = 4_000;

/**
 * Copies the log of a database file back into it, in a thread of its own. Left to SQLite, the commit that fills the log
 * does it, and everybody waits for megabytes that are written in no order. The last few pages are copied here: the log
 * begins anew only where all of it was copied, and a thread would always be behind writes that go on.
 */
export class SqliteLog {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #length: StatementSync | undefined;
  #worker: Worker | undefined;
  #isCopying = false;
  /** How long the log was, and how much of it was copied, when it was last given to the thread. */
  #given = { length: 0, copied: 0 };

  /** `path`: of the file; undefined: the database is in memory, and has no log. */
  constructor(database: DatabaseSync, path: string | undefined) {
    this.#database = database;
    this.#path = path ?? '';
    if (path === undefined) return;
    // An older version takes NOOP for an order to copy.
    const isKnown = database.prepare("SELECT sqlite_version() GLOB '3.5[1-9].*' AS known").get()?.['known'] === 1;
    if (isKnown) this.#length = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    database.exec(`PRAGMA wal_autocheckpoint = ${isKnown ? 0 : pagesForCopyInCommit}`);
  }

  /** After each commit. */
  committed(): void {
    if (this.#isCopying || this.#length === undefined) return;
    const now = pagesIn(this.#length);
    // It began anew.
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
    // Then the commits do it.
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
    // Not where a reader still needs the log as it is.
    else if (now.copied !== this.#given.copied) this.#copy(now);
  }
}

interface Pages {
  readonly length: number;
  readonly copied: number;
}

/** What cannot be copied now is copied another time. */
function pagesIn(statement: StatementSync): Pages {
  try {
    const found = statement.get() ?? {};
    return { length: numberOf(found['log']), copied: numberOf(found['checkpointed']) };
  } catch {
    return { length: 0, copied: 0 };
  }
}

/** As text, so that it needs no file of its own in the bundle. */
const copier = `
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

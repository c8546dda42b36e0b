import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ApiFailure } from '../../http/apiFailure.ts';
import { isStorageFailure, storageDamaged, storageFull } from '../model/storageFailure.ts';

/** With less free space the next writes fail, as a commit is first written to the log. */
const leastFreeBytes = 1024 * 1024;

/** The share of one thread's time for damage checks. */
const checkedShare = 1 / 20;
const leastPauseMs = 1_000;
const firstCheckMs = 1_000;

/** The health of a database file. Damage is permanent until the file is replaced. */
export class SqliteHealth {
  readonly #path: string | undefined;
  #damage: ApiFailure | undefined;
  #lastWrite: ApiFailure | undefined;
  #checkAgainMs = 0;
  #checking: Promise<void> | undefined;
  #worker: Worker | undefined;
  readonly #first: NodeJS.Timeout | undefined;

  /** `path`: of the file; undefined: the database is in memory. */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined) return;
    this.#first = setTimeout(() => void this.#look(path), firstCheckMs);
    this.#first.unref();
  }

  /** Why writes must be refused; undefined: no damage is known. */
  get damage(): ApiFailure | undefined {
    return this.#damage;
  }

  /** Call after each successful write. */
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
    this.#checkAgainMs = performance.now() + Math.max(leastPauseMs, tookMs / checkedShare);
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

/** As text, so that the bundle needs no separate file. A file locked by another process is not damaged. */
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

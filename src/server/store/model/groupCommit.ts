import type { DatabaseSync } from 'node:sqlite';

interface QueuedWrite {
  /** Runs the write. True if it did not throw; otherwise its error is available as `reason`. */
  readonly attempt: () => boolean;
  readonly reason: () => unknown;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** State outside the database that writes affect. */
export interface Watch {
  /** Changes with each statement that may have changed data. */
  readonly changes: number;
  /** Called when a transaction has begun. */
  begun(): void;
  /** Called when some or all of its writes were rolled back. */
  undone(): void;
}

/** Thrown if a write failed after it changed data, without a savepoint before it. */
class PartialWriteError extends Error {}

/**
 * The time that the writes of one commit may take together; more if commits are slow. All are answered together, so a
 * long batch would make clients and server wait for each other in turn.
 */
const leastBatchMs = 2;
const commitTimeFactor = 16;

/**
 * Shares one commit among all waiting writes. A commit costs a disk flush, so this gives 6 to 20 times the writes per
 * second. Each write is answered after the commit. A failed write usually changed nothing; if it did, all writes run
 * again, each with a savepoint.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #watch: Watch;
  readonly #onCommit: () => void;
  #waiting: QueuedWrite[] = [];
  #budgetMs = leastBatchMs;
  #scheduled: Promise<void> | undefined;

  constructor(database: DatabaseSync, watch: Watch, onCommit: () => void = () => {}) {
    this.#database = database;
    this.#watch = watch;
    this.#onCommit = onCommit;
  }

  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: { readonly done: true; readonly value: T } | { readonly done: false; readonly error: unknown };
      this.#waiting.push({
        attempt: () => {
          try {
            outcome = { done: true, value: work() };
          } catch (error) {
            outcome = { done: false, error };
          }
          return outcome.done;
        },
        reason: () => (outcome.done ? undefined : outcome.error),
        settle: () => (outcome.done ? resolve(outcome.value) : reject(outcome.error)),
        fail: reject,
      });
      this.#schedule();
    });
  }

  async drained(): Promise<void> {
    while (this.#scheduled !== undefined) await this.#scheduled;
  }

  #schedule(): void {
    this.#scheduled ??= new Promise((done) => {
      setImmediate(() => {
        this.#scheduled = undefined;
        this.#commit();
        if (this.#waiting.length > 0) this.#schedule();
        done();
      });
    });
  }

  #commit(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let done = 0;
    try {
      done = this.#runSome(waiting);
      const workedMs = performance.now();
      this.#database.exec('COMMIT');
      this.#budgetMs = Math.max(leastBatchMs, commitTimeFactor * (performance.now() - workedMs));
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#watch.undone();
      for (const write of waiting) write.fail(error);
      return;
    }
    for (const write of waiting.slice(0, done)) write.settle();
    this.#onCommit();
    this.#waiting = [...waiting.slice(done), ...this.#waiting];
  }

  /** Runs as many writes as the time allows, in one transaction; returns their number. */
  #runSome(waiting: readonly QueuedWrite[]): number {
    try {
      return this.#run(waiting, (write) => {
        const before = this.#watch.changes;
        if (this.#attempt(write) || this.#watch.changes === before) return;
        throw new PartialWriteError();
      });
    } catch (error) {
      if (!(error instanceof PartialWriteError)) throw error;
      this.#database.exec('ROLLBACK');
      this.#watch.undone();
    }
    return this.#run(waiting, (write) => {
      this.#database.exec('SAVEPOINT one');
      if (this.#attempt(write)) this.#database.exec('RELEASE one');
      else {
        this.#database.exec('ROLLBACK TO one; RELEASE one');
        this.#watch.undone();
      }
    });
  }

  /** Throws if a full or damaged file ended the whole transaction, including the earlier writes in it. */
  #attempt(write: QueuedWrite): boolean {
    if (write.attempt()) return true;
    if (!this.#database.isTransaction) throw write.reason();
    return false;
  }

  #run(waiting: readonly QueuedWrite[], attempt: (write: QueuedWrite) => void): number {
    const startedMs = performance.now();
    let done = 0;
    this.#database.exec('BEGIN IMMEDIATE');
    this.#watch.begun();
    for (const write of waiting) {
      attempt(write);
      done += 1;
      if (performance.now() - startedMs >= this.#budgetMs) break;
    }
    return done;
  }
}

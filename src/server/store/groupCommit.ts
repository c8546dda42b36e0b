import type { DatabaseSync } from 'node:sqlite';

interface Waiting {
  /** Whether it ran to its end; where not, its error is kept. */
  readonly attempt: () => boolean;
  readonly reason: () => unknown;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** What the writes share beside the database. */
export interface Watch {
  /** Another number after every statement that may have changed something. */
  readonly changes: number;
  /** A transaction has begun. */
  begun(): void;
  /** What was written in it, or some of it, was taken back. */
  undone(): void;
}

/** A write failed after it had changed something, and there was no savepoint before it. */
class Torn extends Error {}

/**
 * How long the writes of one commit may take together: at least this long, and longer where commits are slow. All of
 * them are answered at once, so that a long batch would leave clients and server waiting for each other in turn.
 */
const leastBatchMs = 2;
const commitsWorth = 16;

/**
 * One commit for all writes that are waiting: a commit costs a disk flush, so that sharing it is worth 6 to 20 times
 * the writes a second. Each write is answered only after the commit. A write that fails leaves nothing: nearly always
 * it has not changed anything yet; where it has, all of them are run again, each with a savepoint of its own.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #watch: Watch;
  readonly #onCommit: () => void;
  #waiting: Waiting[] = [];
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
      this.#budgetMs = Math.max(leastBatchMs, commitsWorth * (performance.now() - workedMs));
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

  /** As many as the time allows, inside a transaction; how many that were. */
  #runSome(waiting: readonly Waiting[]): number {
    try {
      return this.#run(waiting, (write) => {
        const before = this.#watch.changes;
        if (this.#attempt(write) || this.#watch.changes === before) return;
        throw new Torn();
      });
    } catch (error) {
      if (!(error instanceof Torn)) throw error;
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

  /** A full or damaged file ends the whole transaction by itself, with all that came before in it. */
  #attempt(write: Waiting): boolean {
    if (write.attempt()) return true;
    if (!this.#database.isTransaction) throw write.reason();
    return false;
  }

  #run(waiting: readonly Waiting[], attempt: (write: Waiting) => void): number {
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

import type { DatabaseSync } from 'node:sqlite';

interface Waiting {
  readonly attempt: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * How long the writes of one commit may take together: at least this long, and longer where commits are slow. All of
 * them are answered at once, so that a long batch would leave clients and server waiting for each other in turn.
 */
const leastBatchMs = 2;
const commitsWorth = 8;

/**
 * One commit for all writes that are waiting: a commit costs a disk flush, so that sharing it is worth 6 to 20 times
 * the writes a second. Each write has a savepoint of its own, and is answered only after the commit.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  #waiting: Waiting[] = [];
  #budgetMs = leastBatchMs;
  #scheduled: Promise<void> | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: { readonly done: true; readonly value: T } | { readonly done: false; readonly error: unknown };
      this.#waiting.push({
        attempt: () => {
          this.#database.exec('SAVEPOINT one');
          try {
            outcome = { done: true, value: work() };
            this.#database.exec('RELEASE one');
          } catch (error) {
            this.#database.exec('ROLLBACK TO one; RELEASE one');
            outcome = { done: false, error };
          }
        },
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
    const startedMs = performance.now();
    let done = 0;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of waiting) {
        write.attempt();
        done += 1;
        if (performance.now() - startedMs >= this.#budgetMs) break;
      }
      const workedMs = performance.now();
      this.#database.exec('COMMIT');
      this.#budgetMs = Math.max(leastBatchMs, commitsWorth * (performance.now() - workedMs));
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const write of waiting) write.fail(error);
      return;
    }
    for (const write of waiting.slice(0, done)) write.settle();
    this.#waiting = [...waiting.slice(done), ...this.#waiting];
  }
}

import type { DatabaseSync } from 'node:sqlite';

interface Waiting {
  readonly attempt: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * One commit for all writes that are waiting: a commit costs a disk flush, so that sharing it is worth 6 to 20 times
 * the writes a second. Each write has a savepoint of its own, and is answered only after the commit.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  #waiting: Waiting[] = [];
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
      this.#scheduled ??= new Promise((done) => {
        setImmediate(() => {
          this.#scheduled = undefined;
          this.#commit();
          done();
        });
      });
    });
  }

  async drained(): Promise<void> {
    while (this.#scheduled !== undefined) await this.#scheduled;
  }

  #commit(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of batch) write.attempt();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const write of batch) write.fail(error);
      return;
    }
    for (const write of batch) write.settle();
  }
}

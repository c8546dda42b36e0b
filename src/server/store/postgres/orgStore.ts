import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, Transaction } from '../row.ts';
import type { OrgState } from './orgState.ts';
import { readGroup } from './readGroup.ts';
import { PendingWork } from './runWorks.ts';
import { failureOf, isAbsence, isConflict } from './sql/failure.ts';
import type { Connection } from './sql/statement.ts';
import { type Progress, writeGroup } from './writeGroup.ts';

type Group = (connection: Connection, works: readonly PendingWork[], progress: Progress) => Promise<void>;

const largestGroup = 64;
const mostTries = 6;
const patienceMs = 3_000;
const firstPauseMs = 4;

/** The store of one org: works that arrive during a transaction share the next one. */
export function orgStore(state: OrgState): Store & { drained(): Promise<void> } {
  const read: Group = (connection, works) => readGroup(connection, state, works);
  const reads = new Groups(state, { mostAtOnce: 4, largestGroup }, read);
  // A read is answered together with its group, so scans are not in the groups of other reads. They run one at a time:
  // the rows of two would be made in the same turn of the event loop.
  const scans = new Groups(state, { mostAtOnce: 1, largestGroup: 1 }, read);
  const writes = new Groups(state, { mostAtOnce: 1, largestGroup }, (connection, works, progress) =>
    writeGroup(connection, state, works, progress),
  );
  return {
    read: (work, of) => (of === 'scan' ? scans : reads).add(work),
    write: (work) => writes.add(work),
    async drained() {
      await Promise.all([reads.drained(), scans.drained(), writes.drained()]);
    },
  };
}

interface Bounds {
  /** Groups under way. */
  readonly mostAtOnce: number;
  /** Works that one transaction takes. */
  readonly largestGroup: number;
}

class Groups {
  readonly #state: OrgState;
  readonly #bounds: Bounds;
  readonly #group: Group;
  #waiting: PendingWork[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(state: OrgState, bounds: Bounds, group: Group) {
    this.#state = state;
    this.#bounds = bounds;
    this.#group = group;
  }

  add<T>(work: (tx: Transaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(PendingWork.of(work, resolve, reject));
      // After this turn of the event loop, so that works of the same turn share the transaction.
      if (this.#waiting.length === 1) setImmediate(() => this.#start());
    });
  }

  async drained(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      await Promise.all(this.#running);
      await sleep(0);
    }
  }

  #start(): void {
    const { mostAtOnce, largestGroup } = this.#bounds;
    while (this.#waiting.length > 0 && this.#running.size < mostAtOnce) {
      const works = this.#waiting.splice(0, largestGroup);
      const run = this.#finish(works).finally(() => {
        this.#running.delete(run);
        this.#start();
      });
      this.#running.add(run);
    }
  }

  async #finish(works: readonly PendingWork[]): Promise<void> {
    try {
      await this.#untilDone(works);
      for (const work of works) work.settle();
    } catch (error) {
      // A value that the database cannot store must fail only its own write.
      if (works.length > 1 && !isAbsence(error)) for (const work of works) await this.#finish([work]);
      else for (const work of works) work.fail(failureOf(error));
    }
  }

  /** Retries after a conflict, and after a connection error before the commit was sent. */
  async #untilDone(works: readonly PendingWork[]): Promise<void> {
    const startedMs = performance.now();
    for (let tries = 1; ; tries += 1) {
      const progress: Progress = { commitSent: false };
      for (const work of works) work.outcome = 'none';
      try {
        await this.#state.surroundings.connections.with((connection) => this.#group(connection, works, progress));
        return;
      } catch (error) {
        const harmless = isConflict(error) || (isAbsence(error) && !progress.commitSent);
        if (!harmless || tries >= mostTries || performance.now() - startedMs > patienceMs) throw error;
      }
      await sleep(firstPauseMs * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

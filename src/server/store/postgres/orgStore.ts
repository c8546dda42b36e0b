import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Store, Transaction } from '../model/row.ts';
import { numberOf } from '../model/storedText.ts';
import { together } from './connections.ts';
import { failureOf, isAbsence, isConflict } from './failure.ts';
import { fetchWanted } from './fetchWanted.ts';
import { KnownReads, type Wanted } from './knownReads.ts';
import type { OrgState } from './orgState.ts';
import { Overlay } from './overlay.ts';
import { PendingWork, runWorks } from './runWorks.ts';
import { type Connection, type Result, send } from './statements.ts';
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

/** Other requests get their turn after works that together take this long. */
const sliceMs = 5;

const generationOfOrg = 'SELECT generation FROM orgs WHERE name = $1';

/**
 * Reads that arrived together, on one state of the org. Most are answered from the cache after a check of the
 * generation; the rest is read in one snapshot.
 */
export async function readGroup(connection: Connection, state: OrgState, works: readonly PendingWork[]): Promise<void> {
  const { org, surroundings } = state;
  const current = await send(connection, { text: generationOfOrg, values: [org] });
  const foreign = new KnownReads(0);
  const known = state.knownOf(generationIn(current));
  const wanted = await runReads({ org, known, foreign, now: surroundings.now }, works);
  if (wanted.length === 0) return;

  const [, seen] = await together([
    connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }),
    send(connection, { text: generationOfOrg, values: [org] }),
  ]);
  const generation = generationIn(seen);
  let replay = { org, known: state.knownOf(generation), foreign, now: surroundings.now };
  // The wanted reads are still valid in a new snapshot; the outcomes so far may not be.
  if (replay.known !== known) for (const work of works) work.outcome = 'none';
  for (let missing = wanted; missing.length > 0; missing = await runReads(replay, works)) {
    const storeAnswers = await fetchWanted(connection, org, missing, state.readRow);
    // A commit of this server has updated the cache; this snapshot, and its answers, belong to the earlier generation.
    if (replay.known.generation !== generation) {
      replay = { ...replay, known: new KnownReads(generation) };
      for (const work of works) work.outcome = 'none';
    }
    storeAnswers(replay);
  }
  await connection.query({ text: 'COMMIT' });
}

/** One after the other, in slices, as many long ones may have come together. */
async function runReads(
  replay: Parameters<typeof runWorks>[0],
  works: readonly PendingWork[],
): Promise<ReturnType<typeof runWorks>> {
  const wanted: Wanted[] = [];
  let startedMs = performance.now();
  for (const work of works) {
    const overlay = new Overlay(0);
    wanted.push(...runWorks(replay, overlay, [work]));
    if (!overlay.isEmpty) throw new Error('a read has written');
    if (performance.now() - startedMs < sliceMs) continue;
    await turn();
    startedMs = performance.now();
  }
  return wanted;
}

function generationIn(result: Result | undefined): number {
  const row = result?.rows[0];
  return row === undefined ? 0 : numberOf(row['generation']);
}

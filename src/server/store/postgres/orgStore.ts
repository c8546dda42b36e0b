import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { sliceMs } from '../../core/slices.ts';
import { ReplayedInputs, withReplayedInputs } from '../model/replayedInputs.ts';
import { type Due, noLimit, type Row, rowKey, type Store, type Transaction } from '../model/row.ts';
import { RowMemo } from '../model/rowMemo.ts';
import { type Columns, numberOf } from '../model/stored.ts';
import { awaitAll, type Connections } from './connections.ts';
import { failureOf, isConflict, isUnavailable } from './failure.ts';
import { fetchWanted } from './fetchWanted.ts';
import { type CachedRead, KnownReads, type Wanted } from './knownReads.ts';
import { isEntrySelected, type JournalOverlay, Overlay, type RowOverlay } from './overlay.ts';
import { type Connection, type Result, type Statement, send } from './statements.ts';
import { type Replay, ReplayTransaction } from './transaction.ts';
import { writeStatements } from './writeStatements.ts';

type RunGroup = (connection: Connection, works: readonly PendingWork[], progress: Progress) => Promise<void>;

const maxGroupSize = 64;
const maxTries = 6;
const maxRetryMs = 3_000;
const firstPauseMs = 4;

/** The store of one org: all works that arrive during a transaction share the next one. */
export function orgStore(state: OrgState): Store & { drained(): Promise<void> } {
  const read: RunGroup = (connection, works) => readGroup(connection, state, works);
  const reads = new WorkGroups(state, { maxConcurrent: 4, maxGroupSize }, read);
  // A read is answered together with its group, so scans have no group. They run one at a time, because otherwise the
  // rows of two would be made in the same turn of the event loop.
  const scans = new WorkGroups(state, { maxConcurrent: 1, maxGroupSize: 1 }, read);
  const writes = new WorkGroups(state, { maxConcurrent: 1, maxGroupSize }, (connection, works, progress) =>
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

interface GroupLimits {
  /** The maximum number of concurrent groups. */
  readonly maxConcurrent: number;
  /** The maximum number of works in one transaction. */
  readonly maxGroupSize: number;
}

class WorkGroups {
  readonly #state: OrgState;
  readonly #bounds: GroupLimits;
  readonly #group: RunGroup;
  #waiting: PendingWork[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(state: OrgState, bounds: GroupLimits, group: RunGroup) {
    this.#state = state;
    this.#bounds = bounds;
    this.#group = group;
  }

  add<T>(work: (tx: Transaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(PendingWork.of(work, resolve, reject));
      // Starts after this turn of the event loop, so that works of the same turn share the transaction.
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
    const { maxConcurrent, maxGroupSize } = this.#bounds;
    while (this.#waiting.length > 0 && this.#running.size < maxConcurrent) {
      const works = this.#waiting.splice(0, maxGroupSize);
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
      if (works.length > 1 && !isUnavailable(error)) for (const work of works) await this.#finish([work]);
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
        await this.#state.services.connections.with((connection) => this.#group(connection, works, progress));
        return;
      } catch (error) {
        const isRetryable = isConflict(error) || (isUnavailable(error) && !progress.commitSent);
        if (!isRetryable || tries >= maxTries || performance.now() - startedMs > maxRetryMs) throw error;
      }
      await sleep(firstPauseMs * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

const generationOfOrg = 'SELECT generation FROM orgs WHERE name = $1';

/**
 * Runs reads that arrived together on one state of the org. Most are answered from the cache after a check of the
 * generation; the others are read in one snapshot.
 */
export async function readGroup(connection: Connection, state: OrgState, works: readonly PendingWork[]): Promise<void> {
  const { org, services } = state;
  const current = await send(connection, { text: generationOfOrg, values: [org] });
  const foreign = new KnownReads(0);
  const known = state.cacheOf(generationIn(current));
  const wanted = await runReads({ org, known, foreign, now: services.now }, works);
  if (wanted.length === 0) return;

  const [, seen] = await awaitAll([
    connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }),
    send(connection, { text: generationOfOrg, values: [org] }),
  ]);
  const generation = generationIn(seen);
  let replay = { org, known: state.cacheOf(generation), foreign, now: services.now };
  // The requested reads are still valid in a new snapshot; the outcomes may not be.
  if (replay.known !== known) for (const work of works) work.outcome = 'none';
  for (let missing = wanted; missing.length > 0; missing = await runReads(replay, works)) {
    const storeAnswers = await fetchWanted(connection, org, missing, state.readRow);
    // A commit of this server has updated the cache, but this snapshot and its results are of the earlier generation.
    if (replay.known.generation !== generation) {
      replay = { ...replay, known: new KnownReads(generation) };
      for (const work of works) work.outcome = 'none';
    }
    storeAnswers(replay);
  }
  await connection.query({ text: 'COMMIT' });
}

/** Runs the reads one after the other in slices, because several long ones may have arrived together. */
async function runReads(replay: Replay, works: readonly PendingWork[]): Promise<readonly Wanted[]> {
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

/** The progress of a transaction, which cannot be committed before the commit is sent. */
interface Progress {
  commitSent: boolean;
}

/**
 * Runs writes that arrived together in one transaction with one commit. The org's row in `orgs` is a lock for its
 * writers on all servers. As in SQLite there is one writer at a time: no write conflicts, and each statement sees
 * everything committed before the lock was acquired (READ COMMITTED).
 */
async function writeGroup(
  connection: Connection,
  state: OrgState,
  works: readonly PendingWork[],
  progress: Progress,
): Promise<void> {
  const { org, services } = state;
  const { generation, lastSeq } = await lockOrg(connection, org);
  const known = state.cacheOf(generation);
  const replay = { org, known, foreign: new KnownReads(0), now: services.now };
  const overlay = new Overlay(lastSeq);
  for (let wanted = runWorks(replay, overlay, works); wanted.length > 0; wanted = runWorks(replay, overlay, works)) {
    const foreign = wanted.some((one) => one.of === 'elsewhere') ? [lockForeign(connection, services.schema)] : [];
    const fetched = fetchWanted(connection, org, wanted, state.readRow);
    await awaitAll([...foreign, fetched]);
    (await fetched)(replay);
  }
  if (overlay.isEmpty) {
    await connection.query({ text: 'ROLLBACK' });
    return;
  }
  const due = [...overlay.journal.scheduled.values()].filter((one) => one !== undefined);
  if (due.length > 0) await services.beforeScheduling(connection, org, due);

  progress.commitSent = true;
  const advanced = send(connection, advanceGeneration(org, overlay.lastSeq));
  const results = await awaitAll([
    advanced,
    ...writeStatements(org, overlay, services.now()).map((statement) => send(connection, statement)),
    connection.query({ text: 'COMMIT' }),
  ]);
  if (results.at(-1)?.command !== 'COMMIT') throw new Error('the commit was answered with a rollback');
  const next = numberOf((await advanced).rows[0]?.['generation']);
  // Another server may have committed before this server received the response to its own commit.
  if (known.generation === generation) updateCache(known, overlay, next);
  if (due.length > 0) services.afterScheduling(Math.min(...due.map(({ atMs }) => atMs)));
}

function advanceGeneration(org: string, lastSeq: number): Statement {
  const text =
    "UPDATE orgs SET last_seq = $2, generation = nextval('generations') WHERE name = $1 RETURNING generation";
  return { text, values: [org, lastSeq] };
}

const lock: string = 'SELECT generation, last_seq FROM orgs WHERE name = $1 FOR UPDATE';

/** Locks the org until the end of the transaction, and returns its state. */
async function lockOrg(
  connection: Connection,
  org: string,
): Promise<{ readonly generation: number; readonly lastSeq: number }> {
  const [, locked] = await awaitAll([
    connection.query({ text: 'BEGIN' }),
    send(connection, { text: lock, values: [org] }),
  ]);
  let row = locked?.rows[0];
  if (row === undefined) {
    const [, made] = await awaitAll([
      send(connection, { text: 'INSERT INTO orgs (name) VALUES ($1) ON CONFLICT DO NOTHING', values: [org] }),
      send(connection, { text: lock, values: [org] }),
    ]);
    row = made?.rows[0];
  }
  return { generation: numberOf(row?.['generation']), lastSeq: numberOf(row?.['last_seq']) };
}

/** Serializes transactions that read other orgs, so that two orgs cannot take the same name simultaneously. */
function lockForeign(connection: Connection, schema: string): Promise<unknown> {
  return send(connection, { text: 'SELECT pg_advisory_xact_lock(hashtext($1))', values: [`${schema} elsewhere`] });
}

/** Longer lists are read again instead of updated at each commit. */
const maxCachedList = 200;

/** Updates the cached reads to the state after a commit, or drops those that are hard to update. */
function updateCache(known: KnownReads, overlay: Overlay, generation: number): void {
  known.generation = generation;
  updateCachedRows(known, overlay.rows);
  updateCachedLists(known, overlay.rows);
  for (const [kind, { wanted, answer }] of known.tables.count) {
    known.tables.count.set(kind, { wanted, answer: answer + overlay.rows.countChange(wanted.kind) });
  }
  updateCachedReferrers(known, overlay.rows);
  updateCachedLeaving(known, overlay.rows);
  updateCachedJournals(known, overlay.journal);
}

function updateCachedRows(known: KnownReads, overlay: RowOverlay): void {
  const { row: rows, uid: uids } = known.tables;
  for (const [place, { wanted }] of rows) {
    const seq = overlay.seqAt(place);
    if (seq !== undefined) rows.set(place, { wanted, answer: overlay.written.get(seq)?.row });
  }
  for (const [key, { answer, wanted }] of uids) {
    if (overlay.isUidWritten(wanted.uid) || (answer !== undefined && overlay.written.has(answer.seq))) uids.delete(key);
  }
}

function updateCachedLists(known: KnownReads, overlay: RowOverlay): void {
  const kinds = new Set([...overlay.written.values()].map((written) => written?.kind));
  const lists = known.tables.rows;
  for (const [key, { wanted, answer }] of lists) {
    if (!kinds.has(wanted.selection.kind)) continue;
    const whole = answer.length < wanted.selection.limit;
    if (whole && answer.length <= maxCachedList) {
      lists.set(key, { wanted, answer: overlay.select({ ...wanted.selection, limit: noLimit }, answer) });
    } else lists.delete(key);
  }
}

function updateCachedReferrers(known: KnownReads, overlay: RowOverlay): void {
  const places = new Set<string>();
  for (const written of overlay.written.values()) {
    for (const target of written?.targets ?? []) places.add(rowKey(target));
  }
  const { referrers: lists, referrerRefs: refs } = known.tables;
  for (const [key, { wanted, answer }] of lists) {
    const touched = places.has(rowKey(wanted.target)) || answer.some(({ seq }) => overlay.written.has(seq));
    if (!touched) continue;
    if (answer.length > maxCachedList || answer.length >= wanted.limit) lists.delete(key);
    else lists.set(key, { wanted, answer: overlay.referrers(wanted.target, wanted.kind, answer, (row) => row) });
  }
  for (const [key, { wanted, answer }] of refs) {
    if (places.has(rowKey(wanted.target)) || answer.some(({ seq }) => overlay.written.has(seq))) refs.delete(key);
  }
}

function updateCachedLeaving(known: KnownReads, { leaving }: RowOverlay): void {
  if ([...leaving.values()].some((one) => one !== undefined)) {
    known.tables.leaving.clear();
    return;
  }
  for (const [gvc, { wanted, answer }] of known.tables.leaving) {
    if (answer.size === 0) continue;
    const remaining = new Map([...answer].filter(([place]) => !leaving.has(place)));
    known.tables.leaving.set(gvc, { wanted, answer: remaining });
  }
}

function updateCachedJournals(known: KnownReads, overlay: JournalOverlay): void {
  for (const [key, value] of overlay.facts) {
    if (value !== undefined) known.keep({ of: 'fact', key }, value);
  }
  if (overlay.scheduled.size > 0) updateCachedDue(known, overlay);
  for (const [key, entries] of known.tables.entries) {
    if (affects(overlay, entries)) known.tables.entries.delete(key);
  }
}

function updateCachedDue(known: KnownReads, overlay: JournalOverlay): void {
  for (const [key, { wanted, answer }] of known.tables.due) {
    if (answer.length >= wanted.limit) known.tables.due.delete(key);
    else known.tables.due.set(key, { wanted, answer: overlay.due(Number.POSITIVE_INFINITY, noLimit, answer) });
  }
}

function affects(overlay: JournalOverlay, { wanted, answer }: CachedRead<'entries'>): boolean {
  const { journal } = wanted.selection;
  if (overlay.droppedOwners(journal).length > 0) return true;
  if (answer.some(({ seq }) => overlay.changed.has(seq))) return true;
  const written = [...overlay.added.values(), ...overlay.changed.values()];
  return written.some((entry) => entry !== undefined && isEntrySelected(entry, wanted.selection));
}

/** Work that waits for its transaction, and the outcome of its last complete run. */
export class PendingWork {
  readonly run: (tx: Transaction) => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
  readonly inputs = new ReplayedInputs();
  /** Set by a run without missing reads; the promise settles after the commit. */
  outcome: 'failed' | 'none' | 'worked' = 'none';
  runs = 0;

  private constructor(run: (tx: Transaction) => void, settle: () => void, fail: (error: unknown) => void) {
    this.run = run;
    this.settle = settle;
    this.fail = fail;
  }

  static of<T>(
    work: (tx: Transaction) => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): PendingWork {
    let settle = (): void => reject(new Error('the work was not run'));
    const pending = new PendingWork(
      (tx) => {
        try {
          const value = work(tx);
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error);
          throw error;
        }
      },
      () => settle(),
      reject,
    );
    return pending;
  }
}

/** Work with dependent reads needs a run for each; beyond this number it would never end. */
const maxRuns = 5_000;

/**
 * Runs the works one after the other on cached reads. Each sees the writes of earlier ones; a throw undoes its own.
 * Returns the missing reads: if there are any, they must be fetched, and the works must run again from the first with a
 * missing read. The works after that one run only to discover their own missing reads.
 */
function runWorks(replay: Replay, overlay: Overlay, works: readonly PendingWork[]): readonly Wanted[] {
  const wanted: Wanted[] = [];
  for (const work of works) {
    if (work.outcome !== 'none') continue;
    work.runs += 1;
    if (work.runs > maxRuns) throw new Error('a work asks for something else each time it is run');
    const tx = new ReplayTransaction(replay, overlay);
    const isIncomplete = () => tx.unread.length > 0;
    let outcome: PendingWork['outcome'] = 'worked';
    try {
      overlay.attempt(
        () => withReplayedInputs(work.inputs, () => work.run(tx)),
        () => !isIncomplete() && wanted.length === 0,
      );
    } catch {
      outcome = 'failed';
    }
    if (isIncomplete()) wanted.push(...tx.unread);
    else if (wanted.length === 0) work.outcome = outcome;
  }
  return wanted;
}

/** The services of the database for each of its orgs. */
export interface StoreServices {
  readonly connections: Pick<Connections, 'with'>;
  readonly schema: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called in the transaction that schedules work, before the commit. */
  readonly beforeScheduling: (connection: Connection, org: string, due: readonly Due[]) => Promise<void>;
  /** Called after the commit. */
  readonly afterScheduling: (atMs: number) => void;
}

/** The maximum number of cached rows, entries and scheduled jobs; beyond it the cache is dropped. */
const maxCachedItems = 20_000;

/**
 * The cache of this server for one org. It is used only while the org's generation shows that no other server has
 * written, so that servers need not coordinate.
 */
export class OrgState {
  readonly org: string;
  readonly services: StoreServices;
  #known = new KnownReads(0);
  readonly #rows = new RowMemo(() => 0);

  constructor(org: string, services: StoreServices) {
    this.org = org;
    this.services = services;
  }

  /** Returns the same object for an unchanged row, which keeps caches by object valid. */
  readonly readRow = (columns: Columns): Row => this.#rows.read(columns);

  /** The cache for a transaction that sees the org in this generation. */
  cacheOf(generation: number): KnownReads {
    if (this.#known.generation === generation && this.#known.size <= maxCachedItems) return this.#known;
    const known = new KnownReads(generation);
    if (generation >= this.#known.generation) this.#known = known;
    return known;
  }
}

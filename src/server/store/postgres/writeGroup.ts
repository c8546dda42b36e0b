import { noLimit } from '../model/row.ts';
import { rowKey } from '../model/rowKey.ts';
import { numberOf } from '../model/storedText.ts';
import { together } from './connections.ts';
import { fetchWanted } from './fetchWanted.ts';
import { isEntrySelected, type JournalOverlay } from './journalOverlay.ts';
import { type Known, KnownReads } from './knownReads.ts';
import type { OrgState } from './orgState.ts';
import { Overlay } from './overlay.ts';
import type { RowOverlay } from './rowOverlay.ts';
import { type PendingWork, runWorks } from './runWorks.ts';
import { type Connection, type Statement, send } from './statements.ts';
import { writeStatements } from './writeStatements.ts';

/** The progress of a transaction: before the commit is sent, it certainly did not happen. */
export interface Progress {
  commitSent: boolean;
}

/**
 * Writes that arrived together: one transaction, one commit. The org's row in `orgs` is a lock for its writers on all
 * servers. As in SQLite there is one writer at a time: no write conflicts, and each statement sees what was committed
 * before the lock was acquired (READ COMMITTED).
 */
export async function writeGroup(
  connection: Connection,
  state: OrgState,
  works: readonly PendingWork[],
  progress: Progress,
): Promise<void> {
  const { org, surroundings } = state;
  const { generation, lastSeq } = await lockOrg(connection, org);
  const known = state.knownOf(generation);
  const replay = { org, known, foreign: new KnownReads(0), now: surroundings.now };
  const overlay = new Overlay(lastSeq);
  for (let wanted = runWorks(replay, overlay, works); wanted.length > 0; wanted = runWorks(replay, overlay, works)) {
    const foreign = wanted.some((one) => one.of === 'elsewhere') ? [lockForeign(connection, surroundings.schema)] : [];
    const fetched = fetchWanted(connection, org, wanted, state.readRow);
    await together([...foreign, fetched]);
    (await fetched)(replay);
  }
  if (overlay.isEmpty) {
    await connection.query({ text: 'ROLLBACK' });
    return;
  }
  const due = [...overlay.journal.scheduled.values()].filter((one) => one !== undefined);
  if (due.length > 0) await surroundings.beforeScheduling(connection, org, due);

  progress.commitSent = true;
  const moved = send(connection, moveOn(org, overlay.lastSeq));
  const results = await together([
    moved,
    ...writeStatements(org, overlay, surroundings.now()).map((statement) => send(connection, statement)),
    connection.query({ text: 'COMMIT' }),
  ]);
  if (results.at(-1)?.command !== 'COMMIT') throw new Error('the commit was answered with a rollback');
  const next = numberOf((await moved).rows[0]?.['generation']);
  // Another server may have committed before this server got the answer to its own commit.
  if (known.generation === generation) advance(known, overlay, next);
  if (due.length > 0) surroundings.afterScheduling(Math.min(...due.map(({ atMs }) => atMs)));
}

function moveOn(org: string, lastSeq: number): Statement {
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
  const [, locked] = await together([
    connection.query({ text: 'BEGIN' }),
    send(connection, { text: lock, values: [org] }),
  ]);
  let row = locked?.rows[0];
  if (row === undefined) {
    const [, made] = await together([
      send(connection, { text: 'INSERT INTO orgs (name) VALUES ($1) ON CONFLICT DO NOTHING', values: [org] }),
      send(connection, { text: lock, values: [org] }),
    ]);
    row = made?.rows[0];
  }
  return { generation: numberOf(row?.['generation']), lastSeq: numberOf(row?.['last_seq']) };
}

/** Serialises transactions that look into other orgs, so that two orgs cannot take the same name at once. */
function lockForeign(connection: Connection, schema: string): Promise<unknown> {
  return send(connection, { text: 'SELECT pg_advisory_xact_lock(hashtext($1))', values: [`${schema} elsewhere`] });
}

/** Longer lists are read again instead of being updated at each commit. */
const longestKeptList = 200;

/** Updates the cached reads to the state after a commit, or drops them if that is not simple. */
function advance(known: KnownReads, overlay: Overlay, generation: number): void {
  known.generation = generation;
  advanceRows(known, overlay.rows);
  advanceLists(known, overlay.rows);
  for (const [kind, { wanted, answer }] of known.tables.count) {
    known.tables.count.set(kind, { wanted, answer: answer + overlay.rows.moreOf(wanted.kind) });
  }
  advanceReferrers(known, overlay.rows);
  advanceLeaving(known, overlay.rows);
  advanceJournals(known, overlay.journal);
}

function advanceRows(known: KnownReads, overlay: RowOverlay): void {
  const { row: rows, uid: uids } = known.tables;
  for (const [place, { wanted }] of rows) {
    const seq = overlay.seqAt(place);
    if (seq !== undefined) rows.set(place, { wanted, answer: overlay.written.get(seq)?.row });
  }
  for (const [key, { answer, wanted }] of uids) {
    if (overlay.isUidWritten(wanted.uid) || (answer !== undefined && overlay.written.has(answer.seq))) uids.delete(key);
  }
}

function advanceLists(known: KnownReads, overlay: RowOverlay): void {
  const kinds = new Set([...overlay.written.values()].map((written) => written?.kind));
  const lists = known.tables.rows;
  for (const [key, { wanted, answer }] of lists) {
    if (!kinds.has(wanted.selection.kind)) continue;
    const whole = answer.length < wanted.selection.limit;
    if (whole && answer.length <= longestKeptList) {
      lists.set(key, { wanted, answer: overlay.select({ ...wanted.selection, limit: noLimit }, answer) });
    } else lists.delete(key);
  }
}

function advanceReferrers(known: KnownReads, overlay: RowOverlay): void {
  const places = new Set<string>();
  for (const written of overlay.written.values()) {
    for (const target of written?.targets ?? []) places.add(rowKey(target));
  }
  const { referrers: lists, referrerRefs: refs } = known.tables;
  for (const [key, { wanted, answer }] of lists) {
    const touched = places.has(rowKey(wanted.target)) || answer.some(({ seq }) => overlay.written.has(seq));
    if (!touched) continue;
    if (answer.length > longestKeptList || answer.length >= wanted.limit) lists.delete(key);
    else lists.set(key, { wanted, answer: overlay.referrers(wanted.target, wanted.kind, answer, (row) => row) });
  }
  for (const [key, { wanted, answer }] of refs) {
    if (places.has(rowKey(wanted.target)) || answer.some(({ seq }) => overlay.written.has(seq))) refs.delete(key);
  }
}

function advanceLeaving(known: KnownReads, { left }: RowOverlay): void {
  if ([...left.values()].some((one) => one !== undefined)) {
    known.tables.leaving.clear();
    return;
  }
  for (const [gvc, { wanted, answer }] of known.tables.leaving) {
    if (answer.size === 0) continue;
    const remaining = new Map([...answer].filter(([place]) => !left.has(place)));
    known.tables.leaving.set(gvc, { wanted, answer: remaining });
  }
}

function advanceJournals(known: KnownReads, overlay: JournalOverlay): void {
  for (const [key, value] of overlay.facts) {
    if (value !== undefined) known.keep({ of: 'fact', key }, value);
  }
  if (overlay.scheduled.size > 0) advanceDue(known, overlay);
  for (const [key, entries] of known.tables.entries) {
    if (touches(overlay, entries)) known.tables.entries.delete(key);
  }
}

function advanceDue(known: KnownReads, overlay: JournalOverlay): void {
  for (const [key, { wanted, answer }] of known.tables.due) {
    if (answer.length >= wanted.limit) known.tables.due.delete(key);
    else known.tables.due.set(key, { wanted, answer: overlay.due(Number.POSITIVE_INFINITY, noLimit, answer) });
  }
}

function touches(overlay: JournalOverlay, { wanted, answer }: Known<'entries'>): boolean {
  const { journal } = wanted.selection;
  if (overlay.droppedOwners(journal).length > 0) return true;
  if (answer.some(({ seq }) => overlay.changed.has(seq))) return true;
  const written = [...overlay.added.values(), ...overlay.changed.values()];
  return written.some((entry) => entry !== undefined && isEntrySelected(entry, wanted.selection));
}

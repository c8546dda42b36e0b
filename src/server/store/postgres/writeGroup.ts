import { numberOf } from '../storedText.ts';
import { advance } from './advance.ts';
import { fetchWanted } from './fetchWanted.ts';
import type { OrgState } from './orgState.ts';
import { KnownReads } from './overlay/knownReads.ts';
import { Overlay } from './overlay/overlay.ts';
import { type PendingWork, runWorks } from './runWorks.ts';
import { together } from './sql/connections.ts';
import { type Connection, type Statement, send } from './sql/statement.ts';
import { writeStatements } from './sql/writeStatements.ts';

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

import { setImmediate } from 'node:timers/promises';
import { numberOf } from '../storedText.ts';
import { fetchWanted } from './fetchWanted.ts';
import type { OrgState } from './orgState.ts';
import { KnownReads, type Wanted } from './overlay/knownReads.ts';
import { Overlay } from './overlay/overlay.ts';
import { type PendingWork, runWorks } from './runWorks.ts';
import { together } from './sql/connections.ts';
import { type Connection, type Result, send } from './sql/statement.ts';

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
    await setImmediate();
    startedMs = performance.now();
  }
  return wanted;
}

function generationIn(result: Result | undefined): number {
  const row = result?.rows[0];
  return row === undefined ? 0 : numberOf(row['generation']);
}

import { together } from './connections.ts';
import type { KnownReads, Wanted, WantedOf } from './knownReads.ts';
import { answers, readStatement } from './readStatements.ts';
import type { Replay } from './replayTransaction.ts';
import { type Connection, type Result, send } from './statement.ts';

/** Reads all of it in one round trip. */
export async function fetchWanted(connection: Connection, replay: Replay, wanted: readonly Wanted[]): Promise<void> {
  const { org, known, foreign } = replay;
  const results = await together(wanted.map((one) => send(connection, readStatement(org, one))));
  for (const [index, result] of results.entries()) {
    const one = wanted[index];
    if (one !== undefined) keep(one.of === 'elsewhere' ? foreign : known, one.of, one, result);
  }
}

function keep<W extends Wanted['of']>(known: KnownReads, _of: W, wanted: WantedOf<W>, { rows }: Result): void {
  known.keep<W>(wanted, answers[wanted.of](rows));
}

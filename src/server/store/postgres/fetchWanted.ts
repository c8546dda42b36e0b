import { together } from './connections.ts';
import { type KnownReads, keyOf, limitOf, type Wanted, type WantedOf } from './knownReads.ts';
import { answers, type ReadRow, readStatement } from './readStatements.ts';
import { type Connection, type Result, send } from './statements.ts';
import type { Replay } from './transaction.ts';

/** Adds fetched answers to the cached reads. */
export type Keep = (replay: Pick<Replay, 'foreign' | 'known'>) => void;

/** Fetches everything in one round trip. Reads that several works want are sent once. */
export async function fetchWanted(
  connection: Connection,
  org: string,
  wanted: readonly Wanted[],
  readRow: ReadRow,
): Promise<Keep> {
  const distinct = new Map<string, Wanted>();
  for (const one of wanted) {
    const key = `${one.of} ${keyOf(one)}`;
    const other = distinct.get(key);
    if (other === undefined || limitOf(other) < limitOf(one)) distinct.set(key, one);
  }
  const all = [...distinct.values()];
  const results = await together(all.map((one) => send(connection, readStatement(org, one))));
  function keep<W extends Wanted['of']>(known: KnownReads, _of: W, wanted: WantedOf<W>, { rows }: Result): void {
    known.keep<W>(wanted, answers[wanted.of](rows, readRow));
  }
  return ({ foreign, known }) => {
    for (const [index, result] of results.entries()) {
      const one = all[index];
      if (one !== undefined) keep(one.of === 'elsewhere' ? foreign : known, one.of, one, result);
    }
  };
}

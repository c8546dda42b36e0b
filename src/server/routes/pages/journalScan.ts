import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, type Slices } from '../../core/slices.ts';
import type { Entry, EntrySelection } from '../../store/row.ts';

const largestBatch = 200;

/** The entries of a journal, newest first, read in slices. `first`: the size of the first batch. */
export async function* scanJournal(
  call: Call,
  slices: Slices,
  { before: from, ...selection }: Omit<EntrySelection, 'limit'>,
  first: number,
): AsyncGenerator<Entry> {
  let before = from;
  for (let limit = Math.min(first, largestBatch); ; ) {
    await slices.rest();
    const asked = { ...selection, ...(before === undefined ? {} : { before }), limit };
    const look = ({ tx }: Session) => {
      const startedMs = performance.now();
      const entries = tx.entries(asked);
      return { batch: entries, tookMs: performance.now() - startedMs };
    };
    const { batch, tookMs } = await readIn(call, look, before === from ? undefined : 'scan');
    const size = limit;
    limit = nextBatch(size, tookMs, largestBatch);
    for (const entry of batch) {
      if (slices.isOver) await slices.next();
      yield entry;
    }
    if (batch.length < size) return;
    before = batch.at(-1);
  }
}

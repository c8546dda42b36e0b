import type { Entry, EntrySelection } from '../store/row.ts';
import { type Call, readIn } from './session.ts';
import { nextBatch, Slices } from './turns.ts';

const largestBatch = 800;

/** The entries of a journal, newest first, read in slices as the records of a query are, the first of so many. */
export async function* scanEntries(
  call: Call,
  selection: Omit<EntrySelection, 'before' | 'limit'>,
  first: number,
  from?: EntrySelection['before'],
): AsyncGenerator<Entry> {
  const slices = new Slices();
  let before = from;
  for (let limit = Math.min(first, largestBatch); ; ) {
    await slices.rest();
    const asked = { ...selection, ...(before === undefined ? {} : { before }), limit };
    const startedMs = slices.tookMs;
    const batch = await readIn(call, ({ tx }) => tx.entries(asked));
    const size = limit;
    limit = nextBatch(size, slices.tookMs - startedMs, largestBatch);
    for (const entry of batch) {
      if (slices.isOver) await slices.next();
      yield entry;
    }
    if (batch.length < size) return;
    before = batch.at(-1);
  }
}

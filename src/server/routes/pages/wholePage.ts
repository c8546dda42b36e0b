import type { Kind } from '../../../schema/record/kinds.ts';
import { mayView, viewsAll } from '../../access/permissions.ts';
import { requireParent } from '../../core/findRow.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, Slices, sliceMs } from '../../core/slices.ts';
import { Presenter } from '../../presenter/presenter.ts';
import type { Row, Selection } from '../../store/row.ts';
import { cursorAfter, positionIn } from './pagePosition.ts';
import { type Page, pageLimit } from './paging.ts';

/** Showing this many records from the cache takes less than a slice, and without it hardly more. */
const firstBatch = 100;
const largestBatch = 500;

interface Batch {
  readonly texts: readonly string[];
  /** The record of the last text. */
  readonly last: Row | undefined;
  readonly isFull: boolean;
  /** The position of the next batch; undefined: there are no more records. */
  readonly end: Row | undefined;
  readonly tookMs: number;
}

/**
 * A page of all records that the caller may see, as texts. They are read and shown in slices, each a transaction of its
 * own, so that a large page blocks nobody.
 */
export async function wholePage(
  call: Call,
  { kind, gvc }: { readonly kind: Kind; readonly gvc?: string | undefined },
): Promise<Page<string>> {
  const { query: parameters } = call.request;
  const base = gvc === undefined ? { kind } : { kind, gvc };
  const first = await readIn(call, (session) => {
    requireParent(session.tx, gvc);
    const after = positionIn(parameters);
    const from = after === undefined ? base : { ...base, after };
    return batchOf(session, { ...from, limit: firstBatch }, pageLimit(parameters));
  });
  const limit = pageLimit(parameters);
  const shown = [...first.texts];
  let { last, isFull } = first;
  if (!isFull && first.end !== undefined) {
    await Slices.ofCall(call, async (slices) => {
      let size = firstBatch;
      for (let batch = first; !batch.isFull && batch.end !== undefined; ) {
        size = nextBatch(size, batch.tookMs, largestBatch);
        await slices.rest();
        const next = { ...base, after: batch.end, limit: size };
        const missing = limit - shown.length;
        batch = await readIn(call, (session) => batchOf(session, next, missing));
        for (const text of batch.texts) shown.push(text);
        last = batch.last ?? last;
        isFull = batch.isFull;
      }
    });
  }
  return { shown, following: isFull && last !== undefined ? cursorAfter(last) : undefined, limit };
}

/** `missing`: the free space of the page. One more record shows that another page follows. */
function batchOf(session: Session, selection: Selection, missing: number): Batch {
  const { platform, tx } = session;
  const { kind, limit } = selection;
  const startedMs = performance.now();
  // If the caller may see only some records, small batches at the end of a page would find them one by one.
  const size = viewsAll(session, kind) ? Math.min(limit, missing + 1) : limit;
  const rows = tx.select({ ...selection, limit: size });
  const seen = rows.filter(mayView(session, kind));
  const fitting = seen.slice(0, missing);
  const presenter = new Presenter(platform, tx);
  const texts: string[] = [];
  for (const row of fitting) {
    texts.push(presenter.text(row));
    // A record with many referrers may take long; the rest is left to the next batch.
    if (performance.now() - startedMs >= sliceMs) break;
  }
  const last = fitting[texts.length - 1];
  const isCut = texts.length < fitting.length;
  return {
    texts,
    last,
    isFull: !isCut && seen.length > missing,
    end: isCut ? last : rows.length < size ? undefined : rows.at(-1),
    tookMs: performance.now() - startedMs,
  };
}

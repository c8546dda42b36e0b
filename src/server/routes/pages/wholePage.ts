import type { Kind } from '../../../schema/record/kinds.ts';
import { mayView, viewsAll } from '../../access/permissions.ts';
import { requireParent } from '../../core/findRow.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, Slices, sliceMs } from '../../core/slices.ts';
import { Presenter } from '../../presenter/presenter.ts';
import type { Row, Selection } from '../../store/row.ts';
import { cursorAfter, positionIn } from './pagePosition.ts';
import { type Page, pageLimit } from './paging.ts';

/** What is known of so many records takes less than a slice, and what has to be made hardly more. */
const firstBatch = 100;
const largestBatch = 500;

interface Batch {
  readonly texts: readonly string[];
  /** The last one of `texts`. */
  readonly last: Row | undefined;
  readonly isFull: boolean;
  /** Where the next batch begins; undefined: there are no more records. */
  readonly end: Row | undefined;
  readonly tookMs: number;
}

/**
 * A page of all that the caller may see, as texts. The records are read and shown in slices, each a transaction of its
 * own, so that a large page holds up nobody.
 */
export async function wholePage(
  call: Call,
  { kind, gvc }: { readonly kind: Kind; readonly gvc?: string | undefined },
): Promise<Page<string>> {
  const { query: parameters } = call.request;
  const base = gvc === undefined ? { kind } : { kind, gvc };
  const first = await readIn(call, (session) => {
    requireParent(session.tx, gvc, session.platform.org);
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

/** `missing`: how many the page still takes. One more says that another page follows. */
function batchOf(session: Session, selection: Selection, missing: number): Batch {
  const { platform, tx } = session;
  const { kind, limit } = selection;
  const startedMs = performance.now();
  // Where some are left out, the last ones would be looked for one by one.
  const size = viewsAll(session, kind) ? Math.min(limit, missing + 1) : limit;
  const rows = tx.select({ ...selection, limit: size });
  const seen = rows.filter(mayView(session, kind));
  const fitting = seen.slice(0, missing);
  const presenter = new Presenter(platform, tx);
  const texts: string[] = [];
  for (const row of fitting) {
    texts.push(presenter.text(row));
    // One that many others refer to may take long; the rest goes into the next batch.
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

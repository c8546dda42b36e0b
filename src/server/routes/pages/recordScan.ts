import type { Kind } from '../../../schema/record/kinds.ts';
import { mayView } from '../../access/permissions.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, type Slices, sliceMs } from '../../core/slices.ts';
import { Presenter } from '../../presenter/presenter.ts';
import type { Query } from '../../rules/query/query.ts';
import type { Candidate } from '../../rules/query/queryMatch.ts';
import { asksForStatus, matches } from '../../rules/query/queryMatch.ts';
import type { Cursor, Row, Selection } from '../../store/row.ts';

/** Which records to look at. */
export interface Scan {
  readonly selection: Omit<Selection, 'after' | 'limit'>;
  /** What may be shown to the caller: the rest is left out. */
  readonly viewable: (session: Session) => (row: Row) => boolean;
  /** Undefined: all of them. */
  readonly query: Query | undefined;
  /** How many are probably enough. */
  readonly first: number;
}

/** Everything of a kind that the caller may see. */
export function allOf(kind: Kind, gvc?: string): Scan {
  return {
    selection: gvc === undefined ? { kind } : { kind, gvc },
    viewable: (session) => mayView(session, kind),
    query: undefined,
    first: largestFirstBatch,
  };
}

export interface Found {
  readonly row: Row;
  readonly candidate: Candidate;
}

const largestFirstBatch = 100;
const largestBatch = 400;

/**
 * The records that a query asks for, by creation, then name. They are read and looked at in slices, each a transaction
 * of its own, so that a query over very many holds up nobody. What is written meanwhile is seen from where the scan
 * stands.
 */
export async function* scan(
  call: Call,
  slices: Slices,
  { selection, viewable, query, first }: Scan,
  from?: Cursor,
): AsyncGenerator<Found> {
  const withStatus = query !== undefined && asksForStatus(query);
  let after = from;
  let leastSelectMs = Number.POSITIVE_INFINITY;
  for (let limit = Math.min(first, largestFirstBatch); ; ) {
    await slices.rest();
    const position = after;
    const size = limit;
    const { found, last, selectMs, lookMs } = await readIn(call, (session) => {
      const startedMs = performance.now();
      const mayView = viewable(session);
      const presenter = new Presenter(session.platform, session.tx);
      const rows = session.tx.select({
        ...selection,
        ...(position === undefined ? {} : { after: position }),
        limit: size,
      });
      const selectedMs = performance.now();
      const found: Found[] = [];
      let last: Row | undefined;
      for (const row of rows) {
        if (mayView(row)) found.push({ row, candidate: presenter.candidate(row, withStatus) });
        last = row;
        // A status may take long; the rest goes into the next batch.
        if (performance.now() - selectedMs >= sliceMs) break;
      }
      const isLast = rows.length < size && last === rows.at(-1);
      const selectMs = selectedMs - startedMs;
      return { found, last: isLast ? undefined : last, selectMs, lookMs: performance.now() - selectedMs };
    });
    // To find where a batch begins takes as long for one record as for many: smaller batches would only add to it.
    leastSelectMs = Math.min(leastSelectMs, selectMs);
    limit = nextBatch(size, selectMs - leastSelectMs + lookMs, largestBatch);
    for (const one of found) {
      if (query === undefined || (await holds(one.candidate, query, slices))) yield one;
    }
    if (last === undefined) return;
    after = last;
  }
}

/** The same as `matches`, term by term: a thousand of them on one large record are long work too. */
async function holds(candidate: Candidate, { match, terms }: Query, slices: Slices): Promise<boolean> {
  const decisive = match === 'any';
  for (const term of terms) {
    if (slices.isOver) await slices.next();
    if (matches(candidate, { match: match === 'none' ? 'none' : 'all', terms: [term] }) === decisive) return decisive;
  }
  return !decisive || terms.length === 0;
}

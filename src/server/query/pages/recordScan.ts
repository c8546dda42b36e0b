import { present } from '../../../base/json/present.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { viewFilter } from '../../access/permissions.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, type Slices, sliceMs } from '../../core/slices.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import type { Cursor, Row, Selection } from '../../store/model/row.ts';
import type { Query } from '../decisions/query.ts';
import type { Candidate } from '../decisions/queryMatch.ts';
import { matches, needsStatus } from '../decisions/queryMatch.ts';

/** The records to scan. */
export interface Scan {
  readonly selection: Omit<Selection, 'after' | 'limit'>;
  /** Whether the caller may see a record; others are skipped. */
  readonly viewable: (session: Session) => (row: Row) => boolean;
  /** Undefined for all records. */
  readonly query: Query | undefined;
  /** The size of the first batch. */
  readonly first: number;
}

/** All records of a kind that the caller may see. */
export function allOf(kind: Kind, gvc?: string): Scan {
  return {
    selection: gvc === undefined ? { kind } : { kind, gvc },
    viewable: (session) => viewFilter(session, kind),
    query: undefined,
    first: largestFirstBatch,
  };
}

export interface ScannedRecord {
  readonly row: Row;
  readonly candidate: Candidate;
}

const largestFirstBatch = 100;
const largestBatch = 400;
/** The least size if finding the start of a batch takes a slice or more; the same part of it if it takes less. */
const leastSlowBatch = 50;

/**
 * The records that match a query, by creation, then name. They are read in slices, each in its own transaction, so that
 * a long query does not block other requests. Includes concurrent writes after the current position.
 */
export async function* scan(
  call: Call,
  slices: Slices,
  { selection, viewable, query, first }: Scan,
  from?: Cursor,
): AsyncGenerator<ScannedRecord> {
  const withStatus = query !== undefined && needsStatus(query);
  let after = from;
  let leastSelectMs = Number.POSITIVE_INFINITY;
  for (let limit = Math.min(first, largestFirstBatch); ; ) {
    await slices.rest();
    const position = after;
    const size = limit;
    const readBatch = (session: Session) => {
      const startedMs = performance.now();
      const mayView = viewable(session);
      const presenter = new Presenter(session.platform, session.tx);
      const rows = session.tx.select({
        ...selection,
        ...present({ after: position }),
        limit: size,
      });
      const selectedMs = performance.now();
      const found: ScannedRecord[] = [];
      let last: Row | undefined;
      for (const row of rows) {
        if (mayView(row)) found.push({ row, candidate: presenter.candidate(row, withStatus) });
        last = row;
        // Computing a status may take long, so the next batch continues.
        if (performance.now() - selectedMs >= sliceMs) break;
      }
      const isLast = rows.length < size && last === rows.at(-1);
      const selectMs = selectedMs - startedMs;
      return { found, last: isLast ? undefined : last, selectMs, lookMs: performance.now() - selectedMs };
    };
    // A page usually needs one batch. Later batches belong to a long scan and may wait for other reads.
    const { found, last, selectMs, lookMs } = await readIn(call, readBatch, after === from ? undefined : 'scan');
    // Finding the start of a batch takes the same time for any size, so it must not reduce the size.
    leastSelectMs = Math.min(leastSelectMs, selectMs);
    // On a busy machine that time varies by more than the records take, and would reduce the size to single records.
    const least = Math.ceil(leastSlowBatch * Math.min(1, leastSelectMs / sliceMs));
    limit = Math.max(least, nextBatch(size, selectMs - leastSelectMs + lookMs, largestBatch));
    for (const one of found) {
      if (query === undefined || (await matchesInSlices(one.candidate, query, slices))) yield one;
    }
    if (last === undefined) return;
    after = last;
  }
}

/** Like `matches`, but one term at a time, because a thousand terms on a large record exceed a slice. */
async function matchesInSlices(candidate: Candidate, { match, terms }: Query, slices: Slices): Promise<boolean> {
  const decisive = match === 'any';
  for (const term of terms) {
    if (slices.isOver) await slices.yieldTurn();
    if (matches(candidate, { match: match === 'none' ? 'none' : 'all', terms: [term] }) === decisive) return decisive;
  }
  return !decisive || terms.length === 0;
}

import type { JsonObject } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { type EntryCursor, newestFirst, readEntryCursor, writeEntryCursor } from '../../audit/decisions/entryCursor.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, Slices } from '../../core/slices.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import type { Entry, EntrySelection, Transaction } from '../../store/model/row.ts';
import { pageLimit, pageLinks } from './paging.ts';

export interface JournalPage {
  readonly items: readonly JsonObject[];
  /** The link `self`, and `next` if another page follows. */
  readonly links: readonly JsonObject[];
}

/** The query for a page of a journal. `path` and `carried` make the address of the next page. */
export interface JournalQuery {
  readonly selection: Omit<EntrySelection, 'before' | 'limit'>;
  readonly path: string;
  readonly carried?: Readonly<Record<string, string>>;
  /** Entries outside the store, merged with those of the store. */
  readonly others?: readonly Entry[];
}

/** A page of a journal, newest first (platform/audit.trail). Throws 400 if `limit` or `next` is invalid. */
export function journalPage(tx: Transaction, parameters: URLSearchParams, question: JournalQuery): JournalPage {
  const { selection, others = [] } = question;
  const limit = pageLimit(parameters);
  const before = entryCursorIn(parameters);
  const found = others.filter((entry) => before === undefined || newestFirst(before, entry) < 0);
  const from = present({ before });
  // A full page is read, because all its entries may come from the store.
  found.push(...tx.entries({ ...selection, ...from, limit: limit + 1 }));
  return pageOf(found.toSorted(newestFirst), limit, question);
}

/** The same page with a filter that the store cannot apply: entries are read in slices until the page is full. */
export async function filteredJournalPage(
  call: Call,
  question: Omit<JournalQuery, 'others'>,
  matches: (entry: Entry) => boolean,
): Promise<JournalPage> {
  const limit = pageLimit(call.request.query);
  const before = entryCursorIn(call.request.query);
  const selection = { ...question.selection, ...present({ before }) };
  const found = await Slices.ofCall(call, async (slices) => {
    const matching: Entry[] = [];
    for await (const entry of scanJournal(call, slices, selection, limit + 1)) {
      if (matches(entry)) matching.push(entry);
      if (matching.length > limit) break;
    }
    return matching;
  });
  return pageOf(found, limit, question);
}

function pageOf(found: readonly Entry[], limit: number, { path, carried = {} }: JournalQuery): JournalPage {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? writeEntryCursor(last) : undefined;
  const next = nextCursor === undefined ? undefined : { ...carried, limit: String(limit), next: nextCursor };
  return { items: shown.map(({ body }) => body), links: pageLinks(path, next) };
}

function entryCursorIn(parameters: URLSearchParams): EntryCursor | undefined {
  const text = parameters.get('next');
  if (text === null) return undefined;
  const cursor = readEntryCursor(text);
  if (cursor === undefined) throw new ApiFailure(400, 'next is not a cursor');
  return cursor;
}

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
    const asked = { ...selection, ...present({ before }), limit };
    const look = ({ tx }: Session) => {
      const startedMs = performance.now();
      const entries = tx.entries(asked);
      return { batch: entries, tookMs: performance.now() - startedMs };
    };
    const { batch, tookMs } = await readIn(call, look, before === from ? undefined : 'scan');
    const size = limit;
    limit = nextBatch(size, tookMs, largestBatch);
    for (const entry of batch) {
      if (slices.isOver) await slices.yieldTurn();
      yield entry;
    }
    if (batch.length < size) return;
    before = batch.at(-1);
  }
}

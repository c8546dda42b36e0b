import type { JsonObject } from '../../schema/json.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { type EntryCursor, readEntryCursor, writeEntryCursor } from '../rules/audit/entryCursor.ts';
import type { Entry, EntrySelection, Transaction } from '../store/row.ts';
import { limitOf } from './paging.ts';

export interface EntryPage {
  readonly items: readonly JsonObject[];
  /** `self`, and `next` where there is more. */
  readonly links: readonly JsonObject[];
}

/** What a page of a journal is about. `path` and `carried`: the address of the next page says all of it again. */
export interface EntryQuestion {
  readonly selection: Omit<EntrySelection, 'before' | 'limit'>;
  readonly path: string;
  readonly carried?: Readonly<Record<string, string>>;
  /** Entries that are not in the store, and belong among those that are. */
  readonly others?: readonly Entry[];
  /** What the store cannot answer. */
  readonly matches?: (body: JsonObject) => boolean;
}

/** A page of a journal, newest first (protocol 10, 18). 400 where `limit` or `next` is none. */
export function entryPage(tx: Transaction, parameters: URLSearchParams, question: EntryQuestion): EntryPage {
  const { selection, path, carried = {}, others = [], matches = () => true } = question;
  const limit = limitOf(parameters);
  const next = parameters.get('next');
  let before: EntryCursor | undefined = next === null ? undefined : cursorOf(next);
  const from = before;
  const found = others.filter((entry) => from === undefined || newestFirst(from, entry) < 0);
  let more = true;
  // The others too may be the last of a page, so as many come from the store as if there were none.
  while (more && found.length <= limit + others.length) {
    const batch = tx.entries({ ...selection, ...(before === undefined ? {} : { before }), limit: limit + 1 });
    found.push(...batch.filter(({ body }) => matches(body)));
    before = batch.at(-1);
    more = batch.length > limit;
  }
  const shown = found.toSorted(newestFirst).slice(0, limit);
  const last = shown.at(-1);
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (found.length > limit && last !== undefined) {
    const query = new URLSearchParams({ ...carried, limit: String(limit), next: writeEntryCursor(last) });
    links.push({ rel: 'next', href: `${path}?${query.toString()}` });
  }
  return { items: shown.map(({ body }) => body), links };
}

function newestFirst(a: EntryCursor, b: EntryCursor): number {
  return b.atMs - a.atMs || b.seq - a.seq;
}

function cursorOf(text: string): EntryCursor {
  const cursor = readEntryCursor(text);
  if (cursor === undefined) throw new ApiFailure(400, 'next is not a cursor');
  return cursor;
}

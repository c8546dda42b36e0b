import type { JsonObject } from '../../schema/json.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { readEntryCursor, writeEntryCursor } from '../rules/audit/entryCursor.ts';
import type { Entry, EntrySelection, Transaction } from '../store/row.ts';
import { limitOf } from './listPage.ts';

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
  /** What the store cannot answer. */
  readonly matches?: (body: JsonObject) => boolean;
}

/** A page of a journal, newest first (protocol 10, 18). 400 where `limit` or `next` is none. */
export function entryPage(tx: Transaction, parameters: URLSearchParams, question: EntryQuestion): EntryPage {
  const { selection, path, carried = {}, matches = () => true } = question;
  const limit = limitOf(parameters);
  const next = parameters.get('next');
  const found: Entry[] = [];
  let before = next === null ? undefined : cursorOf(next);
  let more = true;
  while (more && found.length <= limit) {
    const batch = tx.entries({ ...selection, ...(before === undefined ? {} : { before }), limit: limit + 1 });
    found.push(...batch.filter(({ body }) => matches(body)));
    before = batch.at(-1);
    more = batch.length > limit;
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (found.length > limit && last !== undefined) {
    const query = new URLSearchParams({ ...carried, limit: String(limit), next: writeEntryCursor(last) });
    links.push({ rel: 'next', href: `${path}?${query.toString()}` });
  }
  return { items: shown.map(({ body }) => body), links };
}

function cursorOf(text: string): Pick<Entry, 'atMs' | 'seq'> {
  const cursor = readEntryCursor(text);
  if (cursor === undefined) throw new ApiFailure(400, 'next is not a cursor');
  return cursor;
}

import { isArray, type JsonObject, own } from '../../schema/json.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import { matches, order, propertyOf, type Query, readQuery } from '../rules/query.ts';
import { type Entry, noLimit, type Row, type Transaction } from '../store/row.ts';
import { decode, encode, limitOf, parsed } from './listPage.ts';

/** The commands of one record. */
export interface Commands {
  readonly owner: Row;
  /** Their path, such as `/org/o/gvc/g/workload/w/-command`. */
  readonly path: string;
}

/** A page of the commands of a record, newest first, or of a query that a `next` link carries on (protocol 3.3, 3.5). */
export function commandList(tx: Transaction, commands: Commands, parameters: URLSearchParams): JsonObject {
  const carried = parameters.get('query');
  return { kind: 'list', ...page(tx, commands, parameters, carried === null ? undefined : decode(carried)) };
}

/** The first page of a query over the commands of a record (protocol 2.2, 3.4). */
export function commandQuery(
  tx: Transaction,
  commands: Commands,
  parameters: URLSearchParams,
  body: JsonObject,
): JsonObject {
  const query = { kind: 'command', ...body, spec: own(body, 'spec') ?? { match: 'all', terms: [] } };
  return { kind: 'queryresult', ...page(tx, commands, parameters, body), query };
}

interface Page {
  readonly found: readonly Entry[];
  /** The cursor of the next page; nothing after the last one. */
  readonly following: string | undefined;
}

function page(
  tx: Transaction,
  { owner, path }: Commands,
  parameters: URLSearchParams,
  body: JsonObject | undefined,
): JsonObject {
  const problems: Problem[] = [];
  const query = body === undefined ? undefined : readQuery(body, 'command', problems);
  if (problems.length > 0) throw invalid(problems);
  const limit = limitOf(parameters);
  const next = parameters.get('next');
  const { found, following } =
    query?.sort === undefined ? inOrder(tx, owner, query, next, limit) : sorted(tx, owner, query, next, limit);

  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (following !== undefined) {
    const carried = new URLSearchParams({ limit: String(limit), next: following });
    if (body !== undefined) carried.set('query', encode(body));
    links.push({ rel: 'next', href: `${path}?${carried.toString()}` });
  }
  const asLinks = query?.links === true;
  const items = found.map(({ id, body: shown }) => (asLinks ? `${path}/${id}` : shown));
  return { itemKind: asLinks ? 'link' : 'command', items, links };
}

/** Newest first; the cursor is the last command shown. */
function inOrder(tx: Transaction, owner: Row, query: Query | undefined, next: string | null, limit: number): Page {
  const found: Entry[] = [];
  let before = next === null ? undefined : cursorOf(next);
  for (;;) {
    const batch = tx.entries({
      journal: 'command',
      owner: owner.uid,
      ...(before === undefined ? {} : { before }),
      limit: limit + 1,
    });
    for (const entry of batch) {
      if (query === undefined || matches(candidate(entry, owner), query)) found.push(entry);
      const last = found[limit - 1];
      if (found.length > limit && last !== undefined) {
        return { found: found.slice(0, limit), following: encode([last.atMs, last.seq]) };
      }
    }
    const last = batch.at(-1);
    if (batch.length <= limit || last === undefined) return { found, following: undefined };
    before = last;
  }
}

/** In the order of a field: all matches are read, and the cursor is a count. */
function sorted(tx: Transaction, owner: Row, query: Query, next: string | null, limit: number): Page {
  const from = next === null ? 0 : Number(next);
  if (!Number.isSafeInteger(from) || from < 0) throw new ApiFailure(400, 'next is not a cursor of this query');
  const { by, descending } = query.sort ?? { by: 'created', descending: false };
  const found = tx
    .entries({ journal: 'command', owner: owner.uid, limit: noLimit })
    .filter((entry) => matches(candidate(entry, owner), query))
    .toSorted((a, b) => {
      const compared = order(propertyOf(a.body, by), propertyOf(b.body, by));
      return descending ? -compared : compared;
    });
  return {
    found: found.slice(from, from + limit),
    following: from + limit < found.length ? String(from + limit) : undefined,
  };
}

function candidate({ body }: Entry, { gvc }: Row): { readonly fields: JsonObject; readonly gvc: string } {
  return { fields: body, gvc };
}

function cursorOf(text: string): Pick<Entry, 'atMs' | 'seq'> {
  const value = parsed(text);
  const [atMs, seq] = isArray(value) ? value : [];
  if (typeof atMs !== 'number' || typeof seq !== 'number') throw new ApiFailure(400, 'next is not a cursor');
  return { atMs, seq };
}

import { type JsonObject, own } from '../../schema/json.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import { matches, order, propertyOf, type Query, readQuery } from '../rules/query.ts';
import { noLimit, type Row, type Transaction } from '../store/row.ts';
import { type EntryPage, entryPage } from './entryPage.ts';
import { decode, encode, limitOf } from './listPage.ts';

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

function page(
  tx: Transaction,
  commands: Commands,
  parameters: URLSearchParams,
  body: JsonObject | undefined,
): JsonObject {
  const problems: Problem[] = [];
  const query = body === undefined ? undefined : readQuery(body, 'command', problems);
  if (problems.length > 0) throw invalid(problems);
  const carried = body === undefined ? {} : { query: encode(body) };
  const { items, links } =
    query?.sort === undefined
      ? inOrder(tx, commands, query, parameters, carried)
      : sorted(tx, commands, query, parameters, carried);
  if (query?.links !== true) return { itemKind: 'command', items, links };
  return { itemKind: 'link', items: items.map((item) => `${commands.path}/${String(own(item, 'id'))}`), links };
}

type Carried = Readonly<Record<string, string>>;

/** Newest first. */
function inOrder(
  tx: Transaction,
  { owner, path }: Commands,
  query: Query | undefined,
  parameters: URLSearchParams,
  carried: Carried,
): EntryPage {
  return entryPage(tx, parameters, {
    selection: { journal: 'command', owner: owner.uid },
    path,
    carried,
    matches: (fields) => query === undefined || matches({ fields, gvc: owner.gvc }, query),
  });
}

/** In the order of a field: all matches are read, and the cursor is a count. */
function sorted(
  tx: Transaction,
  { owner, path }: Commands,
  query: Query,
  parameters: URLSearchParams,
  carried: Carried,
): EntryPage {
  const from = Number(parameters.get('next') ?? '0');
  if (!Number.isSafeInteger(from) || from < 0) throw new ApiFailure(400, 'next is not a cursor of this query');
  const limit = limitOf(parameters);
  const { by, descending } = query.sort ?? { by: 'created', descending: false };
  const found = tx
    .entries({ journal: 'command', owner: owner.uid, limit: noLimit })
    .map(({ body }) => body)
    .filter((fields) => matches({ fields, gvc: owner.gvc }, query))
    .toSorted((a, b) => {
      const compared = order(propertyOf(a, by), propertyOf(b, by));
      return descending ? -compared : compared;
    });
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (from + limit < found.length) {
    const next = new URLSearchParams({ ...carried, limit: String(limit), next: String(from + limit) });
    links.push({ rel: 'next', href: `${path}?${next.toString()}` });
  }
  return { items: found.slice(from, from + limit), links };
}

import { type JsonObject, own } from '../../schema/json.ts';
import type { Query, Sort } from '../rules/query.ts';
import { matches, sortedBy } from '../rules/queryMatch.ts';
import { noLimit, type Row, type Transaction } from '../store/row.ts';
import { askedQuery, carriedQuery, repeatedQuery } from './askedQuery.ts';
import { type EntryPage, entryPage } from './entryPage.ts';
import { countedPage, encode, limitOf } from './paging.ts';

/** The commands of one record. */
export interface Commands {
  readonly owner: Row;
  /** Their path, such as `/org/o/gvc/g/workload/w/-command`. */
  readonly path: string;
}

/** A page of the commands of a record, newest first, or of a query that a `next` link carries on (protocol 3.3, 3.5). */
export function commandList(tx: Transaction, commands: Commands, parameters: URLSearchParams): JsonObject {
  return { kind: 'list', ...page(tx, commands, parameters, carriedQuery(parameters)) };
}

/** The first page of a query over the commands of a record (protocol 2.2, 3.4). */
export function commandQuery(
  tx: Transaction,
  commands: Commands,
  parameters: URLSearchParams,
  body: JsonObject,
): JsonObject {
  return { kind: 'queryresult', ...page(tx, commands, parameters, body), query: repeatedQuery(body, 'command') };
}

function page(
  tx: Transaction,
  commands: Commands,
  parameters: URLSearchParams,
  body: JsonObject | undefined,
): JsonObject {
  const query = body === undefined ? undefined : askedQuery(body, 'command');
  const carried = body === undefined ? {} : { query: encode(body) };
  const { items, links } =
    query?.sort === undefined
      ? inOrder(tx, commands, query, parameters, carried)
      : sorted(tx, commands, query, query.sort, parameters, carried);
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

/** In the order of a field: all matches are read. */
function sorted(
  tx: Transaction,
  { owner, path }: Commands,
  query: Query,
  sort: Sort,
  parameters: URLSearchParams,
  carried: Carried,
): EntryPage {
  const { shown, following } = countedPage(parameters, () => {
    const found = tx
      .entries({ journal: 'command', owner: owner.uid, limit: noLimit })
      .map(({ body }) => body)
      .filter((fields) => matches({ fields, gvc: owner.gvc }, query));
    return sortedBy(found, sort, (fields) => fields);
  });
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (following !== undefined) {
    const next = new URLSearchParams({ ...carried, limit: String(limitOf(parameters)), next: following });
    links.push({ rel: 'next', href: `${path}?${next.toString()}` });
  }
  return { items: shown, links };
}

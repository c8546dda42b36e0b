import { type JsonObject, own } from '../../schema/json.ts';
import type { Query, Sort } from '../rules/query.ts';
import { matches, sortedBy } from '../rules/queryMatch.ts';
import type { Row } from '../store/row.ts';
import { askedQuery, carriedQuery, repeatedQuery } from './askedQuery.ts';
import { type EntryPage, siftedEntryPage } from './entryPage.ts';
import { scanEntries } from './entryScan.ts';
import { countedPage, countIn, encode, limitOf } from './paging.ts';
import type { Call } from './session.ts';

/** The commands of one record. */
export interface Commands {
  readonly owner: Row;
  /** Their path, such as `/org/o/gvc/g/workload/w/-command`. */
  readonly path: string;
}

/** A page of the commands of a record, newest first, or of a query that a `next` link carries on (protocol 3.3, 3.5). */
export async function commandList(call: Call, commands: Commands): Promise<JsonObject> {
  return { kind: 'list', ...(await page(call, commands, carriedQuery(call.request.query))) };
}

/** The first page of a query over the commands of a record (protocol 2.2, 3.4). */
export async function commandQuery(call: Call, commands: Commands, body: JsonObject): Promise<JsonObject> {
  return { kind: 'queryresult', ...(await page(call, commands, body)), query: repeatedQuery(body, 'command') };
}

async function page(call: Call, commands: Commands, body: JsonObject | undefined): Promise<JsonObject> {
  const query = body === undefined ? undefined : askedQuery(body, 'command');
  const carried = body === undefined ? {} : { query: encode(body) };
  const { items, links } =
    query?.sort === undefined
      ? await inOrder(call, commands, query, carried)
      : await sorted(call, commands, query, query.sort, carried);
  if (query?.links !== true) return { itemKind: 'command', items, links };
  return { itemKind: 'link', items: items.map((item) => `${commands.path}/${String(own(item, 'id'))}`), links };
}

type Carried = Readonly<Record<string, string>>;

/** Newest first. */
function inOrder(
  call: Call,
  { owner, path }: Commands,
  query: Query | undefined,
  carried: Carried,
): Promise<EntryPage> {
  const question = { selection: { journal: 'command', owner: owner.uid }, path, carried } as const;
  return siftedEntryPage(call, question, (fields) => query === undefined || matches({ fields, gvc: owner.gvc }, query));
}

/** In the order of a field: all matches are read. */
async function sorted(
  call: Call,
  { owner, path }: Commands,
  query: Query,
  sort: Sort,
  carried: Carried,
): Promise<EntryPage> {
  const parameters = call.request.query;
  const from = countIn(parameters);
  const found: JsonObject[] = [];
  for await (const { body: fields } of scanEntries(
    call,
    { journal: 'command', owner: owner.uid },
    limitOf(parameters),
  )) {
    if (matches({ fields, gvc: owner.gvc }, query)) found.push(fields);
  }
  const { shown, following } = countedPage(
    parameters,
    from,
    sortedBy(found, sort, (fields) => fields),
  );
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (following !== undefined) {
    const next = new URLSearchParams({ ...carried, limit: String(limitOf(parameters)), next: following });
    links.push({ rel: 'next', href: `${path}?${next.toString()}` });
  }
  return { items: shown, links };
}

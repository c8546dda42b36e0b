import { type JsonObject, own } from '../../../base/json/json.ts';
import type { Call } from '../../core/session.ts';
import { Slices } from '../../core/slices.ts';
import { usualPage } from '../../http/limits.ts';
import type { Query, Sort } from '../../query/query.ts';
import { matches } from '../../query/queryMatch.ts';
import { type SortPosition, sortPosition } from '../../query/sortPosition.ts';
import type { Row } from '../../store/row.ts';
import { askedQuery, carriedQuery, repeatedQuery } from './askedQuery.ts';
import { filteredJournalPage, type JournalPage } from './journalPage.ts';
import { scanJournal } from './journalScan.ts';
import { encode } from './paging.ts';
import { SortedPage } from './sortedPage.ts';

/** The commands of one record. */
export interface Commands {
  readonly owner: Row;
  /** The path of the collection, such as `/org/o/gvc/g/workload/w/-command`. */
  readonly path: string;
}

/**
 * A page of the commands of a record, newest first, or a further page of a query (platform/wire.lists,
 * platform/commands).
 */
export async function commandList(call: Call, commands: Commands): Promise<JsonObject> {
  return { kind: 'list', ...(await page(call, commands, carriedQuery(call.request.query))) };
}

/** The first page of a query over the commands of a record (platform/wire.paths, platform/query). */
export async function commandQuery(call: Call, commands: Commands, body: JsonObject): Promise<JsonObject> {
  return { kind: 'queryresult', ...(await page(call, commands, body)), query: repeatedQuery(body, 'command') };
}

async function page(call: Call, commands: Commands, body: JsonObject | undefined): Promise<JsonObject> {
  const query = body === undefined ? undefined : askedQuery(body, 'command');
  const carried = body === undefined ? {} : { query: encode(body) };
  const { items, links } =
    query?.sort === undefined
      ? await inOrder(call, commands, query, carried)
      : await sorted(call, commands, { ...query, sort: query.sort }, carried);
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
): Promise<JournalPage> {
  const question = { selection: { journal: 'command', owner: owner.uid }, path, carried } as const;
  return filteredJournalPage(call, question, ({ body }) => {
    return query === undefined || matches({ fields: body, gvc: owner.gvc }, query);
  });
}

/** In the order of a field, which needs a look at all matches. Equal ones newest first. */
async function sorted(
  call: Call,
  { owner, path }: Commands,
  query: Query & { readonly sort: Sort },
  carried: Carried,
): Promise<JournalPage> {
  const { sort } = query;
  const ordered = new SortedPage<SortPosition & { readonly fields: JsonObject }>(call.request.query, sort);
  const selection = { journal: 'command', owner: owner.uid } as const;
  await Slices.ofCall(call, async (slices) => {
    for await (const { body: fields, atMs, seq } of scanJournal(call, slices, selection, usualPage)) {
      if (matches({ fields, gvc: owner.gvc }, query))
        ordered.add({ ...sortPosition(fields, sort, [-atMs, -seq]), fields });
    }
  });
  const { shown, following, limit } = ordered.page();
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (following !== undefined) {
    const next = new URLSearchParams({ ...carried, limit: String(limit), next: following });
    links.push({ rel: 'next', href: `${path}?${next.toString()}` });
  }
  return { items: shown.map(({ fields }) => fields), links };
}

import { isArray, type JsonObject } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import { collectionPath, linkOf } from '../../schema/links.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import type { Query, Sort, Term } from '../rules/query.ts';
import { sortedPlace, type SortedPlace } from '../rules/sortedPlace.ts';
import { type Cursor, refOfRow, type Row, type Selection, type Transaction } from '../store/row.ts';
import { mayView, viewsAll } from './access.ts';
import { askedQuery, carriedQuery, repeatedQuery } from './askedQuery.ts';
import { requireParent } from './findRow.ts';
import { decode, encode, limitOf, type Page } from './paging.ts';
import { Presenter } from './presenter.ts';
import { type Found, type Scan, scan } from './recordScan.ts';
import { type Call, readIn, type Session } from './session.ts';
import { SortedPage } from './sortedPage.ts';
import { Slices } from './turns.ts';

export interface Collection {
  readonly kind: Kind;
  readonly gvc?: string | undefined;
}

/**
 * A page of a list, or of a query that a `next` link carries on (protocol 3.3, 3.4). The body as JSON text. `asked`: the
 * query of an address that lists some of the records only.
 */
export async function listPage(call: Call, where: Collection, asked?: JsonObject): Promise<string> {
  return `{"kind":"list",${await page(call, where, carriedQuery(call.request.query) ?? asked)}}`;
}

/** The first page of a query. */
export async function queryPage(call: Call, where: Collection, query: JsonObject): Promise<string> {
  const text = await page(call, where, query);
  return `{"kind":"queryresult",${text},"query":${JSON.stringify(repeatedQuery(query, where.kind))}}`;
}

/** `itemKind`, `items` and `links` of a page, as JSON text without the braces. */
async function page(call: Call, where: Collection, body: JsonObject | undefined): Promise<string> {
  const { query: parameters } = call.request;
  const whole = await readIn(call, (session) => {
    requireParent(session.tx, where.gvc, session.platform.org);
    const query = body === undefined ? undefined : askedQuery(body, where.kind);
    const position = query?.sort === undefined ? positionIn(parameters) : undefined;
    // Nothing is left out: one look is enough.
    const isWhole = query === undefined && viewsAll(session, where.kind);
    return isWhole
      ? {
          query,
          position,
          text: pageText(session, where, body, query, rowsFrom(session.tx, where, position, parameters)),
        }
      : { query, position, text: undefined };
  });
  if (whole.text !== undefined) return whole.text;

  const { query, position } = whole;
  const scanned = {
    selection: narrow(where, query),
    viewable: viewableOf(where.kind),
    query,
    first: limitOf(parameters) + 1,
  };
  const found = await Slices.ofCall(call, (slices) =>
    query?.sort === undefined
      ? inOrder(scan(call, slices, scanned, position), limitOf(parameters))
      : sorted(call, slices, scanned, query.sort),
  );
  return readIn(call, (session) => pageText(session, where, body, query, found));
}

function viewableOf(kind: Kind) {
  return (session: Session) => mayView(session, kind);
}

function pageText(
  { platform, tx }: Session,
  where: Collection,
  body: JsonObject | undefined,
  query: Query | undefined,
  { shown, following, limit }: Page<Row>,
): string {
  const presenter = new Presenter(platform, tx);
  const path = collectionPath(where.kind, platform.org, where.gvc);
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (following !== undefined) {
    const carried = new URLSearchParams({ limit: String(limit), next: following });
    if (body !== undefined) carried.set('query', encode(body));
    links.push({ rel: 'next', href: `${path}?${carried.toString()}` });
  }
  const asLinks = query?.links === true;
  const items = shown.map((row) =>
    asLinks ? JSON.stringify(linkOf(refOfRow(row), platform.org)) : presenter.text(row),
  );
  return `"itemKind":"${asLinks ? 'link' : where.kind}","items":[${items.join(',')}],"links":${JSON.stringify(links)}`;
}

/** By creation, then name: the cursor is the last record shown, so that no page repeats or skips one. */
function upTo(limit: number, found: readonly Row[]): Page<Row> {
  const last = found[limit - 1];
  const following = found.length > limit && last !== undefined ? encode(positionOf(last)) : undefined;
  return { shown: found.slice(0, limit), following, limit };
}

function rowsFrom(
  tx: Transaction,
  where: Collection,
  after: Cursor | undefined,
  parameters: URLSearchParams,
): Page<Row> {
  const limit = limitOf(parameters);
  const from = after === undefined ? {} : { after };
  return upTo(limit, tx.select({ ...narrow(where, undefined), ...from, limit: limit + 1 }));
}

async function inOrder(scanned: AsyncIterable<Found>, limit: number): Promise<Page<Row>> {
  const found: Row[] = [];
  for await (const { row } of scanned) {
    found.push(row);
    if (found.length > limit) break;
  }
  return upTo(limit, found);
}

/** In the order of a field: all matches are looked at, and those of the page read again. */
async function sorted(call: Call, slices: Slices, scanned: Scan, sort: Sort): Promise<Page<Row>> {
  const ordered = new SortedPage<SortedPlace & Pick<Row, 'seq'>>(call.request.query, sort);
  for await (const { row, candidate } of scan(call, slices, scanned)) {
    const { createdMs, name, seq } = row;
    ordered.add({ ...sortedPlace(candidate.fields, sort, [createdMs, name, seq]), seq });
  }
  const { shown: wanted, ...rest } = ordered.page();
  const seqs = wanted.map(({ seq }) => seq);
  const rows = await readIn(call, ({ tx }) => tx.select({ kind: scanned.selection.kind, seqs, limit: seqs.length }));
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return { ...rest, shown: seqs.flatMap((seq) => bySeq.get(seq) ?? []) };
}

/** What of a query an index can answer. The rest is looked at record by record. */
function narrow({ kind, gvc }: Pick<Collection, 'gvc' | 'kind'>, query: Query | undefined): Omit<Selection, 'limit'> {
  const base = gvc === undefined ? { kind } : { kind, gvc };
  if (query === undefined || query.terms.length === 0) return base;
  const equal = query.terms.filter(({ op, value }) => op === '=' && value !== undefined);
  if (query.match === 'all') {
    const tag = equal.find(({ by }) => by === 'tag');
    const parent = equal.find(({ by, key }) => by === 'rel' && key === 'gvc');
    return {
      ...base,
      ...(tag === undefined ? {} : { tag: { key: tag.key, value: String(tag.value) } }),
      ...(parent === undefined || gvc !== undefined ? {} : { gvc: String(parent.value) }),
    };
  }
  if (query.match === 'any' && query.terms.every(isIndexed)) {
    return {
      ...base,
      anyTag: query.terms.map(({ op, key, value }) => (op === '=' ? { key, value: String(value) } : { key })),
    };
  }
  const names = equal.filter(({ by, key }) => by === 'property' && key === 'name').map(({ value }) => String(value));
  return query.match === 'any' && names.length === query.terms.length ? { ...base, names } : base;
}

function isIndexed({ op, by, value }: Term): boolean {
  return by === 'tag' && (op === 'exists' || (op === '=' && value !== undefined));
}

function positionOf({ createdMs, name, seq }: Row): readonly [number, string, number] {
  return [createdMs, name, seq];
}

/** Where the page begins. */
function positionIn(parameters: URLSearchParams): Cursor | undefined {
  const text = parameters.get('next');
  if (text === null) return undefined;
  const value = decode(text);
  const [createdMs, name, seq] = isArray(value) ? value : [];
  if (typeof createdMs !== 'number' || typeof name !== 'string' || typeof seq !== 'number') {
    throw new ApiFailure(400, 'next is not a cursor');
  }
  return { createdMs, name, seq };
}

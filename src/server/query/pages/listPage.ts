import type { JsonObject } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { collectionPath, linkOf } from '../../../schema/record/ref.ts';
import { canViewAll, viewFilter } from '../../access/permissions.ts';
import { requireParent } from '../../core/rows.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { nextBatch, Slices, sliceMs } from '../../core/slices.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import {
  type Cursor,
  cursorAsJson,
  cursorFromJson,
  type Row,
  refOfRow,
  type Selection,
} from '../../store/model/row.ts';
import type { Query, Sort, Term } from '../decisions/query.ts';
import { type SortPosition, sortPosition } from '../decisions/sortPosition.ts';
import { askedQuery, carriedQuery, echoedQuery } from './askedQuery.ts';
import { decode, encode, type Page, pageLimit, pageLinks } from './paging.ts';
import { type Scan, type ScannedRecord, scan } from './recordScan.ts';
import { SortedPage } from './sortedPage.ts';

export interface Collection {
  readonly kind: Kind;
  readonly gvc?: string | undefined;
}

/**
 * A page of a list, or a later page of a query, as JSON text (platform/wire.lists, platform/query). `asked`: a fixed
 * query for addresses that list only some records.
 */
export async function listPage(call: Call, collection: Collection, asked?: JsonObject): Promise<string> {
  return page(call, collection, carriedQuery(call.request.query) ?? asked, { kind: 'list' });
}

/** The first page of a query. */
export async function queryPage(call: Call, collection: Collection, query: JsonObject): Promise<string> {
  return page(call, collection, query, { kind: 'queryresult', query: echoedQuery(query, collection.kind) });
}

interface ResponseFields {
  readonly kind: 'list' | 'queryresult';
  readonly query?: JsonObject;
}

async function page(
  call: Call,
  collection: Collection,
  body: JsonObject | undefined,
  response: ResponseFields,
): Promise<string> {
  const request = { collection, body, response };
  if (body === undefined) return pageText(call, request, collection.kind, await unfilteredPage(call, collection));

  const { query: parameters } = call.request;
  const { query, position } = await readIn(call, (session) => {
    requireParent(session.tx, collection.gvc);
    const query = askedQuery(body, collection.kind);
    return { query, position: query.sort === undefined ? positionIn(parameters) : undefined };
  });
  const scanned = {
    selection: narrow(collection, query),
    viewable: viewableOf(collection.kind),
    query,
    first: pageLimit(parameters) + 1,
  };
  return Slices.ofCall(call, async (slices) => {
    const found =
      query.sort === undefined
        ? await pageByCreation(scan(call, slices, scanned, position), pageLimit(parameters))
        : await pageBySort(call, slices, scanned, query.sort);
    const shown = query.links ? linksOf(call, found.shown) : await textsOf(call, slices, found.shown);
    return pageText(call, request, query.links ? 'link' : collection.kind, { ...found, shown });
  });
}

function viewableOf(kind: Kind) {
  return (session: Session) => viewFilter(session, kind);
}

function linksOf({ platform }: Call, rows: readonly Row[]): readonly string[] {
  return rows.map((row) => JSON.stringify(linkOf(refOfRow(row), platform.org)));
}

/** Makes the texts in slices, each in its own transaction. */
async function textsOf(call: Call, slices: Slices, rows: readonly Row[]): Promise<readonly string[]> {
  const texts: string[] = [];
  while (texts.length < rows.length) {
    await slices.rest();
    const from = texts.length;
    const more = await readIn(call, ({ platform, tx }) => {
      const presenter = new Presenter(platform, tx);
      const made: string[] = [];
      for (const row of rows.slice(from)) {
        made.push(presenter.text(row));
        if (slices.isOver) break;
      }
      return made;
    });
    texts.push(...more);
  }
  return texts;
}

interface PageRequest {
  readonly collection: Collection;
  /** The query, or undefined for all records. */
  readonly body: JsonObject | undefined;
  readonly response: ResponseFields;
}

function pageText({ platform }: Call, request: PageRequest, itemKind: string, found: Page<string>): string {
  const { collection, body, response } = request;
  const { shown, nextCursor, limit } = found;
  const path = collectionPath(collection.kind, platform.org, collection.gvc);
  const carried = present({ query: body === undefined ? undefined : encode(body) });
  const next = nextCursor === undefined ? undefined : { limit: String(limit), next: nextCursor, ...carried };
  const query = response.query === undefined ? '' : `,"query":${JSON.stringify(response.query)}`;
  return joined(
    `{"kind":"${response.kind}","itemKind":"${itemKind}","items":[`,
    shown,
    `],"links":${JSON.stringify(pageLinks(path, next))}${query}}`,
  );
}

/** Joins once, because appending to a text of megabytes copies it each time. */
function joined(head: string, items: readonly string[], tail: string): string {
  const parts = items.length === 0 ? [''] : [...items];
  parts[0] = `${head}${parts[0]}`;
  parts.push(`${parts.pop()}${tail}`);
  return parts.join(',');
}

/** The page of records ordered by creation, then name. */
function rowPage(limit: number, found: readonly Row[]): Page<Row> {
  const last = found[limit - 1];
  const nextCursor = found.length > limit && last !== undefined ? cursorAfter(last) : undefined;
  return { shown: found.slice(0, limit), nextCursor, limit };
}

async function pageByCreation(scanned: AsyncIterable<ScannedRecord>, limit: number): Promise<Page<Row>> {
  const found: Row[] = [];
  for await (const { row } of scanned) {
    found.push(row);
    if (found.length > limit) break;
  }
  return rowPage(limit, found);
}

/** The page ordered by a field: all matches are scanned, then the records of the page are read again. */
async function pageBySort(call: Call, slices: Slices, scanned: Scan, sort: Sort): Promise<Page<Row>> {
  const ordered = new SortedPage<SortPosition & Pick<Row, 'seq'>>(call.request.query, sort);
  for await (const { row, candidate } of scan(call, slices, scanned)) {
    const { createdMs, name, seq } = row;
    ordered.add({ ...sortPosition(candidate.fields, sort, [createdMs, name, seq]), seq });
  }
  const { shown: wanted, ...rest } = ordered.page();
  const seqs = wanted.map(({ seq }) => seq);
  const rows = await readIn(call, ({ tx }) => tx.select({ kind: scanned.selection.kind, seqs, limit: seqs.length }));
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return { ...rest, shown: seqs.flatMap((seq) => bySeq.get(seq) ?? []) };
}

/** The part of a query that an index can evaluate. The rest is checked for each record. */
function narrow({ kind, gvc }: Pick<Collection, 'gvc' | 'kind'>, query: Query): Omit<Selection, 'limit'> {
  const base = gvc === undefined ? { kind } : { kind, gvc };
  if (query.terms.length === 0) return base;
  const equal = query.terms.filter(({ op, value }) => op === '=' && value !== undefined);
  if (query.match === 'all') {
    const tag = equal.find(({ by }) => by === 'tag');
    const parent = equal.find(({ by, key }) => by === 'rel' && key === 'gvc');
    return {
      ...base,
      ...present({ tag: tag === undefined ? undefined : { key: tag.key, value: String(tag.value) } }),
      ...present({ gvc: parent === undefined || gvc !== undefined ? undefined : String(parent.value) }),
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

/** Showing this many cached records takes less than a slice, and uncached ones hardly more. */
const firstBatch = 100;
const largestBatch = 500;

interface Batch {
  readonly texts: readonly string[];
  /** The record of the last text. */
  readonly last: Row | undefined;
  readonly isFull: boolean;
  /** The position of the next batch; undefined if there are no more records. */
  readonly end: Row | undefined;
  readonly tookMs: number;
}

/**
 * A page of all records that the caller may see, as texts. They are read and shown in slices, each in its own
 * transaction, so that a large page does not block other requests.
 */
async function unfilteredPage(
  call: Call,
  { kind, gvc }: { readonly kind: Kind; readonly gvc?: string | undefined },
): Promise<Page<string>> {
  const { query: parameters } = call.request;
  const base = gvc === undefined ? { kind } : { kind, gvc };
  const first = await readIn(call, (session) => {
    requireParent(session.tx, gvc);
    const after = positionIn(parameters);
    const from = after === undefined ? base : { ...base, after };
    return batchOf(session, { ...from, limit: firstBatch }, pageLimit(parameters));
  });
  const limit = pageLimit(parameters);
  const shown = [...first.texts];
  let { last, isFull } = first;
  if (!isFull && first.end !== undefined) {
    await Slices.ofCall(call, async (slices) => {
      let size = firstBatch;
      for (let batch = first; !batch.isFull && batch.end !== undefined; ) {
        size = nextBatch(size, batch.tookMs, largestBatch);
        await slices.rest();
        const next = { ...base, after: batch.end, limit: size };
        const missing = limit - shown.length;
        batch = await readIn(call, (session) => batchOf(session, next, missing));
        for (const text of batch.texts) shown.push(text);
        last = batch.last ?? last;
        isFull = batch.isFull;
      }
    });
  }
  return { shown, nextCursor: isFull && last !== undefined ? cursorAfter(last) : undefined, limit };
}

/** `missing`: the free space of the page. An additional record shows that another page follows. */
function batchOf(session: Session, selection: Selection, missing: number): Batch {
  const { platform, tx } = session;
  const { kind, limit } = selection;
  const startedMs = performance.now();
  // If the caller may see only some records, small batches at the end of a page would find them one by one.
  const size = canViewAll(session, kind) ? Math.min(limit, missing + 1) : limit;
  const rows = tx.select({ ...selection, limit: size });
  const visible = rows.filter(viewFilter(session, kind));
  const fitting = visible.slice(0, missing);
  const presenter = new Presenter(platform, tx);
  const texts: string[] = [];
  for (const row of fitting) {
    texts.push(presenter.text(row));
    // A record with many referrers may take long, so the next batch continues.
    if (performance.now() - startedMs >= sliceMs) break;
  }
  const last = fitting[texts.length - 1];
  const isCut = texts.length < fitting.length;
  return {
    texts,
    last,
    isFull: !isCut && visible.length > missing,
    end: isCut ? last : rows.length < size ? undefined : rows.at(-1),
    tookMs: performance.now() - startedMs,
  };
}

/** The cursor is the last record shown, so that no page repeats or skips a record. */
function cursorAfter(row: Row): string {
  return encode(cursorAsJson(row));
}

/** The position where the page starts. */
function positionIn(parameters: URLSearchParams): Cursor | undefined {
  const text = parameters.get('next');
  if (text === null) return undefined;
  const cursor = cursorFromJson(decode(text));
  if (cursor === undefined) throw new ApiFailure(400, 'next is not a cursor');
  return cursor;
}

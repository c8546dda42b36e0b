import { isArray, type JsonObject } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import { collectionPath, linkOf } from '../../schema/links.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import type { Query, Sort, Term } from '../rules/query.ts';
import { asksForStatus, matches, sortedBy } from '../rules/queryMatch.ts';
import { type Cursor, noLimit, refOfRow, type Row, type Selection, type Transaction } from '../store/row.ts';
import { askedQuery, carriedQuery, repeatedQuery } from './askedQuery.ts';
import { requireParent } from './findRow.ts';
import { countedPage, decode, encode, limitOf, type Page } from './paging.ts';
import { Presenter } from './presenter.ts';
import type { Session } from './session.ts';

export interface Collection {
  readonly kind: Kind;
  readonly gvc?: string | undefined;
  /** What may be shown to the caller: the rest is left out. */
  readonly viewable: (row: Row) => boolean;
}

/**
 * A page of a list, or of a query that a `next` link carries on (protocol 3.3, 3.4). The body as JSON text. `asked`: the
 * query of an address that lists some of the records only.
 */
export function listPage(session: Session, where: Collection, parameters: URLSearchParams, asked?: JsonObject): string {
  return `{"kind":"list",${page(session, where, parameters, carriedQuery(parameters) ?? asked)}}`;
}

/** The first page of a query. */
export function queryPage(session: Session, where: Collection, parameters: URLSearchParams, query: JsonObject): string {
  const repeated = JSON.stringify(repeatedQuery(query, where.kind));
  return `{"kind":"queryresult",${page(session, where, parameters, query)},"query":${repeated}}`;
}

/** `itemKind`, `items` and `links` of a page, as JSON text without the braces. */
function page(
  { platform, tx }: Session,
  where: Collection,
  parameters: URLSearchParams,
  body: JsonObject | undefined,
): string {
  requireParent(tx, where.gvc, platform.org);
  const query = body === undefined ? undefined : askedQuery(body, where.kind);
  const limit = limitOf(parameters);
  const presenter = new Presenter(platform, tx);
  const { shown, following } =
    query?.sort === undefined
      ? inOrder(tx, presenter, where, query, parameters)
      : sorted(tx, presenter, where, query, query.sort, parameters);

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
function inOrder(
  tx: Transaction,
  presenter: Presenter,
  where: Collection,
  query: Query | undefined,
  parameters: URLSearchParams,
): Page<Row> {
  const found: Row[] = [];
  const narrowed = narrow(where, query);
  const limit = limitOf(parameters);
  const next = parameters.get('next');
  let after = next === null ? undefined : cursorOf(next);
  const withStatus = query !== undefined && asksForStatus(query);
  for (;;) {
    const batch = tx.select({ ...narrowed, ...(after === undefined ? {} : { after }), limit: limit + 1 });
    for (const row of batch) {
      if (!where.viewable(row)) continue;
      if (query === undefined || matches(presenter.candidate(row, withStatus), query)) found.push(row);
      if (found.length > limit) {
        const last = found[limit - 1];
        return { shown: found.slice(0, limit), following: last === undefined ? undefined : encode(positionOf(last)) };
      }
    }
    const last = batch.at(-1);
    if (batch.length <= limit || last === undefined) return { shown: found, following: undefined };
    after = last;
  }
}

/** In the order of a field: all matches are read. */
function sorted(
  tx: Transaction,
  presenter: Presenter,
  where: Collection,
  query: Query,
  sort: Sort,
  parameters: URLSearchParams,
): Page<Row> {
  const { shown, following } = countedPage(parameters, () => {
    const found = tx
      .select({ ...narrow(where, query), limit: noLimit })
      .filter(where.viewable)
      .map((row) => ({ row, candidate: presenter.candidate(row, asksForStatus(query)) }))
      .filter(({ candidate }) => matches(candidate, query));
    return sortedBy(found, sort, ({ candidate }) => candidate.fields);
  });
  return { shown: shown.map(({ row }) => row), following };
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

function cursorOf(text: string): Cursor {
  const value = decode(text);
  const [createdMs, name, seq] = isArray(value) ? value : [];
  if (typeof createdMs !== 'number' || typeof name !== 'string' || typeof seq !== 'number') {
    throw new ApiFailure(400, 'next is not a cursor');
  }
  return { createdMs, name, seq };
}

import { largestPage, usualPage } from '../../schema/decisions.ts';
import { isArray, isObject, type JsonObject, own } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import { collectionPath, linkOf } from '../../schema/links.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import { asksForStatus, matches, order, propertyOf, type Query, readQuery } from '../rules/query.ts';
import { type Cursor, noLimit, refOfRow, type Row, type Selection, type Transaction } from '../store/row.ts';
import { requireParent } from './findRow.ts';
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
  const carried = parameters.get('query');
  const query = carried === null ? asked : decode(carried);
  return `{"kind":"list",${page(session, where, parameters, query)}}`;
}

/** The first page of a query. */
export function queryPage(session: Session, where: Collection, parameters: URLSearchParams, query: JsonObject): string {
  const shown = { kind: where.kind, ...query, spec: own(query, 'spec') ?? { match: 'all', terms: [] } };
  return `{"kind":"queryresult",${page(session, where, parameters, query)},"query":${JSON.stringify(shown)}}`;
}

/** `itemKind`, `items` and `links` of a page, as JSON text without the braces. */
function page(
  { platform, tx }: Session,
  where: Collection,
  parameters: URLSearchParams,
  body: JsonObject | undefined,
): string {
  requireParent(tx, where.gvc, platform.org);
  const problems: Problem[] = [];
  const query = body === undefined ? undefined : readQuery(body, where.kind, problems);
  if (problems.length > 0) throw invalid(problems);

  const limit = limitOf(parameters);
  const presenter = new Presenter(platform, tx);
  const next = parameters.get('next');
  const { rows, following } =
    query?.sort === undefined
      ? inOrder(tx, presenter, where, query, next, limit)
      : sorted(tx, presenter, where, query, next, limit);

  const path = collectionPath(where.kind, platform.org, where.gvc);
  const links: JsonObject[] = [{ rel: 'self', href: path }];
  if (following !== undefined) {
    const carried = new URLSearchParams({ limit: String(limit), next: following });
    if (body !== undefined) carried.set('query', encode(body));
    links.push({ rel: 'next', href: `${path}?${carried.toString()}` });
  }
  const asLinks = query?.links === true;
  const items = rows.map((row) =>
    asLinks ? JSON.stringify(linkOf(refOfRow(row), platform.org)) : presenter.text(row),
  );
  return `"itemKind":"${asLinks ? 'link' : where.kind}","items":[${items.join(',')}],"links":${JSON.stringify(links)}`;
}

interface Page {
  readonly rows: readonly Row[];
  /** The cursor of the next page; nothing after the last one. */
  readonly following: string | undefined;
}

/** By creation, then name: the cursor is the last record shown, so that no page repeats or skips one. */
function inOrder(
  tx: Transaction,
  presenter: Presenter,
  where: Collection,
  query: Query | undefined,
  next: string | null,
  limit: number,
): Page {
  const found: Row[] = [];
  const narrowed = narrow(where, query);
  let after = next === null ? undefined : cursorOf(next);
  const withStatus = query !== undefined && asksForStatus(query);
  for (;;) {
    const batch = tx.select({ ...narrowed, ...(after === undefined ? {} : { after }), limit: limit + 1 });
    for (const row of batch) {
      if (!where.viewable(row)) continue;
      if (query === undefined || matches(presenter.candidate(row, withStatus), query)) found.push(row);
      if (found.length > limit) {
        const last = found[limit - 1];
        return { rows: found.slice(0, limit), following: last === undefined ? undefined : encode(positionOf(last)) };
      }
    }
    const last = batch.at(-1);
    if (batch.length <= limit || last === undefined) return { rows: found, following: undefined };
    after = last;
  }
}

/** In the order of a field: all matches are read, and the cursor is a count. */
function sorted(
  tx: Transaction,
  presenter: Presenter,
  where: Collection,
  query: Query,
  next: string | null,
  limit: number,
): Page {
  const from = next === null ? 0 : Number(next);
  if (!Number.isSafeInteger(from) || from < 0) throw new ApiFailure(400, 'next is not a cursor of this query');
  const { by, descending } = query.sort ?? { by: 'created', descending: false };
  const found = tx
    .select({ ...narrow(where, query), limit: noLimit })
    .filter(where.viewable)
    .map((row) => ({ row, candidate: presenter.candidate(row, asksForStatus(query)) }))
    .filter(({ candidate }) => matches(candidate, query))
    .toSorted((a, b) => {
      const compared = order(propertyOf(a.candidate.fields, by), propertyOf(b.candidate.fields, by));
      return descending ? -compared : compared;
    });
  const rows = found.slice(from, from + limit).map(({ row }) => row);
  return { rows, following: from + limit < found.length ? String(from + limit) : undefined };
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
  const names = equal.filter(({ by, key }) => by === 'property' && key === 'name').map(({ value }) => String(value));
  return query.match === 'any' && names.length === query.terms.length ? { ...base, names } : base;
}

export function limitOf(parameters: URLSearchParams): number {
  const text = parameters.get('limit');
  if (text === null) return usualPage;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new ApiFailure(400, 'limit must be a whole number above zero');
  return Math.min(limit, largestPage);
}

function positionOf({ createdMs, name, seq }: Row): readonly [number, string, number] {
  return [createdMs, name, seq];
}

function cursorOf(text: string): Cursor {
  const value = parsed(text);
  const [createdMs, name, seq] = isArray(value) ? value : [];
  if (typeof createdMs !== 'number' || typeof name !== 'string' || typeof seq !== 'number') {
    throw new ApiFailure(400, 'next is not a cursor');
  }
  return { createdMs, name, seq };
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export function decode(text: string): JsonObject {
  const value = parsed(text);
  if (!isObject(value)) throw new ApiFailure(400, 'query is not one that a next link carries');
  return value;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw new ApiFailure(400, 'the cursor cannot be read');
  }
}

import { isArray, isObject, type JsonObject, type JsonValue, objectAt, own, stringAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { badReply, isCode } from './http/apiError.ts';
import { endlessList, type ReplyBounds, size, tooLarge } from './http/bounds.ts';
import type { Reply } from './http/requester.ts';

export interface PageSource {
  /** The path of the first page, for messages too. */
  readonly path: string;
  /** Reads a page at an address that the platform named. */
  readonly read: (path: string) => Promise<Reply>;
  /** Sends the request of the first page with other parameters: for lists with a continuation token. */
  readonly repeat: (path: string) => Promise<Reply>;
  /** The path of a `next` link, below the endpoint. Throws if it leads elsewhere. `from`: the path of the page. */
  readonly locate: (next: string, from: string) => string;
  readonly bounds: ReplyBounds;
  /** The requested number of records per page. */
  readonly limit: number;
}

export interface Pages {
  readonly items: readonly JsonObject[];
  /** Why further records could not be read. */
  readonly gap?: string;
  /** Whether the platform named a next page that could be read. */
  readonly isFollowed: boolean;
  /** The only page has the maximum size, and does not say that it is the last one. */
  readonly isFull: boolean;
}

/**
 * The items of a first page and of all that follow it. A list that does not end, or that takes too much memory, is an
 * error: a plan from half of it would create existing records.
 */
export async function allPages(first: Reply, source: PageSource): Promise<Pages> {
  const { bounds, path, limit } = source;
  const progress = new PageProgress(source);
  const items: JsonObject[] = [];
  const isFirst = seenOnce();
  let at = path;
  for (let page = first, number = 1; ; number += 1) {
    const found = itemsOf(page.record, path);
    for (const item of found) if (isFirst(item)) items.push(item);
    if (items.length > bounds.records) throw tooLarge(`GET ${path}: the list`, `${bounds.records} records`);
    const isFollowed = number > 1;
    const next = nextOf(page);
    if (next === undefined) {
      const gap = saysMore(page, items.length);
      const full = !isFollowed && isFull(page, items.length, limit);
      return { items, isFollowed, isFull: full, ...present({ gap }) };
    }
    const following = await follow(next, at, source, (to) => progress.advance(page, found, to));
    if (typeof following === 'string') return { items, isFollowed: false, isFull: false, gap: following };
    ({ reply: page, path: at } = following);
    // A platform that does not know the parameter returns the same page again.
    const isSame = next.by === 'parameter' && !progress.hasNew(itemsOf(page.record, path));
    if (!isSame) continue;
    if (itemsOf(page.record, path).length === 0) return { items, isFollowed: true, isFull: false };
    return {
      items,
      isFollowed: false,
      isFull: false,
      gap: `there are more behind ${next.parameter}=${next.value}, which shows the same again`,
    };
  }
}

/** A record that moves between pages while they are read appears twice: it counts once, and hides no missing one. */
function seenOnce(): (item: JsonObject) => boolean {
  const seen = new Set<string>();
  return (item) => {
    const [id, name] = [own(item, 'id'), own(item, 'name')];
    if (id === undefined) return true;
    const before = seen.size;
    return seen.add(JSON.stringify([id, name ?? null])).size > before;
  };
}

/** The next page, or as text why it cannot be read. */
async function follow(
  next: Next,
  from: string,
  { read, repeat, locate }: PageSource,
  advance: (path: string) => string,
): Promise<{ readonly reply: Reply; readonly path: string } | string> {
  if (next.by === 'parameter') {
    const path = advance(withParameter(from, next.parameter, next.value));
    return readNextPage(path, repeat);
  }
  let path: string;
  try {
    path = locate(next.address, from);
  } catch (error) {
    if (!isCode(error, 'api.bad-reply')) throw error;
    return error.message;
  }
  const reply = await readNextPage(advance(path), read);
  return typeof reply === 'string' && from === path ? readNextPage(path, repeat) : reply;
}

async function readNextPage(path: string, ask: (path: string) => Promise<Reply>) {
  try {
    return { reply: await ask(path), path };
  } catch (error) {
    if (!isCode(error, 'api.not-found', 'api.method', 'api.invalid', 'api.forbidden')) throw error;
    return `its next page cannot be read: ${error.message}`;
  }
}

/** The same path with a parameter added or replaced. */
export function withParameter(path: string, name: string, value: string): string {
  const [before = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(name, value);
  return `${before}?${parameters.toString()}`;
}

/** The members that may contain the records of a list. */
const itemMembers = ['items', 'data', 'results', 'records', 'values'] as const;

/** Errors: `api.bad-reply` if there are none: another answer must not be taken for an empty list. */
export function itemsOf(page: JsonObject, path: string): readonly JsonObject[] {
  const found = itemMembers.map((member) => own(page, member)).find(isArray);
  if (found === undefined) throw badReply(`${path}: the answer is a list without items`);
  // An omitted record would be taken for absent.
  return found.map((item) => {
    if (isObject(item)) return item;
    if (typeof item === 'string' && item !== '') return item.includes('/') ? { href: item } : { name: item };
    throw badReply(`${path}: the answer is a list with an item that is not a record`);
  });
}

/** Detects lists that do not end. */
export class PageProgress {
  readonly #source: Pick<PageSource, 'path' | 'bounds'>;
  readonly #visited: Set<string>;
  readonly #known = new Set<string>();
  #bytes = 0;
  #idle = 0;

  constructor(source: Pick<PageSource, 'path' | 'bounds'>) {
    this.#source = source;
    this.#visited = new Set([source.path]);
  }

  /** Notes a page before the next one is read; returns the path of the next one. */
  advance({ bytes }: Reply, items: readonly JsonObject[], next: string): string {
    const { path, bounds } = this.#source;
    if (this.#visited.has(next)) throw endlessList(`${path}: a page leads to ${next}, which was read before`);
    this.#visited.add(next);
    if (this.#visited.size > bounds.pages) throw endlessList(`${path}: there are more than ${bounds.pages} pages`);
    this.#bytes += bytes;
    if (this.#bytes > bounds.listBytes) throw tooLarge(`GET ${path}: the list`, size(bounds.listBytes));
    this.#idle = this.#bringsNew(items) ? 0 : this.#idle + 1;
    if (this.#idle >= bounds.idlePages) {
      throw endlessList(`${path}: ${bounds.idlePages} pages in a row brought no new record`);
    }
    return next;
  }

  /** Whether any of these was on no earlier page. */
  hasNew(items: readonly JsonObject[]): boolean {
    return items.some((item) => !this.#known.has(keyOf(item)));
  }

  #bringsNew(items: readonly JsonObject[]): boolean {
    const before = this.#known.size;
    for (const item of items) this.#known.add(keyOf(item));
    return this.#known.size > before;
  }
}

function keyOf(item: JsonObject): string {
  return stringAt(item, 'id') ?? hrefOf(item, 'self') ?? stringAt(item, 'href') ?? stringAt(item, 'name') ?? '';
}

/** How a list continues: at an address, or with a parameter of the same request. */
export type Next =
  | { readonly by: 'address'; readonly address: string }
  | { readonly by: 'parameter'; readonly parameter: string; readonly value: string };

/** The objects of an answer that may describe the list. */
const holders = ['metadata', 'meta', 'pagination', 'paging', 'page', 'links', '_links'] as const;

/** Members with an address, or a token for the parameter. */
const nextMembers: readonly (readonly [string, string])[] = [
  ['next', 'next'],
  ['nextLink', 'next'],
  ['next_link', 'next'],
  ['@odata.nextLink', 'next'],
  ['nextUrl', 'next'],
  ['next_url', 'next'],
  ['nextPage', 'page'],
  ['next_page', 'page'],
  ['nextPageToken', 'pageToken'],
  ['next_page_token', 'page_token'],
  ['pageToken', 'pageToken'],
  ['nextToken', 'nextToken'],
  ['next_token', 'next_token'],
  ['token', 'token'],
  ['nextCursor', 'cursor'],
  ['next_cursor', 'cursor'],
  ['cursor', 'cursor'],
  ['after', 'after'],
  ['continue', 'continue'],
  ['continueToken', 'continue'],
  ['continuationToken', 'continuationToken'],
  ['continuation', 'continuation'],
  ['nextMarker', 'marker'],
  ['marker', 'marker'],
];
const totalMembers = [
  'total',
  'totalCount',
  'total_count',
  'totalItems',
  'totalResults',
  'totalRecords',
  'count',
  'itemCount',
] as const;
const moreMembers = ['hasMore', 'has_more', 'hasNext', 'hasNextPage', 'more', 'truncated', 'isTruncated', 'incomplete'];
const sizeMembers = ['limit', 'pageSize', 'page_size', 'perPage', 'per_page', 'itemsPerPage', 'max', 'size'] as const;

/** The next page; undefined if the page names none. */
export function nextOf({ record, link }: Pick<Reply, 'record' | 'link'>): Next | undefined {
  const href = hrefOf(record, 'next') ?? nextInHeader(link);
  if (href !== undefined) return { by: 'address', address: href };
  for (const holder of holdersOf(record)) {
    for (const [member, parameter] of nextMembers) {
      const next = nextIn(own(holder, member), member, parameter);
      if (next !== undefined) return next;
    }
  }
  return undefined;
}

/** The last page's statement about records not in the list; undefined if none. `read`: the number on all pages. */
export function saysMore({ record }: Pick<Reply, 'record'>, read: number): string | undefined {
  for (const holder of holdersOf(record)) {
    const total = numbersIn(holder, totalMembers).find((value) => value > read);
    if (total !== undefined) return `it shows ${read} of ${total}`;
    if (moreMembers.some((member) => own(holder, member) === true)) return 'it says that there are more';
  }
  return undefined;
}

/** Whether a page has the maximum size, by its own statement or by the requested limit. */
function isFull({ record }: Pick<Reply, 'record'>, items: number, limit: number): boolean {
  if (items === 0) return false;
  const holder = holdersOf(record);
  if (holder.some((each) => numbersIn(each, totalMembers).length > 0)) return false; // it names the total
  return items >= limit || holder.some((each) => numbersIn(each, sizeMembers).some((size) => items >= size));
}

function holdersOf(record: JsonObject): readonly JsonObject[] {
  return [record, ...holders.map((name) => objectAt(record, name))];
}

function numbersIn(holder: JsonObject, members: readonly string[]): readonly number[] {
  return members.flatMap((member) => {
    const value = own(holder, member);
    return typeof value === 'number' && value > 0 ? [value] : [];
  });
}

function nextIn(value: JsonValue | undefined, member: string, parameter: string): Next | undefined {
  if (isObject(value)) return nextIn(own(value, 'href') ?? own(value, 'url'), member, parameter);
  if (typeof value === 'number') {
    return { by: 'parameter', parameter: member === 'next' ? 'page' : parameter, value: `${value}` };
  }
  if (typeof value !== 'string' || value === '') return undefined;
  const isAddress =
    /^(?:https?:|\/|\?|\.{1,2}\/)|\?[\w$.-]+=/i.test(value) || (parameter === 'next' && value.includes('/'));
  return isAddress ? { by: 'address', address: value } : { by: 'parameter', parameter, value };
}

/** The target of `Link: </path?page=2>; rel="next"` (RFC 8288). */
function nextInHeader(header: string | undefined): string | undefined {
  for (const [, href, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters)) return href;
  }
  return undefined;
}

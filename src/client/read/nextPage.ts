import { isObject, type JsonObject, type JsonValue, objectAt, own } from '../../base/json/json.ts';
import { hrefOf } from '../../schema/record/hrefOf.ts';
import type { Reply } from '../http/requester.ts';

/** How a list goes on: at an address, or by a parameter of the same request. */
export type Next =
  | { readonly by: 'address'; readonly address: string }
  | { readonly by: 'parameter'; readonly parameter: string; readonly value: string };

/** The objects of an answer in which it may say something of the list. */
const holders = ['metadata', 'meta', 'pagination', 'paging', 'page', 'links', '_links'] as const;

/** Members that hold an address, or a token for the parameter. */
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

/** The next page; undefined: the page names none. */
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

/** The last page's word on records that are not in the list; undefined: none. `read`: of all pages. */
export function saysMore({ record }: Pick<Reply, 'record'>, read: number): string | undefined {
  for (const holder of holdersOf(record)) {
    const total = numbersIn(holder, totalMembers).find((value) => value > read);
    if (total !== undefined) return `it shows ${read} of ${total}`;
    if (moreMembers.some((member) => own(holder, member) === true)) return 'it says that there are more';
  }
  return undefined;
}

/** Whether a page is as large as one may be, by its own word or by the limit that was asked for. */
export function isFull({ record }: Pick<Reply, 'record'>, items: number, limit: number): boolean {
  if (items === 0) return false;
  const holder = holdersOf(record);
  if (holder.some((each) => numbersIn(each, totalMembers).length > 0)) return false; // it says how many there are
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

/** Of `Link: </path?page=2>; rel="next"` (RFC 8288). */
function nextInHeader(header: string | undefined): string | undefined {
  for (const [, href, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters)) return href;
  }
  return undefined;
}

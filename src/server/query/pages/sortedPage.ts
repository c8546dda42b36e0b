import { ApiFailure } from '../../http/apiFailure.ts';
import type { Sort } from '../decisions/query.ts';
import {
  compareSorted,
  positionAsJson,
  positionFromJson,
  SmallestItems,
  type SortPosition,
} from '../decisions/sortPosition.ts';
import { decode, encode, type Page, pageLimit } from './paging.ts';

/**
 * A page in the order of a field. All matches are compared for each page, and only the page's are stored. The cursor is
 * the position of the last one shown, so that pages neither repeat nor skip unchanged records.
 */
export class SortedPage<T extends SortPosition> {
  readonly #sort: Sort;
  readonly #limit: number;
  readonly #after: SortPosition | undefined;
  readonly #first: SmallestItems<T>;

  /** Throws 400 if `limit` or `next` is invalid. */
  constructor(parameters: URLSearchParams, sort: Sort) {
    this.#sort = sort;
    this.#limit = pageLimit(parameters);
    this.#after = positionIn(parameters);
    this.#first = new SmallestItems(this.#limit + 1, (a, b) => compareSorted(a, b, sort));
  }

  add(one: T): void {
    if (this.#after === undefined || compareSorted(this.#after, one, this.#sort) < 0) this.#first.add(one);
  }

  page(): Page<T> {
    const found = this.#first.sorted();
    const shown = found.slice(0, this.#limit);
    const last = shown.at(-1);
    const nextCursor = found.length > shown.length && last !== undefined ? encode(positionAsJson(last)) : undefined;
    return { shown, nextCursor, limit: this.#limit };
  }
}

function positionIn(parameters: URLSearchParams): SortPosition | undefined {
  const text = parameters.get('next');
  if (text === null) return undefined;
  const place = positionFromJson(decode(text));
  if (place === undefined) throw new ApiFailure(400, 'next is not a cursor of this query');
  return place;
}

import type { JsonObject, JsonValue } from '../../../base/json/json.ts';
import type { Pointer } from '../../../base/json/pointer.ts';
import { longestSortText } from '../../http/limits.ts';
import type { Sort } from './query.ts';
import { compareKeys, type SortKey, sortKeyOfText, sortText } from './queryMatch.ts';

/**
 * A position in the order of a field: the field, then `tie`, which is unique. It contains all compared values, so that
 * a page can continue after it even if records were changed or deleted.
 */
export interface SortPosition {
  readonly key: SortKey;
  readonly tie: Pointer;
}

export function sortPosition(fields: JsonObject, { by }: Sort, tie: SortPosition['tie']): SortPosition {
  return { key: sortKeyOfText(sortText(fields, by).slice(0, longestSortText)), tie };
}

export function compareSorted(a: SortPosition, b: SortPosition, sort: Sort): number {
  return compareKeys(a.key, b.key, sort) || compareTies(a.tie, b.tie);
}

function compareTies(a: SortPosition['tie'], b: SortPosition['tie']): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? '';
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** The position as JSON, for a `next` link. */
export function positionAsJson({ key, tie }: SortPosition): Pointer {
  return [key.text, ...tie];
}

/** Returns undefined if the value is not from `positionAsJson`. */
export function positionFromJson(value: JsonValue): SortPosition | undefined {
  if (!Array.isArray(value)) return undefined;
  const [text, ...tie] = value.filter((item) => typeof item === 'string' || typeof item === 'number');
  if (typeof text !== 'string' || tie.length === 0 || tie.length + 1 !== value.length) return undefined;
  return { key: sortKeyOfText(text.slice(0, longestSortText)), tie };
}

/** Selects the first `most` of any number of items, with at most twice as many in memory. */
export class SmallestItems<T> {
  readonly #most: number;
  readonly #compare: (a: T, b: T) => number;
  #kept: T[] = [];
  #last: T | undefined;

  constructor(most: number, compare: (a: T, b: T) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(one: T): void {
    if (this.#last !== undefined && this.#compare(one, this.#last) >= 0) return;
    this.#kept.push(one);
    if (this.#kept.length < 2 * this.#most) return;
    this.#kept = [...this.sorted()];
    this.#last = this.#kept.at(-1);
  }

  sorted(): readonly T[] {
    return this.#kept.toSorted(this.#compare).slice(0, this.#most);
  }
}

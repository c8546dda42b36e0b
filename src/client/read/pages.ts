import { isArray, isObject, type JsonObject, own, stringAt } from '../../schema/json/json.ts';
import { badReply } from '../http/apiError.ts';
import { endlessList, type ReplyBounds, size, tooLarge } from '../http/bounds.ts';
import type { Reply } from '../http/requester.ts';
import { linkTo } from './liveResource.ts';

export interface PageSource {
  /** The path of the first page, for messages too. */
  readonly path: string;
  readonly read: (path: string) => Promise<Reply>;
  /** The path of a `next` link, below the endpoint. Throws for one that leads elsewhere. */
  readonly locate: (next: string) => string;
  readonly bounds: ReplyBounds;
}

/**
 * The items of a first page and of all that follow it. A list that does not end, or that takes too much memory, is an
 * error: half of it would be a plan that creates what is there.
 */
export async function allPages(first: Reply, source: PageSource): Promise<readonly JsonObject[]> {
  const { bounds } = source;
  const progress = new PageProgress(source);
  const items: JsonObject[] = [];
  for (let page = first; ; ) {
    const found = itemsOf(page.record, source.path);
    for (const item of found) items.push(item);
    const next = linkTo(page.record, 'next');
    if (items.length > bounds.records) throw tooLarge(`GET ${source.path}: the list`, `${bounds.records} records`);
    if (next === undefined) return items;
    page = await source.read(progress.advance(page, found, source.locate(next)));
  }
}

/** Errors: `api.bad-reply` where there are none: an answer that is no list may not be taken for an empty one. */
export function itemsOf(page: JsonObject, path: string): readonly JsonObject[] {
  const found = own(page, 'items');
  if (!isArray(found)) throw badReply(`${path}: the answer is a list without items`);
  // An omitted record would be taken for absent.
  return found.map((item) => {
    if (isObject(item)) return item;
    throw badReply(`${path}: the answer is a list with an item that is not a record`);
  });
}

/** Whether there is any end to be hoped for. */
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

  /** Takes note of a page before the next one is read; returns the path of that one. */
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

  #bringsNew(items: readonly JsonObject[]): boolean {
    const before = this.#known.size;
    for (const item of items) {
      const id = stringAt(item, 'id');
      if (id !== undefined) this.#known.add(id);
    }
    return this.#known.size > before;
  }
}

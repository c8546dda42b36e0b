import { isObject, type JsonObject, own } from '../base/json/json.ts';
import { causeText } from '../base/thrown.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { actsForWorkloads } from '../kinds/kindFacts.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { queryMatches } from '../schema/facts/queryWords.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { isDeclarable, type Kind, kindsInGvcs } from '../schema/record/kinds.ts';
import type { Ref } from '../schema/record/ref.ts';
import { ApiError, isCode } from './http/apiError.ts';
import type { ReplyBounds } from './http/bounds.ts';
import type { Request } from './http/exchange.ts';
import type { Reply } from './http/requester.ts';
import { IncompleteList } from './incompleteList.ts';
import { refOfItem, toLive } from './liveResource.ts';
import { allPages, itemsOf, nextOf, type Pages, saysMore } from './pages.ts';
import { collection, item, orgCollection } from './paths.ts';

/** The match, terms and order of a query (platform/query). */
export interface QuerySpec {
  readonly match: (typeof queryMatches)[number];
  readonly terms: readonly JsonObject[];
  /** `{by, order}`. Without it the platform chooses the order. */
  readonly sort?: JsonObject;
}

/** The parts of a client that a reader needs. */
export interface Wire {
  readonly org: string;
  readonly capabilities: Capabilities;
  readonly bounds: ReplyBounds;
  /** A request that changes nothing. `hasOtherWay`: it is retried only briefly. */
  ask(request: Request, hasOtherWay?: true): Promise<Reply>;
  locate(next: string, from: string): string;
}

export const pageSize = 1000;

/**
 * Reads collections as records, regardless of what the platform shows in a list. It learns once per kind what an item
 * of a list contains, and once per run how a list continues.
 */
export class Reader {
  readonly #wire: Wire;
  readonly #slim = new Map<Kind, Promise<boolean>>();
  #signals: Promise<void> | undefined;
  #hiding: Promise<void> | undefined;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** All pages. Rejects with `IncompleteList` if more records exist. */
  list(kind: Kind, gvc?: string): Promise<readonly LiveResource[]> {
    return this.#collect(kind, { method: 'GET', path: collection(this.#wire.org, kind, gvc) }, gvc);
  }

  /** The same for matching records, in all GVCs. */
  query(kind: Kind, spec: QuerySpec): Promise<readonly LiveResource[]> {
    const body: JsonObject = { kind, fetch: 'items', spec: { ...spec } };
    return this.#collect(kind, { method: 'POST', path: `${orgCollection(this.#wire.org, kind)}/-query`, body });
  }

  /**
   * Everything in a GVC. Rejects with `IncompleteList` if it cannot be listed completely. `listsNothing`: the platform
   * is known to have no lists of the org.
   */
  async children(gvc: string, listsNothing: boolean): Promise<readonly LiveResource[]> {
    const lists = await Promise.allSettled(kindsInGvcs().map((kind) => this.#childrenOf(kind, gvc, listsNothing)));
    const failed = lists.flatMap((list) => (list.status === 'rejected' ? [list.reason] : []));
    const records = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : recordsOf(list.reason)));
    if (failed.length === 0) return records;
    const other = failed.find((error) => !(error instanceof IncompleteList));
    if (other !== undefined) throw other;
    throw new IncompleteList(`the content of the GVC ${gvc}`, failed.map(causeText).join('; '), records);
  }

  /** If GVCs have no lists, the list of the org is filtered. */
  async #childrenOf(kind: Kind, gvc: string, listsNothing: boolean): Promise<readonly LiveResource[]> {
    try {
      return await this.list(kind, gvc);
    } catch (error) {
      if (!isUnserved(error) || isCode(error, 'api.forbidden', 'api.unauthorized')) throw error;
      if (isCode(error, 'api.not-found')) await this.record({ kind: 'gvc', name: gvc }); // the GVC may be deleted
      if (listsNothing) throw error;
      const all = await this.list(kind).catch((second: unknown) => {
        throw second instanceof IncompleteList ? second : error;
      });
      return all.filter(({ ref }) => ref.gvc === gvc);
    }
  }

  /** Reads a record by name; a secret without its value. */
  async record(ref: Ref): Promise<LiveResource> {
    const { record } = await this.#wire.ask({ method: 'GET', path: item(this.#wire.org, ref) });
    return toLive(ref.kind, record, ref.gvc);
  }

  /**
   * Undefined if the record does not exist. A 403 means that it exists and is hidden, unless the platform also answers
   * 403 to an unused name: then nothing is known, and a creation is refused if the name is taken.
   */
  async absent(ref: Ref, read: () => Promise<LiveResource>): Promise<LiveResource | undefined> {
    try {
      return await read();
    } catch (error) {
      if (isCode(error, 'api.not-found')) return undefined;
      if (!isCode(error, 'api.forbidden')) throw error;
      this.#hiding ??= this.#learnHiding(ref);
      await this.#hiding;
      if (this.#wire.capabilities.isOtherwise('read.absent')) return undefined;
      throw error;
    }
  }

  async #learnHiding(ref: Ref): Promise<void> {
    const { capabilities, org, ask } = this.#wire;
    if (capabilities.of('read.absent') !== undefined) return;
    try {
      await ask({ method: 'GET', path: item(org, { ...ref, name: 'gantry-unknown' }) }, true);
    } catch (error) {
      if (isCode(error, 'api.not-found')) capabilities.learn('read.absent', 'holds');
      else if (isCode(error, 'api.forbidden')) capabilities.learn('read.absent', 'otherwise');
      else if (!(error instanceof ApiError)) throw error;
    }
  }

  async #collect(kind: Kind, request: Request, gvc?: string): Promise<readonly LiveResource[]> {
    const { ask, locate, bounds, capabilities } = this.#wire;
    const { path, reply } = await this.#firstPage(request);
    const pages = await allPages(reply, {
      path,
      read: (next) => ask({ method: 'GET', path: next }),
      repeat: (next) => ask({ ...request, path: next }),
      locate,
      bounds,
      limit: pageSize,
    });
    if (pages.isFollowed) capabilities.learn('read.pages', 'holds');
    // A list that names its own address also names that of the next page.
    const isLinked = pages.isFollowed || hrefOf(reply.record, 'self') !== undefined;
    const gap = pages.gap ?? (isLinked ? undefined : await this.#silentGap(request, pages));
    const found = await this.#records(kind, pages.items, gvc);
    const why = gap ?? found.gap;
    if (why === undefined) return found.records;
    throw new IncompleteList(`${request.method} ${request.path}`, why, found.records);
  }

  /** A platform that refuses unknown parameters is queried without a limit. */
  async #firstPage(request: Request): Promise<{ readonly path: string; readonly reply: Reply }> {
    const { ask, capabilities } = this.#wire;
    const limited = `${request.path}?limit=${pageSize}`;
    if (!capabilities.isOtherwise('read.limit')) {
      try {
        return { path: limited, reply: await ask({ ...request, path: limited }, true) };
      } catch (error) {
        if (!isCode(error, 'api.invalid')) throw error;
        const reply = await ask(request, true).catch(() => {
          throw error;
        });
        capabilities.learn('read.limit', 'otherwise');
        return { path: request.path, reply };
      }
    }
    return { path: request.path, reply: await ask(request, true) };
  }

  /** Why a list that does not name a next page may still be incomplete. */
  async #silentGap(request: Request, { items, isFull }: Pages): Promise<string | undefined> {
    const { capabilities } = this.#wire;
    if (items.length < 2 || capabilities.of('read.pages') === 'holds') return undefined;
    this.#signals ??= this.#learnSignals(request);
    await this.#signals;
    if (capabilities.isOtherwise('read.pages')) return 'the platform cuts lists without a sign';
    if (isFull && capabilities.of('read.pages') === undefined) {
      return `it shows ${items.length}, which may be the most of one page, and no sign of an end`;
    }
    return undefined;
  }

  /** A list of several, requested with a limit of one, shows whether the platform reports that it cuts lists. */
  async #learnSignals(request: Request): Promise<void> {
    const { ask, capabilities } = this.#wire;
    if (capabilities.of('read.pages') !== undefined) return;
    try {
      if (capabilities.isOtherwise('read.limit')) return;
      const path = `${request.path}?limit=1`;
      const page = await ask({ ...request, path }, true);
      const count = itemsOf(page.record, path).length;
      if (count !== 1) return; // it does not cut
      const isSaid = nextOf(page) !== undefined || saysMore(page, count) !== undefined;
      capabilities.learn('read.pages', isSaid ? 'holds' : 'otherwise');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // then nothing is known
    }
  }

  /** The items as records: incomplete ones are read by name. */
  async #records(kind: Kind, items: readonly JsonObject[], gvc: string | undefined): Promise<Records> {
    const { capabilities } = this.#wire;
    const isKnownSlim = capabilities.isOtherwise('read.items');
    const looks = (each: JsonObject) => looksSlim(kind, each) || (isKnownSlim && isBare(kind, each));
    const slim = isDeclarable(kind) ? items.find(looks) : undefined;
    if (slim !== undefined) await capabilities.beingLearnt;
    const isWhole = slim === undefined || capabilities.of('read.items') === 'holds';
    if (isWhole || !(await this.#isSlim(kind, refOfItem(kind, slim, gvc), slim))) {
      return { records: items.map((each) => toLive(kind, each, gvc)) };
    }
    capabilities.learn('read.items', 'otherwise');
    const unread: string[] = [];
    const records = await Promise.all(
      items.map(async (each) => {
        const ref = refOfItem(kind, each, gvc);
        try {
          return [await this.record(ref)];
        } catch (error) {
          if (isCode(error, 'api.forbidden')) unread.push(ref.name);
          else if (!isCode(error, 'api.not-found')) throw error; // deleted since
          return [];
        }
      }),
    );
    const gap = unread.length === 0 ? {} : { gap: `${unread.length} of its records cannot be read` };
    return { records: records.flat(), ...gap };
  }

  /** Whether a record has more than its item in a list; determined once for each kind. */
  #isSlim(kind: Kind, ref: Ref, slim: JsonObject): Promise<boolean> {
    const known = this.#slim.get(kind);
    if (known !== undefined) return known;
    const asked = this.#wire.ask({ method: 'GET', path: item(this.#wire.org, ref) }).then(
      ({ record }) => hasMore(record, slim),
      (error: unknown) => {
        if (!isCode(error, 'api.not-found', 'api.forbidden')) throw error;
        this.#slim.delete(kind); // it was deleted, or shows nothing: the next list decides
        return true;
      },
    );
    this.#slim.set(kind, asked);
    return asked;
  }
}

interface Records {
  readonly records: readonly LiveResource[];
  readonly gap?: string;
}

/** Whether a member of every record is missing, so that it may be incomplete. */
function looksSlim(kind: Kind, record: JsonObject): boolean {
  return (
    ['id', 'name', 'version', 'tags'].some((member) => own(record, member) === undefined) ||
    (!actsForWorkloads(kind) && isBare(kind, record))
  );
}

/** The members of every kind, and others that do not describe its content. */
const envelope: ReadonlySet<string> = new Set(
  'name description tags id kind version created lastModified links status origin alias gvc health'.split(' '),
);

/** Whether it has none of its kind's members. An identity may have none, so for it that proves nothing. */
export function isBare(kind: Kind, record: JsonObject): boolean {
  const { fields } = shapeOf(kind);
  if (fields.has('spec')) return isEmpty(record);
  const content = [...fields.keys()].filter((name) => !envelope.has(name));
  return content.length > 0 && content.every((name) => own(record, name) === undefined);
}

function isEmpty(record: JsonObject): boolean {
  const spec = own(record, 'spec');
  return spec === undefined || (isObject(spec) && Object.keys(spec).length === 0);
}

function hasMore(whole: JsonObject, slim: JsonObject): boolean {
  const lacks = Object.keys(whole).some((member) => member !== 'links' && own(slim, member) === undefined);
  return lacks || (isEmpty(slim) && !isEmpty(whole));
}

function recordsOf(error: unknown): readonly LiveResource[] {
  return error instanceof IncompleteList ? error.records : [];
}

/**
 * Whether the platform does not have, or does not allow, this way to records. It may answer 500 to an unknown path; 502
 * to 504 do not mean that.
 */
export function isUnserved(error: unknown): error is ApiError {
  if (error instanceof IncompleteList) return false;
  if (isCode(error, 'api.unavailable')) return error.status === 500;
  return isCode(
    error,
    'api.invalid',
    'api.unauthorized',
    'api.forbidden',
    'api.not-found',
    'api.method',
    'api.bad-reply',
  );
}

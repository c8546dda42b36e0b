import { isArray, isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { suggest } from '../../base/text/suggest.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';
import { nextPage } from '../../client/auditTrail.ts';
import type { Client } from '../../client/client.ts';
import { fetchWhole, type Whole } from '../../client/fetchWhole.ts';
import { fetchDiscovery, type Promises } from '../../client/firstReads.ts';
import { ApiError, isCode } from '../../client/http/apiError.ts';
import { defaultBounds } from '../../client/http/bounds.ts';
import type { Method } from '../../client/http/exchange.ts';
import type { Reply } from '../../client/http/requester.ts';
import { IncompleteList } from '../../client/incompleteList.ts';
import { itemsOf, type Next, nextOf, PageProgress, saysMore, withParameter } from '../../client/pages.ts';
import { collection, isOfSecrets } from '../../client/paths.ts';
import { isUnserved } from '../../client/reader.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { partHidden } from '../../kinds/kindFacts.ts';
import { withShownOnce } from '../../kinds/shownOnce.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { refTo } from '../../schema/record/ref.ts';
import { readAfter, readBack, unlikeCreation } from './lostAnswer.ts';

export interface Listed {
  readonly items: readonly JsonObject[];
  /** More items exist than were requested. */
  readonly isCut: boolean;
  /** The first page without its items. */
  readonly head: JsonObject;
}

/** How requests are shown to users, with `--verbose` and `--debug`. */
export interface Watching {
  request(method: Method, path: string, body: JsonObject | undefined): void;
  reply(record: JsonObject): void;
}

interface ApiPlatform {
  readonly client: Client;
  readonly dialect?: Dialect | undefined;
}

/** The platform as commands on single resources see it: an org, a GVC, and raw requests. */
export class Api {
  readonly org: string;
  /** Undefined if none is set. */
  readonly gvc: string | undefined;
  /** The platform's own vocabulary; undefined if it uses the neutral one. */
  readonly dialect: Dialect | undefined;
  readonly #client: Client;
  readonly #watching: Watching | undefined;
  #discovery: Promise<Promises> | undefined;

  constructor({ client, dialect }: ApiPlatform, gvc: string | undefined, watching?: Watching) {
    this.org = client.org;
    this.gvc = gvc;
    this.dialect = dialect;
    this.#client = client;
    this.#watching = watching;
  }

  get capabilities(): Capabilities {
    return this.#client.capabilities;
  }

  /** The endpoint's own description, if it has one; fetched once. */
  discovery(): Promise<Promises> {
    this.#discovery ??= fetchDiscovery(this.#client);
    return this.#discovery;
  }

  async get(path: string): Promise<JsonObject> {
    return (await this.send('GET', path)).record;
  }

  async send(method: Method, path: string, body?: JsonObject, hidden?: readonly string[]): Promise<Reply> {
    this.#watching?.request(method, path, body);
    const request = {
      method,
      path,
      ...present({ body, hidden }),
    };
    try {
      const reply = await this.#client.call(request);
      this.#watching?.reply(reply.record);
      return path.endsWith('/-reveal') ? reply : { ...reply, record: shown(path, reply.record) };
    } catch (error) {
      if (isCode(error, 'api.not-found') && path.startsWith(`/org/${this.org}/`)) await this.#requireOrg(error);
      throw error;
    }
  }

  /** Checks whether a not-found error is due to a wrong org. Errors: `api.not-found`. */
  async #requireOrg(cause: ApiError): Promise<void> {
    const answer = await this.#client.get('/org', true).catch(() => undefined);
    const names = listAt(answer ?? {}, 'items')
      .filter(isObject)
      .flatMap((org) => stringAt(org, 'name') ?? []);
    if (names.length === 0 || names.includes(this.org)) return;
    const meant = suggest(this.org, names);
    throw new ApiError({
      code: 'api.not-found',
      message: `there is no org ${JSON.stringify(this.org)} that this token can see`,
      hint:
        meant === undefined
          ? `It sees: ${names.join(', ')}. Check --org and GANTRY_ORG.`
          : `Did you mean --org ${meant}?`,
      status: 404,
      cause,
    });
  }

  /** The unparsed answer. */
  async text(path: string): Promise<string> {
    this.#watching?.request('GET', path, undefined);
    return (await this.#client.call({ method: 'GET', path, takesText: true })).text ?? '';
  }

  /** Creates a record: POST, then GET of its `Location`. If the answer is lost, a new record of the name is proof. */
  async create(path: string, body: JsonObject, hidden?: readonly string[]): Promise<JsonObject> {
    const sentMs = performance.now();
    const [kind, name] = [kindNamed(path.split('/').at(-1)), stringAt(body, 'name')];
    try {
      const { record, location } = await this.send('POST', path, body, hidden);
      if (location !== undefined) {
        return withShownOnce(record, await readAfter(() => this.get(this.pathOf(location))));
      }
      if (kind === undefined || name === undefined || stringAt(record, 'name') === name) return record;
      const message = `POST ${path}: the answer does not show the ${kind} ${name}; it may have been carried out`;
      throw new ApiError({ code: 'api.reply-lost', message });
    } catch (error) {
      if (kind === undefined || name === undefined) throw error;
      const ref = refTo(kind, name, /\/gvc\/([^/]+)\//.exec(path)?.[1]);
      const lost = { path: `${path}/${encodeURIComponent(name)}`, kind, body, sentMs };
      return readBack(this, error, { ...lost, differs: (record) => unlikeCreation(ref, record, body, this.org) });
    }
  }

  /** Deletes an existing record. If a retry after a lost answer finds nothing, the deletion has succeeded. */
  async delete(path: string): Promise<void> {
    try {
      await this.send('DELETE', path);
    } catch (error) {
      if (!isCode(error, 'api.not-found') || (await this.#isThere(path))) throw error;
    }
  }

  async #isThere(path: string): Promise<boolean> {
    try {
      await this.get(path);
      return true;
    } catch (error) {
      return !isCode(error, 'api.not-found');
    }
  }

  /** The items of a list, of all its pages; all items if `most` is below 1. */
  list(path: string, most: number): Promise<Listed> {
    const repeat = (next: string) => this.send('GET', next);
    return this.#pages({ path, first: repeat(path), repeat, most });
  }

  /** The same for the audit trail, whose links to further pages differ. */
  listAudit(path: string, most: number, isWanted?: (event: JsonObject) => boolean): Promise<Listed> {
    const repeat = (next: string) => this.send('GET', next);
    const next = ({ record }: Reply): Next | undefined => {
      const address = nextPage(record);
      return address === undefined ? undefined : { by: 'address', address };
    };
    return this.#pages({ path, first: repeat(path), repeat, most, next, within: '', isWanted });
  }

  /** The same for a query. `isWanted`: selects among the matching records. */
  query(path: string, body: JsonObject, most: number, isWanted?: (record: JsonObject) => boolean): Promise<Listed> {
    const repeat = (next: string) => this.send('POST', next, body);
    return this.#pages({ path, first: repeat(path), repeat, most, isWanted });
  }

  /** All records of these kinds, complete even if lists show only parts of them, and why a kind may have more. */
  records(wanted: readonly Whole[]): ReturnType<typeof fetchWhole> {
    for (const { kind, gvc } of wanted) this.#watching?.request('GET', collection(this.org, kind, gvc), undefined);
    return fetchWhole(this.#client, wanted);
  }

  /** Ends the waits between retries and makes no more of them, because the user wants to leave. */
  stopRetrying(): void {
    this.#client.stopRetrying();
  }

  /** The path below the endpoint that a link of an answer names; links to other hosts are refused. */
  pathOf(link: string): string {
    return this.#client.pathOf(link);
  }

  /** The path of a side service, as the platform names it, or else the `usual` one. Errors: `api.bad-reply`. */
  async service(name: string, usual?: string): Promise<string> {
    this.#watching?.request('GET', '/discovery', undefined);
    const said = await this.#client.get('/discovery', true).catch((error: unknown): JsonObject => {
      if (!isUnserved(error)) throw error;
      return {};
    });
    const address = stringAt(objectAt(said, 'endpoints'), name) ?? usual;
    if (address === undefined) throw elsewhere(name, 'the platform does not say where it is');
    return address === '' ? '' : this.below(name, address);
  }

  /** The path of a service's address, without a final `/`. Errors: `api.bad-reply` if it is on another host. */
  below(name: string, address: string): string {
    try {
      return this.#client.pathOf(address, '').replace(/\/+$/, '');
    } catch {
      throw elsewhere(name, `it is at ${address}, and the token is sent to the endpoint only`);
    }
  }

  async #pages({ path, first, most, repeat, next: nextIn = nextOf, within, isWanted }: Pages): Promise<Listed> {
    const progress = new PageProgress({ path, bounds: defaultBounds });
    let page = await first;
    let at = path;
    let read = 0;
    const { items: _, ...head } = page.record;
    const items: JsonObject[] = [];
    for (;;) {
      const found = itemsOf(page.record, path);
      read += found.length;
      items.push(...(isWanted === undefined ? found : found.filter(isWanted)));
      const next = nextIn(page);
      if (next === undefined || (most > 0 && items.length >= most)) {
        const gap = next === undefined ? saysMore(page, read) : undefined;
        // A caller that requests all items may act on them.
        if (gap !== undefined && most <= 0) throw new IncompleteList(path, gap, []);
        const isCut = gap !== undefined || (most > 0 && (next !== undefined || items.length > most));
        return { items: most > 0 ? items.slice(0, most) : items, isCut, head };
      }
      const isAddress = next.by === 'address';
      at = isAddress ? this.#client.pathOf(next.address, within, at) : withParameter(at, next.parameter, next.value);
      const to = progress.advance(page, found, at);
      page = await (isAddress ? this.send('GET', to) : repeat(to));
      if (isAddress || progress.hasNew(itemsOf(page.record, path))) continue;
      if (itemsOf(page.record, path).length > 0) {
        throw new IncompleteList(path, `there are more behind ${next.parameter}, which shows the same again`, []);
      }
    }
  }
}

/** A record, or the records of a list, without the values that only `-reveal` shows: some platforms mask them. */
function shown(path: string, answer: JsonObject): JsonObject {
  const items = own(answer, 'items');
  if (isArray(items)) {
    const clean = items.map((item) => (isObject(item) ? shown(path, item) : item));
    return clean.every((item, index) => item === items[index]) ? answer : { ...answer, items: clean };
  }
  const kind = kindNamed(own(answer, 'kind')) ?? (isOfSecrets(path) ? 'secret' : undefined);
  return kind === undefined ? answer : partHidden(kind, answer).shown;
}

/** A list that is read page by page. */
interface Pages {
  readonly path: string;
  readonly first: Promise<Reply>;
  /** All if below 1. */
  readonly most: number;
  /** The request of the first page, with other parameters. */
  readonly repeat: (path: string) => Promise<Reply>;
  readonly next?: (page: Reply) => Next | undefined;
  /** The prefix of the paths of further pages; by default the org. */
  readonly within?: string;
  readonly isWanted?: ((record: JsonObject) => boolean) | undefined;
}

function elsewhere(name: string, why: string): ApiError {
  return new ApiError({
    code: 'api.bad-reply',
    message: `the service ${name} cannot be used: ${why}`,
    hint: 'Ask who runs the platform for an address that serves it too.',
  });
}

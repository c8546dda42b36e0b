import { trail, type Write } from './audit.ts';
import type { Entry } from './entry.ts';
import { isObject, type Json, type JsonObject, object, same, textOf, without } from './json.ts';
import { patched, RefusedPatch, rulesOf } from './patch.ts';
import { type Place, placeOf } from './place.ts';
import { canonical, inForce, type On, type Shown, shown, type Where } from './present.ts';
import { matches } from './query.ts';
import { isSwitch, type SwitchName } from './switches.ts';

export interface Request {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  /** The `authorization` header of the caller. */
  readonly authorization: string;
}

export interface Answer {
  readonly status: number;
  /** A text is sent as a page of HTML. */
  readonly body?: Json | undefined;
  readonly isHtml?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A change of one record, as this server stores it. */
export interface Change {
  readonly request: number;
  readonly writer: string;
  readonly method: string;
  readonly path: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

export interface Seen {
  readonly writer: string;
  readonly method: string;
  readonly path: string;
  readonly body: Json | undefined;
  status: number;
}

// biome-ignore format: a row is a case
const orgKinds = [
  'gvc', 'domain', 'secret', 'policy', 'group', 'serviceaccount', 'ipset', 'auditctx', 'task', 'location',
];
const gvcKinds = ['workload', 'identity', 'volumeset'];
const responseOnly = ['id', 'kind', 'version', 'created', 'lastModified', 'links', 'status', 'alias', 'health'];
const page = 1;
const audits = ['audit-whole', 'audit-empty', 'audit-cut', 'audit-late', 'audit-without-names', 'audit-403'] as const;

class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

function refusal(status: number, message: string): Answer {
  const code = { 400: 'BAD_REQUEST', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 405: 'METHOD', 409: 'CONFLICT' }[status];
  return { status, body: { status, message, code: code ?? 'ERROR', details: {}, id: 'e-1' } };
}

function refuse(status: number, message: string): never {
  throw new Refused(refusal(status, message));
}

const html: Answer = { status: 200, body: '<!doctype html><html><body><h1>Welcome</h1></body></html>', isHtml: true };

/** The platform in memory. It decides on requests, without any HTTP. */
export class Platform {
  readonly changes: Change[] = [];
  readonly requests: Seen[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #queries: Json[] = [];
  readonly #on: On;
  readonly #now: () => number;
  /** Its address, for links. */
  base = 'http://127.0.0.1';
  #counter = 0;
  #ids = 0;

  constructor(switches: readonly SwitchName[], now: () => number) {
    const chosen = new Set(switches);
    this.#on = (name) => chosen.has(name);
    this.#now = now;
  }

  /** The stored records by path, without filled-in values and other spellings. */
  records(): ReadonlyMap<string, JsonObject & { readonly id: string }> {
    const found = new Map<string, JsonObject & { readonly id: string }>();
    for (const entry of this.#entries.values()) {
      const body = entry.states.at(-1)?.body;
      if (body !== undefined) found.set(entry.path, { ...body, id: entry.id });
    }
    return found;
  }

  /** The same with every default in force. */
  inForce(path: string): JsonObject | undefined {
    const entry = this.#entries.get(path);
    const body = entry?.states.at(-1)?.body;
    return entry === undefined || body === undefined ? undefined : inForce(entry.kind, body, this.#on);
  }

  /** Creates or overwrites a record as another client. */
  plant(path: string, body: JsonObject): void {
    const now = this.#now();
    if (this.#at(path, now) === undefined) this.#entries.set(path, this.#entry(path, placeOf(path), now));
    this.#written(path, body, 'stranger', 'PLANT', 200, now);
  }

  /** Deletes a record as another client. */
  uproot(path: string): void {
    const entry = this.#entries.get(path);
    const last = entry?.states.at(-1);
    if (entry === undefined || last?.body === undefined) return;
    entry.states = [...entry.states, { ...last, at: this.#now(), writer: 'stranger', body: undefined }];
    this.#changed({ writer: 'stranger', method: 'UPROOT', path, before: last.body, after: undefined });
  }

  #entry(path: string, place: Place | undefined, now: number): Entry {
    this.#ids += 1;
    const states = this.#entries.get(path)?.states ?? [];
    const { kind, name } = { kind: place?.kind ?? '', name: place?.name ?? '' };
    return { path, kind, name, id: `id-${this.#ids}`, created: now, states, rises: [], reads: 0 };
  }

  answer(request: Request): Answer {
    const { method, path, body, authorization } = request;
    const writer = authorization.replace(/^Bearer /, '');
    const seen: Seen = { writer, method, path, body, status: 0 };
    this.requests.push(seen);
    const answer = this.#judged(request, writer);
    seen.status = answer.status;
    return answer;
  }

  #judged(request: Request, writer: string): Answer {
    try {
      this.#checkCaller(request);
      return this.#routed(request, writer);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      if (error instanceof RefusedPatch) return refusal(400, error.message);
      throw error;
    }
  }

  #checkCaller({ method, path, query, authorization }: Request): void {
    if (authorization === '' || this.#on('all-401')) refuse(401, 'no key');
    if (this.#on('all-html')) throw new Refused(html);
    if (this.#on('raw-key') && authorization.startsWith('Bearer ')) refuse(401, 'unknown key');
    if (this.#on('params-400') && query.size > 0) refuse(400, `unknown parameter ${[...query.keys()].join(', ')}`);
    const isRead = method === 'GET' || path.endsWith('/-query');
    if (this.#on('read-only') && !isRead) refuse(403, 'this key may not write');
  }

  #routed(request: Request, writer: string): Answer {
    const { method, path } = request;
    const place = placeOf(path);
    if (path.startsWith('/audit/org/')) return this.#audit(path);
    if (place === undefined) return this.#unknown(undefined);
    const { kind, gvc, name, operation } = place;
    const isKnown = gvc === undefined ? [...orgKinds, ...gvcKinds].includes(kind) : gvcKinds.includes(kind);
    if (!isKnown) return this.#unknown(operation === '-query' || name === undefined ? 'list' : undefined);
    if (operation === '-query') return this.#query(request, place);
    if (operation === '-reveal') return this.#reveal(place);
    if (operation !== undefined) return this.#unknown(undefined);
    if (name === undefined) {
      if (method === 'GET') return this.#list(request, place);
      if (method === 'POST' || (method === 'PUT' && !this.#on('put-405'))) return this.#create(request, place, writer);
      return refusal(405, `${method} of a collection`);
    }
    if (gvc === undefined && gvcKinds.includes(kind)) return this.#absent(path);
    if (method === 'GET') return this.#get(path);
    if (method === 'PATCH') return this.#patch(request, writer);
    if (method === 'DELETE') return this.#delete(path, writer);
    return refusal(405, method);
  }

  #audit(path: string): Answer {
    if (!audits.some(this.#on)) return this.#unknown(undefined);
    const writes = [...this.#entries.values()].flatMap((entry) =>
      entry.states.map(({ id, at, writer, body }, index): Write => {
        const before = entry.states[index - 1]?.body;
        const action = body === undefined ? 'delete' : before === undefined ? 'create' : 'edit';
        const record = body === undefined ? this.#at(entry.path, at - 1) : this.#at(entry.path, at);
        const data = record === undefined ? null : this.#show(record, 'read');
        return { at, id, name: entry.name, kind: entry.kind, writer, action, data };
      }),
    );
    const found = trail(path, writes, this.#now(), this.#on);
    return found === undefined ? refusal(403, 'not allowed to read the trail') : { status: 200, body: found };
  }

  #unknown(as: 'list' | undefined): Answer {
    if (this.#on('unknown-html')) return { ...html, status: 404 };
    if (this.#on('unknown-html-200')) return html;
    if (this.#on('unknown-empty-list') && as === 'list')
      return { status: 200, body: { kind: 'list', items: [], links: [] } };
    for (const status of [400, 401, 403, 405, 500, 501]) {
      const name = `unknown-${status}`;
      if (isSwitch(name) && this.#on(name)) return refusal(status, 'this is not known here');
    }
    return refusal(404, 'no such path');
  }

  #absent(path: string): Answer {
    if (this.#on('absent-403')) return refusal(403, 'not allowed');
    if (this.#on('absent-400')) return refusal(400, 'no such record');
    if (this.#on('absent-200-null')) return { status: 200, body: null };
    if (this.#on('absent-html')) return { ...html, status: 404 };
    if (this.#on('absent-empty')) return { status: 404 };
    if (this.#on('gone-410') && this.#entries.has(path)) return refusal(410, 'it is gone');
    return refusal(404, 'no such record');
  }

  /** The record at a moment; undefined before its creation and after its deletion. */
  #at(path: string, moment: number): Shown | undefined {
    const entry = this.#entries.get(path);
    const state = entry?.states.findLast(({ at }) => at <= moment);
    if (entry === undefined || state?.body === undefined) return undefined;
    const version = state.version + entry.rises.filter((at) => at <= moment).length;
    const { kind, name } = entry;
    const { id, created } = state;
    const modified = new Date(state.at).toISOString();
    const common = { path, kind, name, id, reads: entry.reads, version, body: state.body };
    return { ...common, created: new Date(created).toISOString(), modified };
  }

  #lag(isList: boolean): number {
    return this.#on('reads-lag') || (isList && this.#on('lists-lag')) ? 400 : 0;
  }

  #show(record: Shown, where: Where): Json {
    const value = shown(record, where, this.base, this.#on);
    return this.#on('wrapped') && where !== 'item' ? { data: value } : value;
  }

  #get(path: string): Answer {
    const record = this.#at(path, this.#now() - this.#lag(false));
    if (record === undefined) return this.#absent(path);
    const entry = this.#entries.get(path);
    if (entry !== undefined) entry.reads += 1;
    return { status: 200, body: this.#show(record, 'read') };
  }

  #reveal({ org, name }: Place): Answer {
    if (this.#on('reveal-403') || this.#on('reveal-403-data') || this.#on('reveal-403-masked')) {
      return refusal(403, 'not allowed to reveal');
    }
    if (this.#on('reveal-405')) return refusal(405, 'no such method');
    const isAbsent: readonly SwitchName[] = [
      'reveal-absent',
      'reveal-404-data',
      'reveal-404-masked',
      'reveal-404-empty',
    ];
    if (isAbsent.some(this.#on)) return refusal(404, 'no such path');
    const path = `/org/${org}/secret/${name}`;
    const record = this.#at(path, this.#now() - this.#lag(false));
    return record === undefined ? this.#absent(path) : { status: 200, body: this.#show(record, 'reveal') };
  }

  #matching({ org, gvc, kind }: Place): readonly Shown[] {
    const moment = this.#now() - this.#lag(true);
    const prefix = gvc === undefined ? `/org/${org}/` : `/org/${org}/gvc/${gvc}/`;
    return [...this.#entries.values()]
      .filter((entry) => entry.kind === kind && entry.path.startsWith(prefix))
      .flatMap(({ path }) => this.#at(path, moment) ?? [])
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  #list(request: Request, place: Place): Answer {
    if (this.#on('no-collections') || this.#on('query-and-lists-absent')) return refusal(405, 'no such method');
    if (this.#on('collections-404')) return refusal(404, 'no such path');
    const isAcross = place.gvc === undefined && gvcKinds.includes(place.kind);
    if (isAcross && this.#on('lists-under-gvc')) return refusal(404, 'no such path');
    if (place.gvc !== undefined && this.#at(`/org/${place.org}/gvc/${place.gvc}`, this.#now()) === undefined) {
      return this.#absent(`/org/${place.org}/gvc/${place.gvc}`);
    }
    return this.#paged(request, place, this.#matching(place), '');
  }

  #isAsked(record: Shown, query: JsonObject): boolean {
    const found = matches(record, query, this.#on);
    return typeof found === 'boolean' ? found : refuse(400, found.refused);
  }

  #query(request: Request, place: Place): Answer {
    if (this.#on('no-query') || this.#on('query-and-lists-absent')) return refusal(404, 'no such path');
    if (this.#on('query-405')) return refusal(405, 'no such method');
    if (this.#on('query-500')) return refusal(500, 'something went wrong');
    if (this.#on('query-html')) return html;
    if (this.#on('query-without-limit') && request.query.has('limit')) return refusal(400, 'unknown parameter limit');
    const kept = request.query.get('q');
    const body = kept === null ? request.body : this.#queries[Number(kept)];
    if (!isObject(body)) return refusal(400, 'no query');
    const number = kept === null ? this.#queries.push(body) - 1 : Number(kept);
    const found = this.#on('query-empty') ? [] : this.#matching(place).filter((one) => this.#isAsked(one, body));
    return this.#paged(request, place, found, `&q=${number}`);
  }

  #paged({ path, query }: Request, { kind }: Place, all: readonly Shown[], more: string): Answer {
    const on = this.#on;
    // biome-ignore format: a row is a case
    const names = [
      'cut-next', 'cut-nextLink', 'cut-links-next', 'cut-links-next-relative', 'cut-next-relative',
    ] as const;
    // biome-ignore format: a row is a case
    const others = [
      'cut-link-header', 'cut-token', 'cut-cursor', 'cut-total', 'cut-silently', 'cut-other-host',
    ] as const;
    const isCut = [...names, ...others].some(on);
    const number = Number(query.get('page') ?? query.get('pageToken') ?? query.get('cursor') ?? '1');
    const from = isCut ? (number - 1) * page : 0;
    const records = isCut ? all.slice(from, from + page) : all;
    const items = records.map((record) => this.#show(record, 'item'));
    const next = isCut && from + page < all.length ? number + 1 : undefined;
    if (on('list-is-array')) return { status: 200, body: items };
    const list: JsonObject = on('list-under-data')
      ? { kind: 'list', data: items }
      : { kind: 'list', itemKind: kind, items };
    const links: JsonObject[] = [{ rel: 'self', href: path }];
    if (next === undefined) return { status: 200, body: { ...list, ...(on('links-none') ? {} : { links }) } };
    const address = `${path}?page=${next}${more}`;
    const relative = `?page=${next}${more}`;
    if (on('cut-links-next') || on('cut-links-next-relative') || on('cut-other-host')) {
      const elsewhere = `http://elsewhere.platform.example${address}`;
      const href = on('cut-links-next') ? address : on('cut-other-host') ? elsewhere : relative;
      links.push({ rel: 'next', href });
    }
    const members = object({
      next: on('cut-next') ? address : on('cut-next-relative') ? relative : undefined,
      nextLink: on('cut-nextLink') ? `${this.base}${address}` : undefined,
      nextPageToken: on('cut-token') ? String(next) : undefined,
      cursor: on('cut-cursor') ? String(next) : undefined,
      total: on('cut-total') ? all.length : undefined,
    });
    const headers = on('cut-link-header') ? { link: `<${address}>; rel="next"` } : undefined;
    const body = { ...list, links, ...members };
    return headers === undefined ? { status: 200, body } : { status: 200, body, headers };
  }

  #create({ body, path: collection }: Request, place: Place, writer: string): Answer {
    if (!isObject(body)) return refusal(400, 'no record');
    const name = textOf(body['name']);
    const { org, kind, gvc } = place;
    if (name === '') return refusal(400, 'no name');
    if (gvcKinds.includes(kind) && gvc === undefined) return refusal(400, 'no GVC');
    const now = this.#now();
    if (gvc !== undefined && this.#at(`/org/${org}/gvc/${gvc}`, now) === undefined) return refusal(404, 'no such GVC');
    const path = `${collection}/${name}`;
    const last = this.#entries.get(path)?.states.at(-1);
    if (last !== undefined && (last.body !== undefined || last.at > now)) {
      if (!this.#on('post-upserts')) return refusal(409, `${name} exists`);
      return this.#written(path, this.#stored(body, kind), writer, 'POST', 200, now);
    }
    if (last !== undefined && this.#on('replaced-name-reserved') && now < last.at + 300) {
      return refusal(409, `the name ${name} is still in use`);
    }
    const isLater = (kind === 'gvc' && this.#on('gvc-in-background')) || this.#on('all-in-background');
    const stored = this.#stored(patched({}, body, rulesOf(this.#on)), kind);
    this.#entries.set(path, this.#entry(path, { ...place, name }, now));
    const at = isLater ? now + (kind === 'gvc' && this.#on('gvc-in-background') ? 300 : 100) : now;
    const status = isLater ? 202 : this.#on('create-answers-200') ? 200 : 201;
    return this.#written(path, stored, writer, 'POST', status, at);
  }

  /** The part of a written record that the platform stores. */
  #stored(body: JsonObject, kind: string): JsonObject {
    const tags = isObject(body['tags']) ? body['tags'] : {};
    if (this.#on('tags-refuse-slash') && Object.keys(tags).some((key) => key.includes('/'))) {
      refuse(400, 'the key of a tag has a slash');
    }
    if (this.#on('tags-max-200') && Object.values(tags).some((value) => String(value).length > 200)) {
      refuse(400, 'the value of a tag is too long');
    }
    const written = without(body, ...responseOnly, 'name', ...(this.#on('tags-not-kept') ? ['tags'] : []));
    const own = ['acme/zone', 'acme/write'];
    const kept = written['tags'] === undefined ? written : { ...written, tags: without(tags, ...own) };
    return canonical(kept, kind, this.#on);
  }

  #patch({ body, path }: Request, writer: string): Answer {
    const on = this.#on;
    const now = this.#now();
    const record = this.#at(path, now);
    if (record === undefined) return this.#absent(path);
    if (!isObject(body)) return refusal(400, 'no patch');
    const { id, version, name } = body;
    if (on('patch-refuses-id-and-version') && id !== undefined) return refusal(400, 'id is read-only');
    if ((on('patch-refuses-id-and-version') || on('patch-refuses-version')) && version !== undefined) {
      return refusal(400, 'version is read-only');
    }
    const isPinned = !(['versions-ignored', 'versions-count-all-ignored'] as const).some(on);
    const isOther = version !== undefined && String(version) !== String(on('versions-constant') ? 1 : record.version);
    if (isPinned && isOther) return refusal(409, 'another version');
    if (isPinned && id !== undefined && id !== record.id) return refusal(409, 'another id');
    if (name !== undefined && name !== record.name) return refusal(400, 'a name cannot be changed');
    const sent = on('false-dropped') ? canonical(body, record.kind, on) : body;
    const after = this.#stored(
      patched(record.body, without(sent, ...responseOnly, 'name'), rulesOf(this.#on)),
      record.kind,
    );
    const isCounted = on('versions-count-all') || on('versions-count-all-ignored') || !same(record.body, after);
    const before = this.#show(record, 'answer');
    const answer = isCounted ? this.#written(path, after, writer, 'PATCH', 200, now) : { status: 200, body: before };
    if (on('patch-answers-old')) return { ...answer, body: before };
    if (on('patch-answers-echo')) return { ...answer, body };
    return on('patch-answers-204') ? { status: 204 } : answer;
  }

  #written(path: string, body: JsonObject, writer: string, method: string, status: number, at: number): Answer {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new Error(`no entry ${path}`);
    const last = entry.states.at(-1);
    this.#counter += 1;
    const rises = entry.rises.filter((rise) => rise <= at).length;
    const step = this.#on('versions-jump') ? 7 : 1;
    const first = this.#on('versions-from-0') ? 0 : 1;
    const counted = last?.body === undefined ? first : last.version + step;
    const isTimed = this.#on('versions-epoch');
    const version = this.#on('versions-global') ? this.#counter : isTimed ? Math.max(at, counted) : counted;
    if (rises > 0) entry.rises = [];
    const { id, created } = entry;
    entry.states = [...entry.states, { id, created, at, writer, version: version + rises, body }];
    if (this.#on('versions-rise')) entry.rises = [at + 30];
    if (this.#on('versions-rise-twice')) entry.rises = [at + 10, at + 200];
    this.#changed({ writer, method, path, before: last?.body, after: body });
    if (this.#on('writes-answer-204')) return { status: 204 };
    const record = this.#at(path, at);
    if (method === 'POST' && this.#on('create-answers-location')) return { status: 201, headers: { location: path } };
    if (method === 'POST' && this.#on('create-answers-name'))
      return { status: 201, body: { name: record?.name ?? '' } };
    return { status, body: record === undefined ? null : this.#show(record, 'answer') };
  }

  #changed(change: Omit<Change, 'request'>): void {
    this.changes.push({ ...change, request: this.requests.length - 1 });
  }

  #delete(path: string, writer: string): Answer {
    const now = this.#now();
    const record = this.#at(path, now);
    if (record === undefined) return this.#absent(path);
    const inside = [...this.#entries.values()].filter(
      (entry) => entry.path.startsWith(`${path}/`) && entry.states.at(-1)?.body !== undefined,
    );
    if (inside.length > 0 && this.#on('gvc-delete-needs-empty')) return refusal(409, 'the GVC is not empty');
    const short = path.replace(/^\/org\/[^/]+\//, '//');
    const refers = new RegExp(`(${escaped(path)}|${escaped(short)}|${escaped(short.slice(2))})["./]`);
    const isUsed = [...this.records()].some(([other, body]) => other !== path && refers.test(JSON.stringify(body)));
    if (isUsed && this.#on('delete-used-409')) return refusal(409, 'it is in use');
    const at = this.#on('delete-in-background') ? now + 300 : now;
    for (const entry of [...inside, ...[this.#entries.get(path)].filter((one) => one !== undefined)]) {
      const last = entry.states.at(-1);
      const { id, created } = entry;
      entry.states = [...entry.states, { id, created, at, writer, version: last?.version ?? 0, body: undefined }];
      this.#changed({ writer, method: 'DELETE', path: entry.path, before: last?.body, after: undefined });
    }
    if (this.#on('delete-in-background')) return { status: 202 };
    return this.#on('delete-answers-record') ? { status: 200, body: this.#show(record, 'answer') } : { status: 204 };
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

import { isObject, type JsonObject, type JsonValue, listAt, own } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { Capabilities } from '../capabilities/capabilities.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { hiddenField, isUnrevealed } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { checkHidden, requestBody } from '../manifest/model/body.ts';
import { declarableKinds, type Kind } from '../schema/record/kinds.ts';
import type { BodyProblem } from '../schema/record/problem.ts';
import { formatRef, type Ref } from '../schema/record/ref.ts';
import { listsNothing, ownedOrNamed, Ways } from './collections.ts';
import { hiddenTexts } from './hiddenTexts.ts';
import { AdaptiveLimit } from './http/adaptiveLimit.ts';
import type { Answer } from './http/answer.ts';
import { ApiError, badReply, bodyProblems, isCode } from './http/apiError.ts';
import { defaultBounds, type ReplyBounds } from './http/bounds.ts';
import {
  type Exchange,
  type Gate,
  gated,
  judgeFailure,
  openExchange,
  type Request,
  type RequestWatch,
  watched,
} from './http/exchange.ts';
import { type Reply, Requester } from './http/requester.ts';
import { RetryBudget } from './http/retryPolicy.ts';
import { toLive } from './liveResource.ts';
import { collection, inOrg, item } from './paths.ts';
import { isUnserved, type QuerySpec, Reader } from './reader.ts';
import { readViews, type Views, viewsEverything } from './views.ts';

export interface ClientOptions {
  /**
   * `https://host[:port]`, or several of one platform, separated by commas: if one cannot be reached, the next is used.
   */
  readonly endpoint: string;
  readonly token?: string | undefined;
  readonly org: string;
  /** Connections, which limit concurrent requests. @default 64 */
  readonly concurrency?: number;
  /** Never lowers the concurrency, even under strain; for comparisons. */
  readonly fixedConcurrency?: boolean;
  /** For one attempt of one request. @default 90,000, as other clients of this platform */
  readonly timeoutMs?: number;
  /** The maximum size of an answer, and of a list. */
  readonly bounds?: Partial<ReplyBounds>;
  /** Attempts for one request, including the first. @default 10 */
  readonly attempts?: number;
  /** The run's budget of retries, which successes refill. @default 200 */
  readonly retryBudget?: number;
  /** In [0, 1); for the jitter of delays. */
  readonly random?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Milliseconds, only for differences. @default real time */
  readonly now?: () => number;
  readonly onRetry?: (request: string, delayMs: number, because: string) => void;
  /** Called for every attempt of a request. */
  readonly watch?: RequestWatch | undefined;
  /** Called before every attempt of a request. */
  readonly gate?: Gate | undefined;
  /** The platform's own vocabulary; without it nothing is translated. */
  readonly dialect?: Dialect | undefined;
  /** Any certificate is accepted. */
  readonly insecure?: boolean | undefined;
  /** Certificates in PEM, trusted in addition to those of the system. */
  readonly authorities?: string | undefined;
  /** The token may view everything, so its permissions are not read. */
  readonly seesEverything?: true;
  /** Prior knowledge of the platform, to which the client adds what it learns. @default nothing */
  readonly capabilities?: Capabilities | undefined;
  /** Replaces HTTP to the endpoint, for a platform in this process, or one with deliberate faults. */
  readonly exchange?: Exchange;
}

/**
 * The platform over HTTP. It satisfies the port of `apply/` by shape alone; every failure is an ApiError with one of
 * the codes listed there.
 */
export interface Client {
  readonly org: string;
  /** The facts that are known about the platform so far. */
  readonly capabilities: Capabilities;
  /** Requests sent so far, retries included. */
  requests(): number;

  create(ref: Ref, body: JsonObject, marked?: readonly string[]): Promise<LiveResource>;
  /** A dry run: the problems in the body of a creation. Only if `/discovery` says `dryRun: honoured`. */
  tryCreate(ref: Ref, body: JsonObject, marked?: readonly string[]): Promise<readonly BodyProblem[]>;
  patch(ref: Ref, body: JsonObject, marked?: readonly string[]): Promise<LiveResource>;
  /**
   * `not-found`: the platform answers 404, which only a read confirms. `isStillNeeded` is called before each retry;
   * false if the retry is not needed.
   */
  delete(ref: Ref, isStillNeeded?: () => Promise<boolean>): Promise<'accepted' | 'not-found'>;
  read(ref: Ref): Promise<LiveResource | undefined>;
  /** The same without the value of a secret. */
  record(ref: Ref): Promise<LiveResource | undefined>;
  children(gvc: string): Promise<readonly LiveResource[]>;
  deployments(ref: Ref): Promise<readonly JsonObject[]>;
  /**
   * The records that carry the owner's tag; of all kinds unless some are given. `expected`: read by name if a list does
   * not show them.
   */
  owned(owner: string, kinds?: readonly Kind[], expected?: readonly Ref[]): Promise<readonly LiveResource[]>;

  /** A raw GET below the endpoint. `isOptional`: the platform may not have it, so a 500 is retried only briefly. */
  get(path: string, isOptional?: true): Promise<JsonObject>;
  /** Any request below the endpoint. GET and DELETE are retried after transient failures, others are not. */
  call(request: Request): Promise<Reply>;
  /** Any request below the endpoint, once, and its answer, of any status. */
  ask(request: Request): Promise<Answer>;
  /**
   * The path below the endpoint that a link names, also relative to `from`; default: in the org. Errors:
   * `api.bad-reply`.
   */
  pathOf(link: string, within?: string, from?: string): string;
  /** The requests for records that the platform is known not to support. */
  readonly ways: Ways;
  /** The whole collection, all pages. Rejects with `IncompleteList` if more records exist. */
  list(kind: Kind, gvc?: string): Promise<readonly LiveResource[]>;
  /** Org-level, also for GVC-scoped kinds; all pages. Rejects as `list` does. */
  query(kind: Kind, spec: QuerySpec): Promise<readonly LiveResource[]>;
  /**
   * A secret with its `data`; without it if that is not allowed, or if the platform has no `-reveal`: then a read by
   * name decides whether it exists. `shown` replaces that read if it is not allowed.
   */
  reveal(ref: Ref, shown?: LiveResource): Promise<LiveResource>;
  /** The views that the token certainly has; read once. */
  views(): Promise<Views>;
  /** From now on nothing is retried: waits end, and failures are final. Requests in progress continue. */
  stopRetrying(): void;
  close(): Promise<void>;
}

const safe = { safe: true } as const;
const unsafe = { safe: false } as const;
const none: Reply = { record: {}, bytes: 0 };
export const defaultConcurrency = 64;

export function makeClient(options: ClientOptions): Client {
  const { org, capabilities = new Capabilities() } = options;
  const requester = makeRequester(options);
  const checked = (request: Request): Request =>
    request.body === undefined ? request : { ...request, body: requestBody(request.body) };
  const send: Requester['send'] = (request, how) => requester.send(checked(request), how);

  async function get(path: string, isOptional?: true): Promise<JsonObject> {
    return (await ask({ method: 'GET', path }, isOptional)).record;
  }

  async function ask(request: Request, hasOtherWay?: true): Promise<Reply> {
    return (await send(request, hasOtherWay === true ? { safe: true, hasOtherWay } : safe)) ?? none;
  }

  const reader = new Reader({
    org,
    capabilities,
    bounds: { ...defaultBounds, ...options.bounds },
    ask,
    locate: (next, from) => nextPath(next, endpointsOf(options.endpoint), inOrg(org), from),
  });
  const lists = {
    capabilities,
    ways: new Ways(),
    list: (kind: Kind, gvc?: string) => reader.list(kind, gvc),
    query: (kind: Kind, spec: QuerySpec) => reader.query(kind, spec),
    record: (ref: Ref) => reader.absent(ref, () => reader.record(ref)),
  };

  async function reveal(ref: Ref, shown?: LiveResource): Promise<LiveResource> {
    if (capabilities.isOtherwise('secret.reveal')) return shown ?? reader.record(ref);
    try {
      const revealed = toLive(ref.kind, await get(`${item(org, ref)}/-reveal`, true), ref.gvc, true);
      if (!isUnrevealed(ref.kind, revealed.record)) capabilities.learn('secret.reveal', 'holds');
      return revealed;
    } catch (error) {
      if (isCode(error, 'api.forbidden')) return shown ?? reader.record(ref);
      // If reveal has worked before, the record does not exist.
      const isAbsent = isCode(error, 'api.not-found') && capabilities.of('secret.reveal') === 'holds';
      if (isAbsent || !(isUnserved(error) || isCode(error, 'api.redirect'))) throw error;
    }
    const live = await reader.record(ref);
    if (capabilities.of('secret.reveal') === undefined) capabilities.learn('secret.reveal', 'otherwise');
    return live;
  }

  function read(ref: Ref): Promise<LiveResource | undefined> {
    return hiddenField(ref.kind) === undefined ? lists.record(ref) : reader.absent(ref, () => reveal(ref));
  }

  /** The record that a write returned; if the answer is not a record (empty, or what was sent), the stored one. */
  async function written(ref: Ref, record: JsonObject | undefined): Promise<LiveResource> {
    const shown = record === undefined ? undefined : recordIn(ref, record);
    if (shown !== undefined) return shown;
    let found: LiveResource | undefined;
    try {
      found = await read(ref);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw unseen(`${formatRef(ref)} was written, and cannot be read: ${error.message}`, error);
    }
    if (found !== undefined) return found;
    throw unseen(`the platform has accepted ${formatRef(ref)}, and does not show it yet`);
  }

  async function write(
    method: 'POST' | 'PATCH',
    ref: Ref,
    body: JsonObject,
    marked: readonly string[] | undefined,
  ): Promise<LiveResource> {
    checkHidden(ref.kind, body);
    const path = method === 'POST' ? collection(org, ref.kind, ref.gvc) : item(org, ref);
    const hidden = hiddenTexts(ref.kind, body, marked);
    try {
      return await written(ref, (await send({ method, path, body, hidden }, unsafe))?.record);
    } catch (error) {
      if (method === 'POST' && error instanceof ApiError && error.status === 410) throw nameSpent(error);
      throw error;
    }
  }

  let views: Promise<Views> | undefined;
  return {
    org,
    requests: () => requester.sent,
    create: (ref, body, marked) => write('POST', ref, body, marked),
    async tryCreate(ref, body, marked) {
      checkHidden(ref.kind, body);
      const hidden = hiddenTexts(ref.kind, body, marked);
      try {
        await send({ method: 'PUT', path: `${item(org, ref)}?dryRun=true`, body, hidden }, unsafe);
        return [];
      } catch (error) {
        if (isCode(error, 'api.invalid')) return bodyProblems(error);
        throw error;
      }
    },
    patch: (ref, body, marked) => write('PATCH', ref, body, marked),
    async delete(ref, isStillNeeded) {
      try {
        await send({ method: 'DELETE', path: item(org, ref) }, { safe: true, isStillNeeded });
        return 'accepted';
      } catch (error) {
        if (!isCode(error, 'api.not-found')) throw error;
        return 'not-found'; // mostly already deleted (platform/wire.operations)
      }
    },
    ...lists,
    read,
    children: (gvc) => reader.children(gvc, listsNothing(lists)),
    async deployments(ref) {
      return listAt(await get(`${item(org, ref)}/deployment`, true), 'items').filter(isObject);
    },
    async owned(owner, kinds = declarableKinds(), expected = []) {
      const found = await Promise.all(
        kinds.map((kind) =>
          ownedOrNamed(
            lists,
            kind,
            owner,
            expected.filter((ref) => ref.kind === kind),
          ),
        ),
      );
      return found.flat();
    },
    get,
    async call(request) {
      const isSafe = request.method === 'GET' || request.method === 'DELETE' || request.path.includes('/-query');
      return (await send(request, isSafe ? safe : unsafe)) ?? none;
    },
    ask: (request) => requester.ask(checked(request)),
    pathOf: (link, within = inOrg(org), from) => nextPath(link, endpointsOf(options.endpoint), within, from),
    reveal,
    views() {
      views ??= options.seesEverything === true ? Promise.resolve(viewsEverything) : readViews({ ...lists, org, get });
      return views;
    },
    stopRetrying: () => requester.stopRetrying(),
    close: () => requester.close(),
  };
}

function endpointsOf(text: string): readonly string[] {
  return text.split(',').map((endpoint) => endpoint.trim());
}

function makeRequester(options: ClientOptions): Requester {
  const exchange = options.exchange ?? httpExchange(options);
  const most = options.concurrency ?? defaultConcurrency;
  return new Requester({
    exchange: options.dialect === undefined ? exchange : inDialect(exchange, options.dialect),
    budget: new RetryBudget(options.retryBudget ?? 200),
    limit: new AdaptiveLimit({
      most,
      least: options.fixedConcurrency === true ? most : 1,
      now: options.now ?? (() => performance.now()),
    }),
    attempts: options.attempts ?? 10,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    onRetry: options.onRetry ?? (() => {}),
  });
}

function httpExchange({ token, endpoint, ...options }: ClientOptions): Exchange {
  const bounds = { ...defaultBounds, ...options.bounds };
  const [connections, timeoutMs] = [options.concurrency ?? defaultConcurrency, options.timeoutMs ?? 90_000];
  const [first = '', ...others] = endpointsOf(endpoint);
  const { insecure, authorities, watch, gate } = options;
  const open = (address: string): Exchange => {
    const exchange = openExchange({ endpoint: address, token, connections, timeoutMs, bounds, insecure, authorities });
    const seen = watch === undefined ? exchange : watched(exchange, watch, address);
    return gate === undefined ? seen : gated(seen, gate);
  };
  return others.length === 0 ? open(first) : failover([open(first), ...others.map(open)]);
}

/** The record of an answer; undefined if it is a part of what was sent, or if its id, name or version is unusable. */
function recordIn({ kind, gvc }: Ref, answer: JsonObject): LiveResource | undefined {
  if (['id', 'name', 'version'].some((field) => own(answer, field) === undefined)) return undefined;
  try {
    return toLive(kind, answer, gvc);
  } catch (error) {
    if (isCode(error, 'api.bad-reply', 'api.no-version')) return undefined;
    throw error;
  }
}

function unseen(message: string, cause?: ApiError): ApiError {
  const hint = 'Plan again: the new plan shows the current state.';
  return new ApiError({ code: 'api.unseen', message, hint, cause });
}

function nameSpent({ message, status, wireCode, details }: ApiError): ApiError {
  return new ApiError({
    code: 'api.name-spent',
    message,
    ...present({ status }),
    wireCode,
    details,
  });
}

/** The same exchange with a platform that has its own vocabulary: translates requests to it, and answers back. */
export function inDialect(exchange: Exchange, dialect: Dialect): Exchange {
  return {
    async send(request) {
      const { path, body } = request;
      const answer = await exchange.send({
        ...request,
        path: dialect.address(path, 'toWire'),
        ...present({ body: body === undefined ? undefined : objectOf(dialect.request(path, body, 'toWire')) }),
      });
      const { status, body: said } = answer;
      return said === undefined ? answer : { ...answer, body: dialect.answer(path, status, said, 'toNeutral') };
    },
    close: () => exchange.close(),
  };
}

function objectOf(value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw new TypeError('a dialect made something else of an object');
}

/**
 * One exchange over several servers of one platform: requests go to one server until it cannot be reached or its
 * connection breaks; the next attempt uses the next server. Retries are decided elsewhere.
 */
function failover(exchanges: readonly [Exchange, ...Exchange[]]): Exchange {
  let current = 0;
  return {
    async send(request) {
      const asked = current;
      try {
        return await (exchanges[asked] ?? exchanges[0]).send(request);
      } catch (error) {
        // If many requests fail together, only the first one switches servers.
        if (!judgeFailure(error).permanent && asked === current) current = (current + 1) % exchanges.length;
        throw error;
      }
    },
    async close() {
      await Promise.all(exchanges.map((exchange) => exchange.close()));
    },
  };
}

/**
 * The path below the endpoint that a `next` link names. It is a path without host; a full address must be one of the
 * endpoints, or the token would be sent elsewhere, and stay `within` the listed collection, or records of others would
 * be taken for ours. `from`: the page that a relative address is resolved against.
 */
function nextPath(href: string, endpoints: readonly string[], within: string, from?: string): string {
  const path = localPath(from === undefined ? href : absolute(href, from), endpoints);
  if (path === undefined) throw badReply(`a list whose next page is on another host: ${originOf(href)}`);
  if (!path.startsWith(within) || /[\s\\\p{C}]|\/\.{1,2}(?:\/|$)/u.test(path)) {
    throw badReply(`a list whose next page is not below ${within}`);
  }
  return path;
}

/** A relative address as a path: `?page=2`, `workload?page=2` and `./workload?page=2`. */
function absolute(href: string, from: string): string {
  if (href === '' || /^(?:\/|[a-z][\w+.-]*:)/i.test(href)) return href;
  const [path = ''] = from.split('?');
  return href.startsWith('?') ? path + href : path.slice(0, path.lastIndexOf('/') + 1) + href.replace(/^\.\//, '');
}

function localPath(href: string, endpoints: readonly string[]): string | undefined {
  if (href.startsWith('/') && !href.startsWith('//')) return href;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const ours = endpoints
    .flatMap((each) => (URL.canParse(each) ? [new URL(each)] : []))
    .find(({ origin }) => origin === url?.origin);
  if (url === undefined || ours === undefined) return undefined;
  const prefix = ours.pathname.replace(/\/+$/, '');
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname;
  return path + url.search;
}

/** Without the path, which may contain secrets. */
function originOf(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url?.origin ?? 'it is not an address';
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../base/json/json.ts';
import { suggestion } from '../../../base/text/suggestion.ts';
import { actsForWorkloads } from '../../../kinds/kindFacts.ts';
import { customKinds } from '../../../schema/record/customKinds.ts';
import { type CustomKind, isGvcScoped, type Kind } from '../../../schema/record/kinds.ts';
import type { Admission, Authenticate } from '../../access/authenticate.ts';
import { cachedGrants } from '../../access/callerGrants.ts';
import { prepareChoices } from '../../access/identityChoice.ts';
import { type Described, type Method, takesDryRun } from '../../api/openapi/described.ts';
import { type Intent, recordRefusal } from '../../audit/auditedWrite.ts';
import type { AuditAction } from '../../audit/decisions/auditEvent.ts';
import { type Caller, isBootstrapUser } from '../../core/caller.ts';
import type { Platform, Service } from '../../core/platform.ts';
import type { Call } from '../../core/session.ts';
import type { Store, Transaction } from '../../store/model/row.ts';
import { ApiFailure, notFound } from '../apiFailure.ts';
import { CutConnection } from '../cutConnection.ts';
import type { FaultPlan } from '../faultPlan.ts';
import type { ApiReply, Handle, ReadBody, RequestHead } from '../message.ts';
import { parseObject } from '../readBody.ts';
import { callRef, type Route } from './route.ts';

export interface DispatcherOptions {
  readonly service: Service;
  readonly authenticate: Authenticate;
  readonly routes: readonly Route[];
  readonly routesOfCustomKind: (kind: CustomKind) => readonly Route[];
  /** Whether only clients on this machine reach the server. */
  readonly isLoopbackOnly: boolean;
}

/**
 * Answers requests. It checks the caller (401), then the route (404, 405), the org (404), the body, and runs the route.
 * Throws an ApiFailure for every refusal.
 */
export function dispatcher({ service, authenticate, isLoopbackOnly, ...served }: DispatcherOptions): Handle {
  const currentTree = routeTreeReader(served);
  return async (head, readBody) => {
    const matched = currentTree().match(head.method === 'HEAD' ? 'GET' : head.method, head.segments);
    const open = matched.found?.permission === 'none' && (isLoopbackOnly || matched.found.tokenElsewhere !== true);
    const admission = await authenticate(service, head.authorization);
    if (admission === undefined && !open) throw new ApiFailure(401, 'the token is missing or not valid');
    if (matched.found === undefined) {
      const failure = refusal(head, matched.allow);
      const { otherMethod } = matched;
      const intent = otherMethod === undefined ? undefined : intentOfMethod(head.method, otherMethod);
      if (
        otherMethod === undefined ||
        intent === undefined ||
        admission === undefined ||
        head.query.get('dryRun') === 'true'
      ) {
        throw failure;
      }
      const platform = await requestedOrg(service, head, otherMethod.params['org'], admission);
      await recordRefusal({ platform, request: head, caller: admission.callerIn(platform) }, intent, failure);
      throw failure;
    }

    const { found, params } = matched;
    head.onMatched?.(found.id);
    const platform = await requestedOrg(service, head, params['org'], admission);
    const caller = admission?.callerIn(platform) ?? anonymousCaller;
    if (actsForWorkloads(caller.kind) && !(await platform.store.read((tx) => cachedGrants({ platform, tx, caller })))) {
      await prepareChoices(platform, caller);
    }
    const method: Method = found.method;
    const request = { ...head, method, bodyText: '' };
    const call = { platform: withDeletionDelay(platform, head), request, caller, params };
    return auditRefusals(found, call, async () => {
      const dryRun = isDryRun(found, request);
      if (found.permission === 'admin') requireAdmin(caller);
      const bodyPieces: string[] = [];
      const keep = found.bodyInPieces === true ? (piece: string) => bodyPieces.push(piece) : undefined;
      const bodyText = await readBody(found.mostBodyBytes, keep);
      const fullCall = { ...call, request: { ...request, bodyText, bodyPieces } };
      return dryRun
        ? dryRunReply(await found.handle({ ...fullCall, platform: forDryRun(fullCall.platform) }))
        : found.handle(fullCall);
    });
  };
}

/** Kinds can be defined at any time: the stack that defines one may run after the embedded platform has started. */
function routeTreeReader({ routes, routesOfCustomKind }: Pick<DispatcherOptions, 'routes' | 'routesOfCustomKind'>) {
  let tree = new RouteTree(routes);
  let known = '';
  return (): RouteTree => {
    const kinds = customKinds();
    const now = kinds.map((kind) => `${kind} ${isGvcScoped(kind)}`).join();
    if (now !== known) {
      tree = new RouteTree([...routes, ...kinds.flatMap(routesOfCustomKind)]);
      known = now;
    }
    return tree;
  };
}

/** The caller of routes that need no token. */
const anonymousCaller = { link: '', kind: 'user', name: '', unrestricted: false } as const;

/** Restricts the local-only endpoints to the bootstrap user, if tokens are checked. */
function requireAdmin(caller: Caller): void {
  if (caller.unrestricted || isBootstrapUser(caller)) return;
  throw new ApiFailure(403, 'this needs the token that the platform was started with [admin]');
}

/** The platform with the deletion delay of this request. */
function withDeletionDelay(platform: Platform, { deletionDelayMs }: RequestHead): Platform {
  return deletionDelayMs === undefined
    ? platform
    : { ...platform, settings: { ...platform.settings, deletionDelayMs } };
}

/**
 * The org of a path below `/org/`, or below a side service such as `/audit/org/` or `/-exporter/crd/org/`; otherwise
 * the caller's. Throws 404 for an unknown org and for one that the caller does not belong to.
 */
async function requestedOrg(
  service: Service,
  { segments }: RequestHead,
  orgParameter: string | undefined,
  admission: Admission | undefined,
): Promise<Platform> {
  const at = segments.indexOf('org');
  const named = orgParameter ?? (at >= 0 && at <= 2 ? segments[at + 1] : undefined);
  const found = named === undefined ? undefined : await service.of(named);
  const foreign = admission?.org !== undefined && admission.org !== found?.org;
  if (orgParameter !== undefined && (found === undefined || foreign)) throw notFound(`/org/${orgParameter}`);
  const platform = found === undefined || foreign ? await service.of(admission?.org ?? service.home) : found;
  if (platform === undefined) throw new Error('the org of the server does not exist');
  return platform;
}

function refusal({ method, path }: RequestHead, allow: readonly string[]): ApiFailure {
  if (allow.length === 0) return notFound(path);
  return new ApiFailure(405, `${method} is not available here`, { headers: { allow: allow.join(', ') } });
}

/**
 * Answers a request. Writes the audit event of a write that is refused before its transaction starts, for example
 * because its body is not JSON (platform/audit.trail: one for each refused write).
 */
async function auditRefusals(route: Route, call: Call, answer: () => ApiReply | Promise<ApiReply>): Promise<ApiReply> {
  try {
    return await answer();
  } catch (error) {
    const intent = intentOf(route, call);
    if (error instanceof ApiFailure && intent !== undefined) await recordRefusal(call, intent, error);
    throw error;
  }
}

/** Returns undefined for a read or a dry run. */
function intentOf({ id, kind, method, permission }: Route, { request, params }: Call): Intent | undefined {
  if (kind === undefined || method === 'GET' || permission === 'view') return undefined;
  if (request.query.get('dryRun') === 'true') return undefined;
  return { action: actionOf(method, id), kind, ...refOf(kind, params) };
}

function actionOf(method: Route['method'], id: string): AuditAction {
  if (method === 'DELETE') return 'delete';
  if (method === 'PATCH' || method === 'PUT') return 'edit';
  return id.endsWith('.create') || id.endsWith('.createInAccount') ? 'create' : 'exec';
}

function refOf(kind: Kind, params: Call['params']): Pick<Intent, 'ref'> {
  const ref = callRef({ params }, kind);
  return ref.name === '' ? {} : { ref };
}

const actionByMethod: ReadonlyMap<string, AuditAction> = new Map([
  ['POST', 'create'],
  ['PUT', 'edit'],
  ['PATCH', 'edit'],
  ['DELETE', 'delete'],
]);

/** The intent of a write that no route of its record accepts, such as the deletion of an audit context (405). */
function intentOfMethod(method: string, { route, params }: OtherMethodMatch): Intent | undefined {
  const { kind, path } = route;
  const action = actionByMethod.get(method);
  if (action === undefined || kind === undefined || !path.startsWith('/org') || path.includes('/-')) return undefined;
  return { action, kind, ...refOf(kind, params) };
}

/**
 * Whether a request is a dry run (platform/wire.dry-run). Throws 400 if the route has none, for another value, and for
 * an unknown parameter: a misspelt `dryRun` would write.
 */
function isDryRun(route: Described, { query }: Pick<RequestHead, 'query'>): boolean {
  if (query.size === 0 || route.method === 'GET' || route.permission === 'view') return false;
  const known = ['dryRun', ...(route.query ?? []).map(({ name }) => name)];
  for (const name of query.keys()) if (!known.includes(name)) throw unknownParameter(route, name, known);
  const values = query.getAll('dryRun');
  if (values.length === 0) return false;
  const [value] = values;
  if (values.length > 1 || (value !== 'true' && value !== 'false')) {
    throw new ApiFailure(400, 'dryRun is true or false, and is given once');
  }
  if (value === 'false') return false;
  if (!takesDryRun(route)) throw new ApiFailure(400, `${route.id} cannot be tried: it takes no dryRun`);
  return true;
}

function unknownParameter(route: Described, name: string, known: readonly string[]): ApiFailure {
  const meant = suggestion(name, known);
  const hint = meant === undefined ? '' : `. ${meant}`;
  return new ApiFailure(400, `${route.id} has no query parameter ${JSON.stringify(name.slice(0, 64))}${hint}`);
}

/** The platform for a dry run: each of its transactions is rolled back. */
function forDryRun(platform: Platform): Platform {
  return { ...platform, store: rollingBack(platform.store) };
}

/** Carries the result out of a transaction. */
class RolledBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('rehearsed');
    this.result = result;
  }
}

function rollingBack(store: Store): Store {
  return {
    read: (work, of) => store.read(work, of),
    async write<T>(work: (tx: Transaction) => T): Promise<T> {
      let done: RolledBack<T> | undefined;
      try {
        return await store.write((tx): T => {
          done = new RolledBack(work(tx));
          throw done;
        });
      } catch (error) {
        if (error instanceof RolledBack && error === done) return done.result;
        throw error;
      }
    },
  };
}

/** The reply of a dry run: it has no location, because nothing was created, and nothing continues. */
function dryRunReply({ body, headers = {} }: ApiReply): ApiReply {
  const { location: _, ...others } = headers;
  return { status: 200, body, headers: others };
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A node of the path tree. Literal segments take precedence over parameters. */
interface PathNode {
  readonly literal: Map<string, PathNode>;
  parameter: PathNode | undefined;
  readonly routes: Map<string, RouteEntry>;
}

interface RouteEntry {
  readonly route: Route;
  /** The names of the parameters on its path. */
  readonly names: readonly string[];
}

type RouteMatch =
  | { readonly found: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly found: undefined; readonly allow: readonly string[]; readonly otherMethod?: OtherMethodMatch };

/** A known path with another method. */
interface OtherMethodMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

class RouteTree {
  readonly #root = newNode();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** `allow`: the methods of the path; empty if the path is unknown. */
  match(method: string, segments: readonly string[]): RouteMatch {
    const values: string[] = [];
    let node = this.#root;
    for (const segment of segments) {
      const literal = node.literal.get(segment);
      if (literal !== undefined) {
        node = literal;
      } else if (node.parameter !== undefined && segment !== '' && !segment.startsWith('-')) {
        values.push(segment);
        node = node.parameter;
      } else {
        return { found: undefined, allow: [] };
      }
    }
    const found = node.routes.get(method);
    if (found !== undefined) return { found: found.route, params: paramsOf(found, values) };
    const allow = methods.filter((known) => node.routes.has(known));
    const [other] = node.routes.values();
    const otherMethod =
      other === undefined ? {} : { otherMethod: { route: other.route, params: paramsOf(other, values) } };
    return { found, allow, ...otherMethod };
  }

  #add(route: Route): void {
    let node = this.#root;
    for (const segment of route.path.split('/').slice(1)) node = childNode(node, segment);
    if (node.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    const names = route.path.split('/').flatMap((segment) => (segment.startsWith('{') ? [segment.slice(1, -1)] : []));
    node.routes.set(route.method, { route, names });
  }
}

function paramsOf({ names }: RouteEntry, values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

function newNode(): PathNode {
  return { literal: new Map(), parameter: undefined, routes: new Map() };
}

function childNode(node: PathNode, segment: string): PathNode {
  if (segment.startsWith('{')) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const known = node.literal.get(segment) ?? newNode();
  node.literal.set(segment, known);
  return known;
}

/** Answers like `handle`, with the planned faults. `now`: milliseconds, only for differences. */
export function withFaults(plan: FaultPlan, handle: Handle, now: () => number): Handle {
  return async (head, readBody) => {
    if (plan.isEmpty) return handle(head, readBody);
    const effect = plan.draw(head);
    if (effect === undefined) return recordingReplies(plan, handle, now)(head, readBody);
    if (effect.delayMs > 0) await sleep(effect.delayMs);
    if (effect.reset) throw new CutConnection();
    if (effect.refusal !== undefined) {
      const { status, message, retryAfterSeconds } = effect.refusal;
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      throw new ApiFailure(status, message, { headers });
    }
    const body = await replayableBody(plan, head, readBody);
    const stale = plan.staleReply(head, body.text, effect.staleMs, now());
    if (stale !== undefined) return stale;
    const { slowDeletionMs, ignorePrecondition } = effect;
    const slowedHead = slowDeletionMs === undefined ? head : { ...head, deletionDelayMs: slowDeletionMs };
    const unconditional = ignorePrecondition ? ignoringPreconditions(handle) : handle;
    const reply = recordingReplies(plan, unconditional, now)(slowedHead, body.read);
    if (!effect.drop) return reply;
    await reply;
    throw new CutConnection();
  };
}

function recordingReplies(plan: FaultPlan, handle: Handle, now: () => number): Handle {
  return async (head, readBody) => {
    const body = await replayableBody(plan, head, readBody);
    const reply = await handle(head, body.read);
    if (plan.shouldRecord(head) && reply.pieces === undefined) plan.record(head, body.text, reply, now());
    return reply;
  };
}

interface ReplayableBody {
  readonly text: string;
  readonly read: ReadBody;
}

/** The body of a query whose response is recorded; other bodies are not read here. */
async function replayableBody(plan: FaultPlan, head: RequestHead, readBody: ReadBody): Promise<ReplayableBody> {
  if (head.method !== 'POST' || !plan.shouldRecord(head)) return { text: '', read: readBody };
  const text = await readBody();
  return { text, read: () => Promise.resolve(text) };
}

/** Behaves like an installation that accepts a PATCH for any version and does not advertise preconditions. */
function ignoringPreconditions(handle: Handle): Handle {
  return async (head, readBody) => {
    const reply = await handle(head, async (mostBytes) => {
      const text = await readBody(mostBytes);
      return head.method === 'PATCH' ? JSON.stringify(without(parseObject(text), 'id', 'version')) : text;
    });
    if (head.path !== '/discovery') return reply;
    return { ...reply, body: JSON.stringify(without(parseObject(reply.body), 'preconditions')) };
  };
}

function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

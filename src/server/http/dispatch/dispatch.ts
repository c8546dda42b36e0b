import { actsForWorkloads } from '../../../kinds/kindFacts.ts';
import { customKinds } from '../../../schema/record/customKinds.ts';
import { type CustomKind, isGvcScoped, type Kind } from '../../../schema/record/kinds.ts';
import type { Authenticate, Authenticated } from '../../access/authenticate.ts';
import { knownGrants } from '../../access/callerGrants.ts';
import { prepareChoices } from '../../access/identityChoice.ts';
import type { Method } from '../../api/openapi/described.ts';
import { type Intent, recordRefusal } from '../../audit/auditedWrite.ts';
import type { AuditAction } from '../../audit/decisions/auditEvent.ts';
import { type Caller, isBootstrapUser } from '../../core/caller.ts';
import type { Platform, Service } from '../../core/platform.ts';
import type { Call } from '../../core/session.ts';
import { ApiFailure, notFound } from '../apiFailure.ts';
import type { ApiReply, Handle, RequestHead } from '../message.ts';
import { callRef } from './callRef.ts';
import { isDryRun, rehearsedReply, rehearsing } from './dryRun.ts';
import { type Near, RouteTree } from './matchRoute.ts';
import type { Route } from './route.ts';

export interface Dispatching {
  readonly service: Service;
  readonly authenticate: Authenticate;
  readonly routes: readonly Route[];
  readonly routesOfCustomKind: (kind: CustomKind) => readonly Route[];
  /** Only clients on this machine reach the server. */
  readonly onLoopback: boolean;
}

/**
 * Answers requests: first the caller (401), then the route (404, 405), the org (404), the body, and the route itself.
 * Throws an ApiFailure for every refusal.
 */
export function dispatcher({ service, authenticate, onLoopback, ...served }: Dispatching): Handle {
  const treeNow = currentTree(served);
  return async (head, readBody) => {
    const matched = treeNow().match(head.method === 'HEAD' ? 'GET' : head.method, head.segments);
    const open = matched.found?.permission === 'none' && (onLoopback || matched.found.tokenElsewhere !== true);
    const admission = await authenticate(service, head.authorization);
    if (admission === undefined && !open) throw new ApiFailure(401, 'the token is missing or not valid');
    if (matched.found === undefined) {
      const failure = refusal(head, matched.allow);
      const { near } = matched;
      const intent = near === undefined ? undefined : intentOfMethod(head.method, near);
      if (
        near === undefined ||
        intent === undefined ||
        admission === undefined ||
        head.query.get('dryRun') === 'true'
      ) {
        throw failure;
      }
      const platform = await orgOf(service, head, near.params['org'], admission);
      await recordRefusal({ platform, request: head, caller: admission.callerIn(platform) }, intent, failure);
      throw failure;
    }

    const { found, params } = matched;
    head.onMatched?.(found.id);
    const platform = await orgOf(service, head, params['org'], admission);
    const caller = admission?.callerIn(platform) ?? nobody;
    if (actsForWorkloads(caller.kind) && !(await platform.store.read((tx) => knownGrants({ platform, tx, caller })))) {
      await prepareChoices(platform, caller);
    }
    const method: Method = found.method;
    const request = { ...head, method, bodyText: '' };
    const call = { platform: slowed(platform, head), request, caller, params };
    return auditingRefusals(found, call, async () => {
      const dryRun = isDryRun(found, request);
      if (found.permission === 'admin') requireAdmin(caller);
      const bodyPieces: string[] = [];
      const keep = found.bodyInPieces === true ? (piece: string) => bodyPieces.push(piece) : undefined;
      const bodyText = await readBody(found.mostBodyBytes, keep);
      const whole = { ...call, request: { ...request, bodyText, bodyPieces } };
      return dryRun
        ? rehearsedReply(await found.handle({ ...whole, platform: rehearsing(whole.platform) }))
        : found.handle(whole);
    });
  };
}

/** A kind may be defined at any time: the stack that does it may run after the embedded platform has started. */
function currentTree({ routes, routesOfCustomKind }: Pick<Dispatching, 'routes' | 'routesOfCustomKind'>) {
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
const nobody = { link: '', kind: 'user', name: '', unrestricted: false } as const;

/** The local-only endpoints are restricted to the bootstrap user, if tokens are checked at all. */
function requireAdmin(caller: Caller): void {
  if (caller.unrestricted || isBootstrapUser(caller)) return;
  throw new ApiFailure(403, 'this needs the token that the platform was started with [admin]');
}

/** The platform with the deletion delay of this request. */
function slowed(platform: Platform, { deletionDelayMs }: RequestHead): Platform {
  return deletionDelayMs === undefined
    ? platform
    : { ...platform, settings: { ...platform.settings, deletionDelayMs } };
}

/**
 * The org of a path: below `/org/`, or below a side service such as `/audit/org/` or `/-exporter/crd/org/`; otherwise
 * that of the caller. Throws 404 for an unknown org and for one that the caller does not belong to.
 */
async function orgOf(
  service: Service,
  { segments }: RequestHead,
  stated: string | undefined,
  admission: Authenticated | undefined,
): Promise<Platform> {
  const at = segments.indexOf('org');
  const named = stated ?? (at >= 0 && at <= 2 ? segments[at + 1] : undefined);
  const found = named === undefined ? undefined : await service.of(named);
  const foreign = admission?.org !== undefined && admission.org !== found?.org;
  if (stated !== undefined && (found === undefined || foreign)) throw notFound(`/org/${stated}`);
  const platform = found === undefined || foreign ? await service.of(admission?.org ?? service.home) : found;
  if (platform === undefined) throw new Error('the org of the server does not exist');
  return platform;
}

function refusal({ method, path }: RequestHead, allow: readonly string[]): ApiFailure {
  if (allow.length === 0) return notFound(path);
  return new ApiFailure(405, `${method} is not available here`, { headers: { allow: allow.join(', ') } });
}

/**
 * Answers a request. The audit event of a write that is refused before its transaction starts, for example because its
 * body is not JSON, is written here (platform/audit.trail: one for each refused write).
 */
async function auditingRefusals(
  route: Route,
  call: Call,
  answer: () => ApiReply | Promise<ApiReply>,
): Promise<ApiReply> {
  try {
    return await answer();
  } catch (error) {
    const intent = intentOf(route, call);
    if (error instanceof ApiFailure && intent !== undefined) await recordRefusal(call, intent, error);
    throw error;
  }
}

/** Undefined: a read, or a rehearsal. */
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

const writes: ReadonlyMap<string, AuditAction> = new Map([
  ['POST', 'create'],
  ['PUT', 'edit'],
  ['PATCH', 'edit'],
  ['DELETE', 'delete'],
]);

/** The intent of a write of a record that no route takes, such as the deletion of an audit context (405). */
function intentOfMethod(method: string, { route, params }: Near): Intent | undefined {
  const { kind, path } = route;
  const action = writes.get(method);
  if (action === undefined || kind === undefined || !path.startsWith('/org') || path.includes('/-')) return undefined;
  return { action, kind, ...refOf(kind, params) };
}

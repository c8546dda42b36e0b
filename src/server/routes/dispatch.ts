import { bootstrapUser } from '../../schema/decisions.ts';
import { ApiFailure, notFound } from '../http/apiFailure.ts';
import type { Handle, RequestHead } from '../http/message.ts';
import type { Caller } from './caller.ts';
import type { Door } from './door.ts';
import { RouteTree } from './matchRoute.ts';
import type { Platform, Service } from './platform.ts';
import { auditingRefusals } from './refusedWrites.ts';
import type { Method, Route } from './route.ts';

export interface Dispatching {
  readonly service: Service;
  readonly door: Door;
  readonly routes: readonly Route[];
  /** Which route a request goes to, for the metrics. */
  readonly onMatched: (head: RequestHead, route: Route) => void;
}

/**
 * Answers requests: who asks (401), which route (404, 405), which org (404), then the body, then the route itself. Throws
 * an ApiFailure for every refusal.
 */
export function dispatcher({ service, door, routes, onMatched }: Dispatching): Handle {
  const tree = new RouteTree(routes);
  return async (head, readBody) => {
    const matched = tree.match(head.method === 'HEAD' ? 'GET' : head.method, head.segments);
    const open = matched.found?.permission === 'none';
    const home = await service.of(service.home);
    if (home === undefined) throw new Error('a server without its org');
    const platform = (await orgOf(service, head)) ?? home;
    const caller = await door(platform, head.authorization);
    if (caller === undefined && !open) throw new ApiFailure(401, 'the token is missing or not valid');
    if (matched.found === undefined) throw refusal(head, matched.allow);

    const { found, params } = matched;
    onMatched(head, found);
    if (found.permission === 'admin') requireAdmin(caller ?? nobody);
    if (params['org'] !== undefined && params['org'] !== platform.org) throw notFound(`/org/${params['org']}`);
    const method: Method = found.method;
    const request = { ...head, method, bodyText: '' };
    const call = { platform: slowed(platform, head), request, caller: caller ?? nobody, params };
    return auditingRefusals(found, call, async () =>
      found.handle({ ...call, request: { ...request, bodyText: await readBody() } }),
    );
  };
}

/** Of a route that needs no token. */
const nobody = { link: '', kind: 'user', name: '', unrestricted: false } as const;

/** The local-only endpoints are of the bootstrap user alone, where tokens are checked at all. */
function requireAdmin({ unrestricted, kind, name }: Caller): void {
  if (unrestricted || (kind === 'user' && name === bootstrapUser)) return;
  throw new ApiFailure(403, 'this needs the token that the platform was started with [admin]');
}

/** With its own time of deletion for one request. */
function slowed(platform: Platform, { deletionDelayMs }: RequestHead): Platform {
  return deletionDelayMs === undefined
    ? platform
    : { ...platform, settings: { ...platform.settings, deletionDelayMs } };
}

/** The org of a path: below `/org/` itself, or below a side service such as `/audit/org/` or `/-exporter/crd/org/`. */
async function orgOf(service: Service, { segments }: RequestHead): Promise<Platform | undefined> {
  const at = segments.indexOf('org');
  const org = at >= 0 && at <= 2 ? segments[at + 1] : undefined;
  return org === undefined ? undefined : service.of(org);
}

function refusal({ method, path }: RequestHead, allow: readonly string[]): ApiFailure {
  if (allow.length === 0) return notFound(path);
  return new ApiFailure(405, `${method} is not available here`, { headers: { allow: allow.join(', ') } });
}

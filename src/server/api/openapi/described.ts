import type { JsonObject } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';

export type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

/** A body in the API description: a record of the route's kind, a patch of one, a query, or a JSON Schema. */
export type RouteBody = 'patch' | 'query' | 'record' | JsonObject;

/** The same for the response; `empty` is `{}`, `text` is not JSON. */
/** Not JSON: plain text, a page, a file that a page loads. */
export type TextAnswer = 'text' | 'page' | 'pageFile';
export type RouteAnswer = 'empty' | 'list' | 'queryresult' | 'record' | TextAnswer | JsonObject;

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
}

/** One operation of the API, without its handler. */
export interface Described {
  /** Unique, such as `workload.create`. */
  readonly id: string;
  readonly method: Method;
  /** For example `/org/{org}/gvc/{gvc}/workload/{name}`; a name in braces matches one segment. */
  readonly path: string;
  readonly summary: string;
  readonly kind?: Kind;
  /** One of platform/access.permissions; `none` needs no token, `token` any valid one, `admin` the bootstrap token. */
  readonly permission: string;
  /** Whether `none` applies on loopback only, so that a valid token is required elsewhere. */
  readonly tokenElsewhere?: boolean;
  /** Whether the endpoint is local only. */
  readonly devOnly?: boolean;
  readonly body?: RouteBody;
  /** The limit of the body in bytes, if not the default. */
  readonly mostBodyBytes?: number;
  /** Whether the body is read in pieces. */
  readonly bodyInPieces?: boolean;
  readonly answer: RouteAnswer;
  /** Query parameters other than those of pages, each a text. */
  readonly query?: readonly QueryParameter[];
  /** The statuses of a success, if not the defaults of the method. */
  readonly statuses?: readonly number[];
}

const tried: ReadonlySet<string> = new Set(['create', 'edit', 'delete', 'invite']);

/**
 * Whether `?dryRun=true` can try the operation (platform/wire.dry-run): only a write of records. A command continues
 * after its response, and a key that was never created must not look like one.
 */
export function takesDryRun({ method, permission }: Described): boolean {
  return method !== 'GET' && tried.has(permission);
}

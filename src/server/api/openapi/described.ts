import type { JsonObject } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';

export type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

/** A body as the API description shows it: a record of the route's kind, a patch of one, a query, or a JSON Schema. */
export type RouteBody = 'patch' | 'query' | 'record' | JsonObject;

/** The same for the answer; `empty` is `{}`, `text` is not JSON. */
export type RouteAnswer = 'empty' | 'list' | 'queryresult' | 'record' | 'text' | JsonObject;

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
}

/** One operation of the API, without its handler. */
export interface Described {
  /** Unique, such as `workload.create`. */
  readonly id: string;
  readonly method: Method;
  /** `/org/{org}/gvc/{gvc}/workload/{name}`; a name in braces matches one segment. */
  readonly path: string;
  readonly summary: string;
  readonly kind?: Kind;
  /** Of platform/access.permissions; `none` needs no token, `token` any valid one, `admin` the bootstrap token. */
  readonly permission: string;
  /** `none` applies on loopback only: elsewhere any valid token is required. */
  readonly tokenElsewhere?: boolean;
  /** A local-only endpoint. */
  readonly devOnly?: boolean;
  readonly body?: RouteBody;
  /** The limit of the body in bytes, if it is not the usual one. */
  readonly mostBodyBytes?: number;
  /** The body is read in pieces. */
  readonly bodyInPieces?: boolean;
  readonly answer: RouteAnswer;
  /** Query parameters besides those of pages; each is text. */
  readonly query?: readonly QueryParameter[];
  /** The statuses of a success, if not the usual ones of the method. */
  readonly statuses?: readonly number[];
}

const tried: ReadonlySet<string> = new Set(['create', 'edit', 'delete', 'invite']);

/**
 * Whether `?dryRun=true` tries the operation (platform/wire.dry-run): a write of records. A command goes on after its
 * answer, and a key that was never made must not look like one.
 */
export function takesDryRun({ method, permission }: Described): boolean {
  return method !== 'GET' && tried.has(permission);
}

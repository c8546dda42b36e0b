import type { JsonObject } from '../../../schema/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';

export type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';

/** A body as the API description shows it: a record of the route's kind, a patch of one, a query, or a JSON Schema. */
export type RouteBody = 'patch' | 'query' | 'record' | JsonObject;

/** The same for the answer; `empty` is `{}`, `text` is none in JSON. */
export type RouteAnswer = 'empty' | 'list' | 'queryresult' | 'record' | 'text' | JsonObject;

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
}

/** One operation of the API, but for what it does. */
export interface Described {
  /** Unique, such as `workload.create`. */
  readonly id: string;
  readonly method: Method;
  /** `/org/{org}/gvc/{gvc}/workload/{name}`; a name in braces stands for one segment. */
  readonly path: string;
  readonly summary: string;
  readonly kind?: Kind;
  /** Of platform/access.permissions; `none` needs no token, `token` any valid one, `admin` the bootstrap token. */
  readonly permission: string;
  /** `none` holds on loopback only: elsewhere it needs any valid token. */
  readonly tokenElsewhere?: boolean;
  /** A local-only endpoint. */
  readonly devOnly?: boolean;
  readonly body?: RouteBody;
  /** Where a body may be larger than usual: so many bytes. */
  readonly mostBodyBytes?: number;
  /** Takes its body in pieces. */
  readonly bodyInPieces?: boolean;
  readonly answer: RouteAnswer;
  /** Parameters behind the `?`, beside those of pages; each is text. */
  readonly query?: readonly QueryParameter[];
  /** Of a success, where they are not the usual ones of the method. */
  readonly statuses?: readonly number[];
}

import type { JsonValue } from '../../base/json/json.ts';

/** The answer to one request, of any status. */
export interface Answer {
  readonly status: number;
  /** Parsed JSON; undefined for an empty body, and for one that cannot be parsed. */
  readonly body: JsonValue | undefined;
  /** Why a body is not usable JSON, such as `it is an HTML page`. */
  readonly unread?: string;
  /** The unparsed body, if the request accepts any text. */
  readonly text?: string;
  /** The size of the unparsed body. */
  readonly bytes?: number;
  /** The target of a redirect, or the path of a created record. */
  readonly location?: string;
  /** The header `Link`, which may name the next page of a list. */
  readonly link?: string;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

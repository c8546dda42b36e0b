import type { JsonValue } from '../../base/json/json.ts';

/** The answer to one request, whatever its status. */
export interface Answer {
  readonly status: number;
  /** Parsed JSON; undefined for an empty body, and for one that cannot be read. */
  readonly body: JsonValue | undefined;
  /** Why a body that came is no JSON that can be used: `it is an HTML page`. */
  readonly unread?: string;
  /** The body as it came, where the request takes any text. */
  readonly text?: string;
  /** Of the body as it came. */
  readonly bytes?: number;
  /** Where a redirect leads to, or the path of what was created. */
  readonly location?: string;
  /** The header `Link`, which may lead to the next page of a list. */
  readonly link?: string;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

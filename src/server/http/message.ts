import type { JsonObject } from '../../base/json/json.ts';

/** The request before its body is read. */
export interface RequestHead {
  /** The id in the response, the log, the audit trail and the body of a refusal: the client's if it sends one. */
  readonly id: string;
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** Decoded. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  /** The host and port that the client claims to address: never repeated in a response, and proof of nothing. */
  readonly host: string | undefined;
  /** The address of this server for links, which are relative if it is undefined. */
  readonly base?: string | undefined;
  /** From a browser: the origin of the page that sends the request. */
  readonly origin?: string | undefined;
  /** From a browser: the relation of that page to this site, by the header `Sec-Fetch-Site`. */
  readonly fetchSite?: string | undefined;
  /** The content type; undefined if there is no body. */
  readonly bodyType?: string | undefined;
  readonly remoteIp: string;
  /** Called with the id of the matched route, for log and metrics. */
  readonly onMatched?: (operation: string) => void;
  /** Whether the client has closed the connection, so that no response can be sent. */
  readonly isGone?: () => boolean;
  /** True if it comes from this process: such requests are unlimited and take nothing from other clients. */
  readonly isInProcess?: true;
  /** How long deleted records are still shown, if not for the default time. */
  readonly deletionDelayMs?: number;
}

/** A request with its body as text. */
export interface ApiRequest extends RequestHead {
  readonly bodyText: string;
  /** For a route that reads the body in pieces, which together are its text. */
  readonly bodyPieces?: readonly string[];
}

/** A reply. The body is JSON text, so that stored text can be sent without parsing. */
export interface ApiReply {
  readonly status: number;
  readonly body: string;
  /** The rest of the body, if making it before sending takes too long. It is always closed at the end. */
  readonly pieces?: AsyncGenerator<string, void>;
  /** Includes `content-type` if the body is not JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether every caller gets this response for the path while the server runs, so that derived data may be cached. */
  readonly isConstant?: boolean;
}

/**
 * Reads the body as text, refusing more than this many bytes with 413. `keep` receives the pieces, and the text is then
 * empty; a body that is too large or cut off is refused after its pieces.
 */
export type ReadBody = (mostBytes?: number, keep?: (piece: string) => void) => Promise<string>;

/** Throws an ApiFailure for a refusal. */
export type Handle = (head: RequestHead, readBody: ReadBody) => Promise<ApiReply>;

export function reply(status: number, body: JsonObject, headers?: Readonly<Record<string, string>>): ApiReply {
  const text = JSON.stringify(body);
  return headers === undefined ? { status, body: text } : { status, body: text, headers };
}

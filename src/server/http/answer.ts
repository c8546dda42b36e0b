import { ApiFailure } from './apiFailure.ts';
import { CutConnection } from './cutConnection.ts';
import type { ApiReply, Handle, ReadBody, RequestHead } from './message.ts';

/** A request before it is parsed. */
export interface UnparsedRequest extends Omit<RequestHead, 'query' | 'segments'> {
  /** The part after the `?`. */
  readonly query: string;
}

export interface AnswerOptions {
  readonly handle: Handle;
  /** Receives internal errors, which are never shown to clients. */
  readonly onMistake: (error: unknown, traceId: string) => void;
}

/**
 * The response to any request, including refusals and internal errors. Undefined if the connection ends without one.
 */
export async function answerRequest(
  request: UnparsedRequest,
  readBody: ReadBody,
  { handle, onMistake }: AnswerOptions,
): Promise<ApiReply | undefined> {
  try {
    const head = { ...request, segments: segmentsOf(request.path), query: new URLSearchParams(request.query) };
    return await withFirstPiece(await handle(head, readBody));
  } catch (error) {
    if (error instanceof CutConnection) return undefined;
    if (error instanceof ApiFailure) {
      return { status: error.status, body: failureBody(error, request.id), headers: error.headers };
    }
    onMistake(error, request.id);
    return { status: 500, body: failureBody(new ApiFailure(500, 'an internal error'), request.id) };
  }
}

/** Waits for the first piece, so that an error before it becomes a refusal. */
async function withFirstPiece(reply: ApiReply): Promise<ApiReply> {
  const first = await reply.pieces?.next();
  return typeof first?.value === 'string' ? { ...reply, body: first.value } : reply;
}

/**
 * The path and query of a request target, which may be absolute, as sent to a proxy. One trailing slash of the path is
 * ignored (platform/wire.headers).
 */
export function splitTarget(address: string): { readonly path: string; readonly query: string } {
  const [path = '/', ...queryParts] = address.replace(/^https?:\/\/[^/?]*(?=\/)/i, '').split('?');
  return { path: path.replace(/(?<=.)\/$/, ''), query: queryParts.join('?') };
}

function segmentsOf(path: string): readonly string[] {
  // Names cannot contain NUL, which some databases cannot compare.
  if (path.includes('%00')) throw new ApiFailure(400, 'the path contains a NUL character');
  try {
    const segments = path.split('/').slice(1);
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch {
    throw new ApiFailure(400, 'the path has a bad percent-encoding');
  }
}

/** The body of a refusal (platform/errors.body). */
export function failureBody({ status, message, code, details }: ApiFailure, id: string): string {
  return JSON.stringify({ status, message, code, details, id });
}

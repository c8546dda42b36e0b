import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { maxBodyBytes } from '../../schema/facts/limits.ts';
import { isObject, type JsonObject, type JsonValue } from '../../schema/json/json.ts';
import { ApiFailure } from './apiFailure.ts';
import { requireBounded, requireReadable } from './bodyBounds.ts';

/** See `ReadBody`. Rejects with 413 for a body that is too large, 400 for one that is cut off or not UTF-8. */
export function readText(
  incoming: IncomingMessage,
  mostBytes = maxBodyBytes,
  keep?: (piece: string) => void,
): Promise<string> {
  if (incoming.method === 'GET' && incoming.headers['content-length'] === undefined) return Promise.resolve('');
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(new ApiFailure('unreadable_body', 'the connection ended before the body did'));
    // The client disconnected before the body was read: there will be no further event.
    if (incoming.destroyed && !incoming.readableEnded) return cutOff();
    const chunks: Buffer[] = [];
    const pieces = keep === undefined ? undefined : new TextPieces(keep);
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes)
        chunks.length = 0; // keep reading, so that the reply reaches the client
      else if (pieces === undefined) chunks.push(chunk);
      else pieces.add(chunk);
    });
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const isText = pieces === undefined ? isUtf8(body) : pieces.end();
      if (size > mostBytes) reject(new ApiFailure(413, `the body has more than ${mostBytes} bytes`));
      else if (!isText) reject(new ApiFailure('unreadable_body', 'the body is not UTF-8'));
      else resolve(withoutMark(body.toString('utf8')));
    });
    // There is no client left to answer, but it is not an internal error either.
    incoming.on('error', cutOff);
  });
}

/** Some editors and shells write a byte order mark, which a reader may ignore (RFC 8259, 8.1). */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The body as an object; throws 400 for anything else, and beyond the limits of a body. */
export function parseObject(text: string): JsonObject {
  return objectIn(parseBounded(text));
}

function objectIn(value: JsonValue): JsonObject {
  if (!isObject(value)) throw new ApiFailure('unreadable_body', 'the body is not a JSON object');
  return value;
}

/** The body as an object, or undefined if it is absent or `null`. */
export function parseOptionalObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parseBounded(text);
  return value === null ? {} : objectIn(value);
}

function parseBounded(text: string): JsonValue {
  requireReadable(text);
  const value = parse(text);
  requireBounded(value);
  return value;
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be read';
    throw new ApiFailure(
      'unreadable_body',
      text === '' ? 'the request needs a JSON body' : `the body is not JSON: ${redacted(reason)}`,
    );
  }
}

/** The parser's message without its quotation of the body, which may contain a secret. */
function redacted(reason: string): string {
  return reason.split(/, (?="|\.\.\.)/, 1)[0] ?? 'it cannot be read';
}

/** Decodes bytes as they arrive, without a byte order mark at the beginning. */
class TextPieces {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #keep: (piece: string) => void;
  #isText = true;

  constructor(keep: (piece: string) => void) {
    this.#keep = keep;
  }

  add(bytes: Uint8Array): void {
    this.#decode(() => this.#decoder.decode(bytes, { stream: true }));
  }

  /** Was all of it UTF-8? */
  end(): boolean {
    this.#decode(() => this.#decoder.decode());
    return this.#isText;
  }

  #decode(decode: () => string): void {
    if (!this.#isText) return;
    try {
      this.#keep(decode());
    } catch {
      this.#isText = false;
    }
  }
}

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { maxBodyBytes } from '../../schema/facts/limits.ts';
import { ApiFailure } from './apiFailure.ts';
import { requireBounded, requireReadable } from './bodyBounds.ts';
import { mostShortPieces, usualPiece } from './limits.ts';

/** The parts of an incoming message that are used. */
export type IncomingBody = Readable & Pick<IncomingMessage, 'method' | 'headers'>;

/** Throws 413 for a body whose declared length is too large, before any of it is sent. */
export function requireDeclaredLength({ headers }: Pick<IncomingMessage, 'headers'>, mostBytes = maxBodyBytes): void {
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
}

/** See `ReadBody`. Rejects with 413 for a body that is too large, 400 for one that is cut off or not UTF-8. */
export function readText(
  incoming: IncomingBody,
  mostBytes = maxBodyBytes,
  keep?: (piece: string) => void,
): Promise<string> {
  if (incoming.method === 'GET' && incoming.headers['content-length'] === undefined) return Promise.resolve('');
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(new ApiFailure('unreadable_body', 'the connection ended before the body did'));
    // The client disconnected before the body was read, so no further event will come.
    if (incoming.destroyed && !incoming.readableEnded) return cutOff();
    const bytes = new ByteBuffer();
    const pieces = keep === undefined ? undefined : new StreamingDecoder(keep);
    let size = 0;
    let count = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      count += 1;
      if (count > mostPieces(size)) {
        incoming.removeAllListeners('data');
        incoming.pause();
        reject(tooManyPieces(count));
      } else if (size > mostBytes)
        bytes.clear(); // read on, so that the reply reaches the client
      else if (pieces === undefined) bytes.add(chunk);
      else pieces.add(chunk);
    });
    incoming.on('end', () => {
      const body = bytes.joined();
      const isText = pieces === undefined ? isUtf8(body) : pieces.end();
      if (size > mostBytes) reject(tooLarge(mostBytes));
      else if (!isText) reject(new ApiFailure('unreadable_body', 'the body is not UTF-8'));
      else resolve(withoutByteOrderMark(body.toString('utf8')));
    });
    // The client has disconnected, which is no internal error.
    incoming.on('error', cutOff);
  });
}

function tooLarge(mostBytes: number): ApiFailure {
  return new ApiFailure(413, `the body has more than ${mostBytes} bytes`);
}

/** The maximum number of pieces of a body of this length: each piece costs time, however short. */
export function mostPieces(bytes: number): number {
  return mostShortPieces + bytes / usualPiece;
}

/** Closes the connection; otherwise the remaining pieces would still have to be processed. */
function tooManyPieces(count: number): ApiFailure {
  return new ApiFailure(413, `the body came in more than ${count - 1} pieces: send it in larger ones`, {
    headers: { connection: 'close' },
  });
}

/** Joins chunks as they arrive in one growing buffer, without a list of a million views and a copy at the end. */
class ByteBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #size = 0;

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#size === 0) {
      this.#bytes = chunk; // usually the only chunk: it is full, so nothing is written into it
    } else {
      if (size > this.#bytes.length) this.#grow(size);
      this.#bytes.set(chunk, this.#size);
    }
    this.#size = size;
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.max(smallestBuffer, 2 ** Math.ceil(Math.log2(size))));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#size = 0;
  }

  joined(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}

const smallestBuffer = 64 * 1024;

/** Removes the byte order mark that some editors and shells write and a reader may ignore (RFC 8259, 8.1). */
function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Parses the body as an object; throws 400 for anything else, and beyond the limits of a body. */
export function parseObject(text: string): JsonObject {
  return objectIn(parseBounded(text));
}

function objectIn(value: JsonValue): JsonObject {
  if (!isObject(value)) throw new ApiFailure('unreadable_body', 'the body is not a JSON object');
  return value;
}

/** The body as an object, which is empty if the body is absent or `null`. */
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
      text === '' ? 'the request needs a JSON body' : `the body is not JSON: ${withoutQuotation(reason)}`,
    );
  }
}

/** The parser's message without its quotation of the body, which may contain a secret. */
export function withoutQuotation(reason: string): string {
  return reason.split(/, (?="|\.\.\.)/, 1)[0] ?? 'it cannot be read';
}

/** Decodes bytes as they arrive, without a byte order mark at the beginning. */
class StreamingDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #keep: (piece: string) => void;
  #isText = true;

  constructor(keep: (piece: string) => void) {
    this.#keep = keep;
  }

  add(bytes: Uint8Array): void {
    this.#decode(() => this.#decoder.decode(bytes, { stream: true }));
  }

  /** Whether all bytes were UTF-8. */
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

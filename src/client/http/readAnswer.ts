import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isDeeperThan } from '../../base/json/depth.ts';
import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { withoutSecrets } from '../../base/text/withoutSecrets.ts';
import type { Answer } from './answer.ts';
import { ApiError, withoutControls } from './apiError.ts';
import { type ReplyBounds, size, tooLarge } from './bounds.ts';

type BodyReading = Pick<Answer, 'body' | 'unread' | 'bytes' | 'text'>;

/** The answers that a request accepts. */
export interface Expected {
  readonly hidden: readonly string[];
  readonly takesText: boolean;
}

/** The bytes of unfinished answers in memory, for all requests of one endpoint. */
export interface BufferedBytes {
  bytes: number;
}

/** Reads the body of an answer; throws `api.too-large`. */
export async function readAnswer(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { hidden, takesText }: Expected,
  bounds: ReplyBounds,
  buffered: BufferedBytes,
): Promise<Answer> {
  const encoding = encodingOf(single(headers['content-encoding']));
  const location = single(headers['location']);
  const link = single(headers['link']);
  const isSuccess = status >= 200 && status < 300;
  const most = isSuccess ? bounds.bodyBytes : bounds.refusalBytes;
  const expected = Number(single(headers['content-length']) ?? Number.NaN);
  const plain = encoding === undefined || encoding === 'unknown' ? body : decoded(body, encoding, most);
  const bytes = await readBytes(plain, { most, mostAtOnce: bounds.bytesAtOnce, expected }, buffered).catch(
    badCompression,
  );
  if (bytes === undefined && isSuccess) throw tooLarge('the answer', size(most));
  const reading: BodyReading =
    bytes === undefined
      ? unreadRefusal(bounds)
      : bytes === 'damaged'
        ? { body: undefined, unread: 'the answer cannot be decompressed' }
        : { ...parseBody(bytes, encoding, bounds), ...(takesText && isSuccess ? textIn(bytes, encoding) : {}) };
  return {
    status,
    ...(isSuccess || reading.body === undefined ? reading : { ...reading, body: cleanRefusal(reading.body, hidden) }),
    ...present({ location, link }),
    retryAfter: single(headers['retry-after']),
    date: single(headers['date']),
  };
}

/** Classifies an error of zlib. */
function badCompression(error: unknown): 'damaged' | undefined {
  const cause = error instanceof CutOff ? error.cause : error;
  if (cause instanceof TooManyBytes) return undefined;
  if (cause instanceof Error && 'code' in cause && /^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(String(cause.code)))
    return 'damaged';
  throw error;
}

function parseBody(bytes: Uint8Array, encoding: Encoding, { depth }: ReplyBounds): BodyReading {
  const length = { bytes: bytes.length };
  if (bytes.length === 0) return { body: undefined, ...length };
  if (encoding === 'unknown') {
    return { body: undefined, unread: 'the answer is compressed in a way that is not supported', ...length };
  }
  if (!isUtf8(bytes)) return { body: undefined, unread: 'the answer is not UTF-8', ...length };
  const text = textOf(bytes);
  const body = parse(text);
  if (body === undefined) return { body, unread: noJson(text), ...length };
  if (!isDeeperThan(body, depth)) return { body, ...length };
  return { body: undefined, unread: `the answer is nested deeper than ${depth} levels`, ...length };
}

/** Neither binary data nor the page of a proxy counts as the requested text. */
function textIn(bytes: Uint8Array, encoding: Encoding): Pick<BodyReading, 'text'> {
  if (encoding === 'unknown' || !isUtf8(bytes)) return {};
  const text = textOf(bytes);
  return present({ text: isPage(text) ? undefined : text });
}

function unreadRefusal({ refusalBytes }: ReplyBounds): BodyReading {
  return { body: undefined, unread: `its text is longer than ${size(refusalBytes)} and was not read` };
}

/** Without a byte order mark, which a reader may ignore (RFC 8259, 8.1). */
function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function noJson(text: string): string {
  if (isPage(text)) return 'the answer is an HTML page, perhaps from a proxy, not JSON';
  return 'the answer is no JSON, or was cut off';
}

function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text);
}

/** The connection was lost after the answer had begun. */
export class CutOff extends Error {
  /** `expected`: NaN if the answer did not name its length. */
  constructor(arrived: number, expected: number, cause: unknown) {
    const of = Number.isNaN(expected) ? '' : ` of ${expected}`;
    super(`the answer was cut off after ${arrived}${of} bytes`, { cause });
  }
}

/** Undefined if there are more than `most`. The rest is not read, and its connection is closed. */
async function readBytes(
  body: AsyncIterable<Uint8Array>,
  { most, mostAtOnce, expected }: { readonly most: number; readonly mostAtOnce: number; readonly expected: number },
  buffered: BufferedBytes,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      buffered.bytes += chunk.length;
      if (length > most) return undefined;
      if (buffered.bytes > mostAtOnce) throw tooLarge('the total of all answers being read', size(mostAtOnce));
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  } catch (error) {
    throw error instanceof ApiError ? error : new CutOff(length, expected, error);
  } finally {
    buffered.bytes -= length;
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** How a body is compressed (RFC 9110, 8.4.1). `undefined`: not compressed; `unknown`: in an unsupported way. */
type Encoding = 'gzip' | 'br' | 'deflate' | 'unknown' | undefined;

function encodingOf(header: string | undefined): Encoding {
  const name = header?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  if (name === 'x-gzip') return 'gzip';
  return name === 'gzip' || name === 'br' || name === 'deflate' ? name : 'unknown';
}

/** More compressed bytes arrived than a whole answer may have. */
class TooManyBytes extends Error {}

/**
 * A decompressed body. The reader limits the decompressed bytes, and this function the compressed ones, because a
 * stream can grow endlessly without producing output.
 */
async function* decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: Exclude<Encoding, 'unknown' | undefined>,
  most: number,
): AsyncGenerator<Uint8Array> {
  const [zlib, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const decoder: Transform =
    encoding === 'gzip'
      ? zlib.createGunzip()
      : encoding === 'br'
        ? zlib.createBrotliDecompress()
        : ((first.value[0] ?? 0) & 0x0f) === 8
          ? zlib.createInflate()
          : zlib.createInflateRaw(); // some servers omit the header of the format
  async function* bounded(): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for (let chunk = first; chunk.done !== true; chunk = await chunks.next()) {
        length += chunk.value.length;
        if (length > most) throw new TooManyBytes();
        yield chunk.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  yield* pipeline(bounded, decoder, () => {}); // the reader gets the error
}

/** A shorter text is too frequent. */
const shortest = 4;

/**
 * Makes the text of a refusal safe to print: without control characters, and without a token or secret that the
 * platform repeats. Control characters may be in the middle of a secret, so they are removed first, also in the
 * secrets.
 */
export function cleanRefusal(document: JsonValue, hidden: readonly string[]): JsonValue {
  const shown = hidden.map(withoutControls).filter(({ length }) => length >= shortest);
  return withoutSecrets(printable(document), [...hidden, ...shown]);
}

function printable(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutControls(value);
  if (isArray(value)) return value.map(printable);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [withoutControls(key), printable(member)]));
}

import type { Transform } from 'node:stream';

/** How a body is compressed (RFC 9110, 8.4.1). `undefined`: not at all; `unknown`: in a way that cannot be undone here. */
export type Encoding = 'gzip' | 'br' | 'deflate' | 'unknown' | undefined;

export function encodingOf(header: string | undefined): Encoding {
  const name = header?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  if (name === 'x-gzip') return 'gzip';
  return name === 'gzip' || name === 'br' || name === 'deflate' ? name : 'unknown';
}

/** More compressed bytes came than a whole answer may have. */
export class TooManyBytes extends Error {}

/**
 * A compressed body as it was. Bounded on both sides: what it becomes is counted by who reads it, and what comes in here,
 * because a stream can grow for ever that becomes nothing.
 */
export async function* decoded(
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
          : zlib.createInflateRaw(); // some servers leave the header of the format out
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
  yield* pipeline(bounded, decoder, () => {}); // the error is thrown to who reads
}

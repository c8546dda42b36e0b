import type { IncomingMessage } from 'node:http';

/** Limit for the sender. */
const bodyMs = 30_000;

/**
 * Reads a body; undefined if it is too large or too slow. `take`: called with the size of each part; if it returns
 * false, the rest is not read.
 */
export async function readBody(
  request: IncomingMessage,
  take: (bytes: number) => boolean,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  const deadline = setTimeout(() => request.destroy(), bodyMs);
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(part)) continue;
      if (!take(part.length)) return undefined;
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch {
    return undefined; // the sender has disconnected, or was too slow
  } finally {
    clearTimeout(deadline);
  }
}

/** A limit for the total size of a body. */
export function upTo(mostBytes: number): (bytes: number) => boolean {
  let left = mostBytes;
  return (bytes) => {
    left -= bytes;
    return left >= 0;
  };
}

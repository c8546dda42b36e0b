import type { IncomingMessage } from 'node:http';

/** A sender that takes longer is cut off. */
const bodyMs = 30_000;

/**
 * Undefined: it is more than may be taken, or was not there in time. `take` is asked with the size of each part. What is
 * left then is not read.
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
    return undefined; // the sender has gone, or was too slow
  } finally {
    clearTimeout(deadline);
  }
}

/** For a body of this size at most. */
export function upTo(mostBytes: number): (bytes: number) => boolean {
  let left = mostBytes;
  return (bytes) => {
    left -= bytes;
    return left >= 0;
  };
}

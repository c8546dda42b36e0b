import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * A client gets this much time in total, and more for what it has read at this rate: resources may be held for the
 * pieces, and others may wait for them.
 */
const patience = { inAllMs: 30_000, leastBytesPerMs: 256 } as const;

/**
 * Sends a body piece by piece, no faster than its client reads. Ends early if the client disconnects, reads too slowly,
 * or wanted no body; in any case the source of the pieces is closed. Rejects if a piece cannot be made: the connection
 * then ends before its body does.
 */
export async function sendPieces(
  outgoing: ServerResponse,
  first: string,
  pieces: AsyncGenerator<string, void>,
  { inAllMs, leastBytesPerMs }: { readonly inAllMs: number; readonly leastBytesPerMs: number } = patience,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  outgoing.once('close', leave);
  let waitedMs = 0;
  let sentBytes = 0;
  function send(piece: string): void {
    sentBytes += Buffer.byteLength(piece);
    outgoing.write(piece);
  }
  async function room(): Promise<void> {
    const startedMs = performance.now();
    const leftMs = inAllMs + sentBytes / leastBytesPerMs - waitedMs;
    const impatience = setTimeout(() => outgoing.destroy(), leftMs);
    await once(outgoing, 'drain', { signal: gone.signal }).finally(() => clearTimeout(impatience));
    waitedMs += performance.now() - startedMs;
  }
  try {
    if (outgoing.destroyed) return;
    send(first);
    if (outgoing.req.method !== 'HEAD') {
      for await (const piece of pieces) {
        if (outgoing.writableNeedDrain) await room();
        if (outgoing.destroyed) return;
        send(piece);
      }
    }
    outgoing.end();
  } catch (error) {
    // There is no client left.
    if (!gone.signal.aborted) throw error;
  } finally {
    outgoing.off('close', leave);
    await pieces.return();
  }
}

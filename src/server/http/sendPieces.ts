import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Who reads nothing for so long is not waited for: what the pieces are made of may be held for it. */
const patienceMs = 30_000;

/**
 * Sends a body piece by piece, no faster than its client reads it. Ends early where the client leaves, stands still, or asked
 * for no body; whatever happens, the pieces are told that no more is wanted. Rejects where they cannot be made: the
 * connection ends before its body does then.
 */
export async function sendPieces(
  outgoing: ServerResponse,
  first: string,
  pieces: AsyncGenerator<string, void>,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  outgoing.once('close', leave);
  outgoing.setTimeout(patienceMs, () => outgoing.destroy());
  try {
    if (outgoing.destroyed) return;
    outgoing.write(first);
    if (outgoing.req.method !== 'HEAD') {
      for await (const piece of pieces) {
        if (outgoing.writableNeedDrain) await once(outgoing, 'drain', { signal: gone.signal });
        if (outgoing.destroyed) return;
        outgoing.write(piece);
      }
    }
    outgoing.end();
  } catch (error) {
    // Nobody is left to be told.
    if (!gone.signal.aborted) throw error;
  } finally {
    outgoing.off('close', leave);
    await pieces.return();
  }
}

/** How long a piece of long work may hold the one thread that answers everybody. */
const sliceMs = 5;

const waiting: (() => void)[] = [];
let isScheduled = false;

/** Resolves in a later turn of the event loop, which only one piece of long work gets: many of them are no longer wait. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
    if (waiting.length > 0) schedule();
  });
}

/** Long work in slices: between them others are answered. */
export class Slices {
  #startedMs = performance.now();

  /** Milliseconds since the last rest. */
  get tookMs(): number {
    return performance.now() - this.#startedMs;
  }

  get isOver(): boolean {
    return this.tookMs >= sliceMs;
  }

  /** Lets others be answered first, where this slice is over. */
  async rest(): Promise<void> {
    if (this.isOver) await this.next();
  }

  /** The same in any case. */
  async next(): Promise<void> {
    await nextTurn();
    this.#startedMs = performance.now();
  }
}

/** How many things to take at once so that they fit into a slice: by how long the last ones took. */
export function nextBatch(last: number, tookMs: number, most: number): number {
  if (tookMs > sliceMs) return Math.max(1, Math.floor((last * sliceMs) / (2 * tookMs)));
  return tookMs < sliceMs / 4 ? Math.min(most, last * 2) : last;
}

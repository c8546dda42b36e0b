import { addTo } from '../../base/multimap.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { ClientGone } from '../http/cutConnection.ts';
import { mostLongRequests } from '../http/limits.ts';

/** The maximum time that a piece of long work may block the only thread. */
export const sliceMs = 5;

/** Waiting work by caller; the first caller has the next turn. */
const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/**
 * Resolves in a later turn of the event loop that no other long work shares. Callers take turns, so that many requests
 * of one do not slow down those of another.
 */
export function nextTurn(caller: string): Promise<void> {
  return new Promise((resolve) => {
    addTo(waiting, caller, resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    for (const [caller, [first, ...rest]] of waiting) {
      waiting.delete(caller);
      if (rest.length > 0) waiting.set(caller, rest);
      first?.();
      break;
    }
    if (waiting.size > 0) schedule();
  });
}

/** The number of long requests in progress, by caller. */
const longRequests = new Map<string, number>();

function beginLongRequest(caller: string): void {
  const count = longRequests.get(caller) ?? 0;
  if (count >= mostLongRequests) {
    const message = `${mostLongRequests} long requests of ${caller} are in progress; try again`;
    throw new ApiFailure(429, message, { headers: { 'retry-after': '1' } });
  }
  longRequests.set(caller, count + 1);
}

function endLongRequest(caller: string): void {
  const count = longRequests.get(caller) ?? 0;
  if (count > 1) longRequests.set(caller, count - 1);
  else longRequests.delete(caller);
}

/** The caller of the work, and whether its client has disconnected. */
export interface SlicedWork {
  readonly caller: string;
  readonly isGone?: (() => boolean) | undefined;
  /** Whether it is not counted as a long request of its caller. */
  readonly isInProcess?: boolean | undefined;
}

/** The parts of a request that long work needs. */
export interface LongCall {
  readonly caller: { readonly link: string };
  readonly request: Pick<SlicedWork, 'isGone' | 'isInProcess'>;
}

/** Divides long work into slices, between which other requests are answered. */
export class Slices {
  readonly #caller: string;
  readonly #isGone: () => boolean;
  readonly #isCounted: boolean;
  #startedMs = performance.now();
  #isLong = false;

  private constructor({ caller, isGone = () => false, isInProcess = false }: SlicedWork) {
    this.#caller = caller;
    this.#isGone = isGone;
    this.#isCounted = !isInProcess;
  }

  /**
   * Does the work of a request, which counts as a long request of its caller once it takes more than a slice. One too
   * many is refused with 429. Ends with `ClientGone` when the client disconnects.
   */
  static async of<T>(work: SlicedWork, run: (slices: Slices) => Promise<T>): Promise<T> {
    const slices = new Slices(work);
    try {
      // Without this, many requests that arrive together would each use a slice before any of them is answered.
      if (waiting.size > 0) await slices.yieldTurn();
      return await run(slices);
    } finally {
      if (slices.#isLong) endLongRequest(slices.#caller);
    }
  }

  /** Like `of`, for a response that is made while it is sent. */
  static async *piecewise<T>(
    { caller, request }: LongCall,
    run: (slices: Slices) => AsyncGenerator<T, void>,
  ): AsyncGenerator<T, void> {
    const slices = new Slices({ caller: caller.link, isGone: request.isGone, isInProcess: request.isInProcess });
    try {
      if (waiting.size > 0) await slices.yieldTurn();
      yield* run(slices);
    } finally {
      if (slices.#isLong) endLongRequest(slices.#caller);
    }
  }

  static ofCall<T>({ caller, request }: LongCall, run: (slices: Slices) => Promise<T>): Promise<T> {
    const { isGone, isInProcess } = request;
    return Slices.of({ caller: caller.link, isGone, isInProcess }, run);
  }

  get isOver(): boolean {
    return performance.now() - this.#startedMs >= sliceMs;
  }

  /** Yields to other requests if this slice has ended. */
  async rest(): Promise<void> {
    if (this.isOver) await this.yieldTurn();
  }

  /** Always yields. */
  async yieldTurn(): Promise<void> {
    if (this.#isCounted && !this.#isLong) {
      beginLongRequest(this.#caller);
      this.#isLong = true;
    }
    await nextTurn(this.#caller);
    if (this.#isGone()) throw new ClientGone();
    this.#startedMs = performance.now();
  }
}

/** In characters; shorter pieces cost more than they save. */
const pieceLength = 64 * 1024;

/** The pieces of a response of many short texts. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Limit of a step that ends with a commit. It exceeds a slice, because any commit costs a disk flush. */
export const stepMs = 20;

/** The size of the next batch that fits into the time, estimated from the duration of the last one. */
export function nextBatch(last: number, tookMs: number, most: number, withinMs = sliceMs): number {
  const estimated = Math.floor((last * withinMs) / (2 * Math.max(tookMs, 0.01)));
  return Math.max(1, Math.min(estimated, 2 * last, most));
}

import type { ServerResponse } from 'node:http';
import type { Board } from '../model.ts';
import type { Told } from './pageAnswers.ts';

/** Changes are gathered for this time, so that a busy fleet tells of a stack once. */
const gatherMs = 250;
/** The interval of the comments that keep a connection open. */
const aliveMs = 15_000;
/** More changes at once, and pages read the whole list instead. */
const mostTold = 50;
/** A page that reads no faster is left: it comes back and reads everything. */
const mostUnread = 1024 * 1024;
const mostPages = 500;

/** Tells open pages what changes, by server-sent events: one subscription to the board for all of them. */
export class Announcer {
  readonly #board: Board;
  readonly #pages = new Map<ServerResponse, () => Promise<boolean>>();
  readonly #changed = new Set<string>();
  readonly #unsubscribe: () => void;
  readonly #alive: NodeJS.Timeout;
  #gathering: NodeJS.Timeout | undefined;

  constructor(board: Board) {
    this.#board = board;
    this.#unsubscribe = board.subscribe(({ stack }) => {
      if (this.#pages.size === 0) return;
      this.#changed.add(stack);
      this.#gathering ??= setTimeout(() => void this.#tell(), gatherMs);
    });
    this.#alive = setInterval(() => void this.#stayAlive(), aliveMs).unref();
  }

  /** `mayRead`: asked again and again, as a token may be taken back. False: there are too many pages. */
  add(page: ServerResponse, mayRead: () => Promise<boolean>): boolean {
    if (this.#pages.size >= mostPages) return false;
    page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    page.write(': here\n\n');
    this.#pages.set(page, mayRead);
    page.once('close', () => this.#pages.delete(page));
    return true;
  }

  close(): void {
    this.#unsubscribe();
    clearInterval(this.#alive);
    clearTimeout(this.#gathering);
    for (const page of this.#pages.keys()) page.end();
  }

  async #tell(): Promise<void> {
    const stacks = [...this.#changed];
    this.#changed.clear();
    this.#gathering = undefined;
    const told = stacks.length > mostTold ? [{ all: true } as const] : await this.#summaries(stacks);
    this.#write(told.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
  }

  async #summaries(stacks: readonly string[]): Promise<readonly Told[]> {
    try {
      return await Promise.all(
        stacks.map(async (stack) => ({ stack, summary: (await this.#board.read(stack)) ?? null })),
      );
    } catch {
      // The store is away for a moment. Pages ask again, and are told why.
      return [{ all: true }];
    }
  }

  #write(text: string): void {
    for (const page of this.#pages.keys()) {
      if (page.writableLength > mostUnread) page.destroy();
      else page.write(text);
    }
  }

  async #stayAlive(): Promise<void> {
    for (const [page, mayRead] of this.#pages) {
      // Also where the store does not say: the page comes back.
      if (!(await mayRead().catch(() => false))) page.end();
    }
    this.#write(': alive\n\n');
  }
}

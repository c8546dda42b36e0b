/** Which webhooks were taken: one that comes again is not. In a store of all workers, or of this process. */
export interface SeenWebhooks {
  /** True: it is new, and counts as seen until `endMs`. */
  add(id: string, endMs: number, nowMs: number): Promise<boolean>;
  /** It could not be taken after all. */
  forget(id: string): Promise<void>;
}

/** So that nobody who has a secret fills the memory: the oldest are forgotten. */
const most = 10_000;

/** Of this process alone: a repetition at another worker makes it look once more, and no more than that. */
export class SeenHere implements SeenWebhooks {
  readonly #ends = new Map<string, number>();

  async add(id: string, endMs: number, nowMs: number): Promise<boolean> {
    const end = this.#ends.get(id);
    if (end !== undefined && end >= nowMs) return false;
    this.#ends.delete(id);
    this.#ends.set(id, endMs);
    for (const [oldest] of this.#ends) {
      if (this.#ends.size <= most) break;
      this.#ends.delete(oldest);
    }
    return true;
  }

  async forget(id: string): Promise<void> {
    this.#ends.delete(id);
  }
}

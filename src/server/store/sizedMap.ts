interface Held<V> {
  readonly value: V;
  readonly size: number;
  /** Since it was last passed over. */
  asked: boolean;
}

/**
 * A map whose values have so much size together at most. The oldest go first; one that was asked for meanwhile is passed over
 * once, so that asking costs no more than in any map.
 */
export class SizedMap<K, V> {
  readonly #most: number;
  readonly #held = new Map<K, Held<V>>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    held.asked = true;
    return held.value;
  }

  /** A value larger than all may be is not held. */
  set(key: K, value: V, size: number): void {
    this.delete(key);
    if (size > this.#most) return;
    this.#size += size;
    while (this.#size > this.#most) this.#passOldest();
    this.#held.set(key, { value, size, asked: false });
  }

  delete(key: K): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#size -= held.size;
  }

  #passOldest(): void {
    for (const [key, held] of this.#held) {
      this.#held.delete(key);
      if (held.asked) this.#held.set(key, { ...held, asked: false });
      else this.#size -= held.size;
      return;
    }
  }
}

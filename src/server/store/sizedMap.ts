interface Held<V> {
  readonly value: V;
  readonly size: number;
}

/** A map whose values have so much size together at most: what was not asked for the longest time goes first. */
export class SizedMap<K, V> {
  readonly #most: number;
  /** What was asked for last stands last. */
  readonly #held = new Map<K, Held<V>>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, held);
    return held.value;
  }

  /** A value larger than all may be is not held. */
  set(key: K, value: V, size: number): void {
    this.delete(key);
    if (size > this.#most) return;
    this.#held.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#held.keys()) {
      if (this.#size <= this.#most) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#size -= held.size;
  }
}

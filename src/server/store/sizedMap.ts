interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly size: number;
  /** Its neighbours in the order in which they were asked for. */
  before: Entry<K, V> | undefined;
  behind: Entry<K, V> | undefined;
}

/**
 * A map whose values have so much size together at most: what was not asked for the longest time goes first. The order
 * is a list of its own. In the order of a `Map`, the first entry is found behind the places of all that were deleted
 * before it.
 */
export class SizedMap<K, V> {
  readonly #most: number;
  readonly #entries = new Map<K, Entry<K, V>>();
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#append(entry);
    }
    return entry.value;
  }

  /** A value larger than all may be is not held. */
  set(key: K, value: V, size: number): void {
    this.delete(key);
    if (size > this.#most) return;
    this.#size += size;
    while (this.#size > this.#most && this.#oldest !== undefined) this.delete(this.#oldest.key);
    const entry = { key, value, size, before: undefined, behind: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
    this.#size -= entry.size;
  }

  #append(entry: Entry<K, V>): void {
    entry.before = this.#newest;
    entry.behind = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.behind = entry;
    this.#newest = entry;
  }

  #unlink({ before, behind }: Entry<K, V>): void {
    if (before === undefined) this.#oldest = behind;
    else before.behind = behind;
    if (behind === undefined) this.#newest = before;
    else behind.before = before;
  }
}

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly size: number;
  /** The neighbors in the order of last use. */
  before: Entry<K, V> | undefined;
  behind: Entry<K, V> | undefined;
}

/**
 * A map with a limit on the total size of its values, which deletes the least recently used first. The order is a
 * linked list, because each deleted earlier entry slows down finding the first entry of a `Map`.
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

  /** Does not store a value larger than the limit. */
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

/** Undoes changes, the last one first. */
export class UndoLog {
  readonly #steps: (() => void)[] = [];

  get mark(): number {
    return this.#steps.length;
  }

  set<K, V>(map: Map<K, V | undefined>, key: K, value: V | undefined): void {
    const [had, before] = [map.has(key), map.get(key)];
    this.#steps.push(() => {
      if (had) map.set(key, before);
      else map.delete(key);
    });
    map.set(key, value);
  }

  /** Undoes all changes since this mark. */
  rollBack(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.();
  }
}

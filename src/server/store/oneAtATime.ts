/** What only one may have at a time: the others wait in the order in which they came. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is free, with what gives it back; that may be called more than once. */
  async taken(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

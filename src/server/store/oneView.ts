import type { View } from './row.ts';

/** Lets one view be open at a time, where more would cost too much: the others wait in the order in which they came. */
export class OneView {
  #last: Promise<void> = Promise.resolve();

  /** Does something while none is open. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return work().finally(resolve);
  }

  async open(opening: () => View | Promise<View>): Promise<View> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      const view = await opening();
      return { ...view, close: () => view.close().finally(resolve) };
    } catch (error) {
      resolve();
      throw error;
    }
  }
}

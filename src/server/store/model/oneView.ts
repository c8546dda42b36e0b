import type { View } from './row.ts';

/** Allows one open view at a time, where several would cost too much. Others wait in order of arrival. */
export class OneView {
  #last: Promise<void> = Promise.resolve();

  /** Runs the work while no view is open. */
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

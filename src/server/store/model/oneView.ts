import type { View } from './row.ts';

/** Allows one open view at a time, where several would cost too much. Others wait in order of arrival. */
export class OneView {
  #last: Promise<void> = Promise.resolve();

  /** Runs the work while no view is open. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.#turn();
    return work().finally(end);
  }

  async open(opening: () => View | Promise<View>): Promise<View> {
    const end = await this.#turn();
    try {
      const view = await opening();
      return { ...view, close: () => view.close().finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Call the result at the end of the turn. */
  async #turn(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

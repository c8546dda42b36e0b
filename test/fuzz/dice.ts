import { seeded } from '../../src/base/seeded.ts';

/** Choices that are the same for equal seeds. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = seeded(seed);
  }

  /** From 0 to below `below`. */
  whole(below: number): number {
    return Math.floor(this.#next() * below);
  }

  one<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.whole(choices.length)] ?? choices[0];
  }

  any<T>(choices: readonly T[]): T | undefined {
    return choices[this.whole(choices.length)];
  }

  /** True with this probability, in percent. */
  percent(percent: number): boolean {
    return this.#next() * 100 < percent;
  }
}

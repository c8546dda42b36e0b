import { seeded } from '../server/rules/faults/seeded.ts';

/** `count` of these, the same for equal seeds, in their own order. */
export function sampleOf<T>(all: readonly T[], count: number, seed: string): readonly T[] {
  const random = seeded(seed);
  const order = all.map((_, index) => index);
  // The first places of a shuffle.
  for (let place = 0; place < Math.min(count, order.length); place += 1) {
    const other = place + Math.floor(random() * (order.length - place));
    [order[place], order[other]] = [order[other] ?? other, order[place] ?? place];
  }
  const chosen = new Set(order.slice(0, count));
  return all.filter((_, index) => chosen.has(index));
}

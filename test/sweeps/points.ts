import type { Dice } from '../fuzz/dice.ts';

/** A sample without repetition, in the order of the whole; all of it where `count` is not smaller. */
export function sample<T>(whole: readonly T[], count: number, dice: Dice): readonly T[] {
  const places = whole.map((_, index) => index);
  while (places.length > count) places.splice(dice.whole(places.length), 1);
  return places.flatMap((place) => whole.slice(place, place + 1));
}

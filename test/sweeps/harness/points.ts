import type { Dice } from '../../fuzz/dice.ts';
import { moments, type Point } from './dying.ts';
import type { Undisturbed } from './scenarioSteps.ts';

/** A sample without repetition, in the original order; everything if `count` is not smaller. */
export function sample<T>(whole: readonly T[], count: number, dice: Dice): readonly T[] {
  const places = whole.map((_, index) => index);
  while (places.length > count) places.splice(dice.whole(places.length), 1);
  return places.flatMap((place) => whole.slice(place, place + 1));
}

/** The points at which a run of this step can be killed: each request, at each moment. Empty without changes. */
export function crashPoints({ requests, firstWrite }: Undisturbed): readonly Point[] {
  if (firstWrite === undefined) return [];
  return Array.from({ length: requests }, (_, index) => index + 1).flatMap((request) =>
    moments.map((moment) => ({ request, moment })),
  );
}

/** The points from the first write on. */
export function crashPointsOfWriting(step: Undisturbed): readonly Point[] {
  const { firstWrite = 0 } = step;
  return crashPoints(step).filter(({ request }) => request >= firstWrite);
}

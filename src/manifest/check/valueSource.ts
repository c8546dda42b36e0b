import { isWithin } from '../../base/json/pointer.ts';
import type { ValueSource } from '../../kinds/validation/shapeProblem.ts';
import type { Written } from '../model/manifest.ts';
import { type Declared, hiddenPlaces } from '../model/marks.ts';

/** How messages may quote values of a manifest: as they were written, but never secrets. */
export function valueSource(declared: Declared, written: Written = () => undefined): ValueSource {
  const hidden = hiddenPlaces(declared);
  return { written, isHidden: (pointer) => hidden.some((place) => isWithin(pointer, place)) };
}

import type { JsonValue } from '../../base/json/json.ts';
import { itemName, quoted } from '../../schema/shape/paths.ts';
import type { ListShape } from '../../schema/shape/shape.ts';

/** The way to the present place of a walk: the text of a path is made only when it is asked for. */
export interface Trail {
  readonly trail: readonly (string | ItemStep)[];
}

/** A step into a list. */
export interface ItemStep {
  readonly list: ListShape;
  readonly item: JsonValue;
  readonly position: number;
  /** For a recorder: the live item, and the position of the declared one. */
  readonly held?: JsonValue;
  readonly declaredAt?: number;
}

/** The key of the item in its own spelling; its position where it has none. */
export function stepName({ list, item, position }: ItemStep): string {
  return itemName(list, item) ?? String(position);
}

/** The path of the present place, as `schema/shape/paths.ts` writes it. */
export function pathOf({ trail }: Trail): string {
  return trail.map((step) => quoted(typeof step === 'string' ? step : stepName(step))).join('.');
}

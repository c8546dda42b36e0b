import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { itemName, quoted } from '../../schema/shape/paths.ts';
import type { ListShape, Shape } from '../../schema/shape/shape.ts';
import type { Patterns } from './patterns.ts';
import type { StoredForms } from './storedForms.ts';

/** What goes through one walk over a live record and what is declared of it. */
export interface Walk {
  readonly context: RecordContext;
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  readonly notes: string[];
  /** The live objects around the present place, the record first. */
  readonly enclosing: JsonObject[];
  /** The names and items that lead to the present place; the text of a path is made only when it is asked for. */
  readonly trail: (string | ItemStep)[];
  /** A first walk leaves derived fields alone, because what they depend on may change; it says that it met some. */
  readonly settleDerived: boolean;
  derivedDiffers: boolean;
  /** Undefined: the field is to be absent. */
  readonly value: (
    shape: Shape,
    live: JsonValue | undefined,
    desired: JsonValue | undefined,
    ignored: Patterns,
    walk: Walk,
  ) => JsonValue | undefined;
}

/** A step into a list. */
export interface ItemStep {
  readonly list: ListShape;
  readonly item: JsonValue;
  readonly position: number;
}

/** The key of the item in its own spelling; its position where it has none. */
export function stepName({ list, item, position }: ItemStep): string {
  return itemName(list, item) ?? String(position);
}

/** The path of the present place, as `schema/shape/paths.ts` writes it. */
export function pathOf(walk: Walk): string {
  return walk.trail.map((step) => quoted(typeof step === 'string' ? step : stepName(step))).join('.');
}

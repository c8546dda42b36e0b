import type { RecordContext } from '../schema/context.ts';
import type { JsonObject, JsonValue } from '../schema/json.ts';
import type { Shape } from '../schema/shape.ts';
import type { Ignored } from './ignored.ts';
import { segment } from './place.ts';

/** What goes through one walk over a live record and what is declared of it. */
export interface Walk {
  readonly context: RecordContext;
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly notes: string[];
  /** The live objects around the present place, the record first. */
  readonly enclosing: JsonObject[];
  /** The names and keys that lead to the present place. */
  readonly trail: string[];
  /** A first walk leaves derived fields alone, because what they depend on may change; it says that it met some. */
  readonly settleDerived: boolean;
  derivedDiffers: boolean;
  /** Undefined: the field is to be absent. */
  readonly value: (
    shape: Shape,
    live: JsonValue | undefined,
    desired: JsonValue | undefined,
    ignored: Ignored,
    walk: Walk,
  ) => JsonValue | undefined;
}

/** The path of the present place, as `schema/paths.ts` writes it. */
export function pathOf(walk: Walk): string {
  return walk.trail.map(segment).join('.');
}

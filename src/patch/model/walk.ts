import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { ItemStep, Patterns } from './place.ts';
import type { Recorder } from './recorder.ts';
import type { StoredForms } from './storedForms.ts';

/** The state of one walk over a live record and what is declared of it. */
export interface Walk {
  readonly context: RecordContext;
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  readonly notes: string[];
  /** Undefined, as in every plan: nobody asks why, and nothing is taken down. */
  readonly recorder: Recorder | undefined;
  /** Only what is declared is compared: a part of a resource of somebody else. */
  readonly part: boolean;
  /** The live objects around the present place, the record first. */
  readonly enclosing: JsonObject[];
  /** The names and items that lead to the present place. */
  readonly trail: (string | ItemStep)[];
  /** The patterns of `lifecycle.ignore` at the present place. */
  ignored: Patterns;
  /** A first walk leaves derived fields alone, because what they depend on may change; it says that it met some. */
  readonly settleDerived: boolean;
  derivedDiffers: boolean;
  /** Undefined: the field is to be absent. */
  readonly value: (
    shape: Shape,
    live: JsonValue | undefined,
    desired: JsonValue | undefined,
    walk: Walk,
  ) => JsonValue | undefined;
}

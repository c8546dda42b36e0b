import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { ItemStep, Patterns } from './place.ts';
import type { Recorder } from './recorder.ts';

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

/** How the platform stores what a stack writes, where it does it in its own way and that is known. */
export interface StoredForms {
  /** Nothing is declared at this path: is the live value the platform's own default? */
  readonly isFilled: (path: string, shape: Shape, live: JsonValue) => boolean;
  /** Is this what the platform makes of the declared value? `live` is undefined where it stored nothing. */
  readonly isForm: (path: string, shape: Shape, live: JsonValue | undefined, declared: JsonValue) => boolean;
  /** Does the platform have other defaults than those documented? Then a declared default is sent like any value. */
  readonly hasOtherDefaults?: boolean;
}

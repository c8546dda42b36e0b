import type { JsonValue } from '../../base/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';

/** How the platform stores what a stack writes, where it does it in its own way and that is known. */
export interface StoredForms {
  /** Nothing is declared at this path: is the live value the platform's own default? */
  readonly isFilled: (path: string, shape: Shape, live: JsonValue) => boolean;
  /** Is this what the platform makes of the declared value? `live` is undefined where it stored nothing. */
  readonly isForm: (path: string, shape: Shape, live: JsonValue | undefined, declared: JsonValue) => boolean;
  /** Does the platform have other defaults than those documented? Then a declared default is sent like any value. */
  readonly hasOtherDefaults?: boolean;
}

import type { JsonObject } from '../../base/json/json.ts';
import type { Locate, Position, Written } from './manifest.ts';

/** The values that manifests take from an environment, and where they are written. */
export interface Values {
  readonly values: JsonObject;
  /** As they stand in the file, so that `1.10` stays what it is. Pointers begin at the values. */
  readonly written: Written;
  /** Undefined: the file is not known. */
  readonly locate: Locate | undefined;
}

/** The values of one environment. */
export interface NamedValues extends Values {
  readonly environment: string;
}

/** A position, and the values that the value there was made of, by their paths; none where it was written there. */
export interface ValuePosition extends Position {
  readonly values: readonly (readonly string[])[];
}

import type { JsonValue } from '../schema/json.ts';
import type { Pointer } from '../schema/valuesAt.ts';
import type { Locate } from './manifest.ts';

/** One document of an input: a manifest, or a list of them, as data. */
export interface ManifestDocument {
  readonly value: JsonValue;
  readonly locate: Locate;
  /** Where values came from elsewhere; absent where all of them were written here. */
  readonly outside?: OutsideValues;
}

/** Places of values from environment variables, files or commands. */
export interface OutsideValues {
  readonly read: readonly Pointer[];
  /** Not read (yet): nothing can be said about the value. */
  readonly awaited: readonly Pointer[];
}

/** The same place function for a value inside the document. */
export function locateInside(locate: Locate, prefix: readonly (string | number)[]): Locate {
  return (pointer, of) => locate([...prefix, ...pointer], of);
}

import type { JsonValue } from '../schema/json.ts';
import type { Locate } from './manifest.ts';

/** One document of an input: a manifest, or a list of them, as data. */
export interface ManifestDocument {
  readonly value: JsonValue;
  readonly locate: Locate;
}

/** The same place function for a value inside the document. */
export function locateInside(locate: Locate, prefix: readonly (string | number)[]): Locate {
  return (pointer, of) => locate([...prefix, ...pointer], of);
}

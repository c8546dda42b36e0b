import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { masked } from '../../base/json/masked.ts';
import { present } from '../../base/json/present.ts';
import type { Locate } from './manifest.ts';

/** The word that `kind` has in the manifest of an output. No kind of resources has this name. */
export const outputKind = 'output';

/** A value that a stack hands on: to people, to programs, to other stacks. It is read from the platform, and kept nowhere. */
export interface Output {
  readonly name: string;
  /** As declared: texts in it may refer to values of live records (`liveReference.ts`). */
  readonly value: JsonValue;
  readonly description?: string;
  /** Where a value that is shown once goes when it is made. */
  readonly saveTo?: { readonly file: string };
  /** It is masked where it is shown; also where it is made of a value that the schema knows to be sensitive. */
  readonly sensitive: boolean;
  /** The name of its stack in code; absent where code says none. */
  readonly stack?: string;
  readonly locate: Locate;
}

/** The manifest with the mask in place of a sensitive value. */
export function maskedOutput(output: Output): JsonObject {
  return outputManifest(output.sensitive ? { ...output, value: masked } : output);
}

/** An output as its manifest. */
export function outputManifest({ name, value, description, saveTo, sensitive }: Output): JsonObject {
  return {
    kind: outputKind,
    name,
    value,
    ...present({ description, saveTo }),
    ...(sensitive ? { sensitive } : {}),
  };
}

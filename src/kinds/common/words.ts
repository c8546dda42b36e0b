import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { WorkloadType } from '../../schema/facts/workloadTypes.ts';

/** The description of a field of a type. Its defaults, bounds and allowed values are added from the facts. */
export interface FieldWords {
  readonly words: string;
  /** The type name of its objects: of the field, of list items, or of map values. */
  readonly type?: string;
  /** The workload types that have it; absent for all. */
  readonly only?: readonly WorkloadType[];
  /** The section of docs/platform with more, if not the type's section. */
  readonly section?: string;
  /** Whether it is deprecated but works; the words then name the replacement. */
  readonly deprecated?: true;
}

/** A named type of the schema: its description, its section of docs/platform, and its fields. */
export interface TypeWords {
  readonly about: string;
  readonly section: string;
  readonly fields: Readonly<Record<string, string | FieldWords>>;
}

export type TypeTable = Readonly<Record<string, TypeWords>>;

/** The published words and example of a kind. Plans do not load them. */
export interface Published {
  /** The named types of its fields. */
  readonly types: TypeTable;
  /** The doc comment of its construct. @default the description of its record type */
  readonly construct?: string;
  /**
   * An example record for the description of the API. It refers only to examples of other kinds and to built-in
   * records.
   */
  readonly example?: JsonObject;
}

/** A field with objects of this type. */
export function typed(type: string, words: string, more: Omit<FieldWords, 'words' | 'type'> = {}): FieldWords {
  return { words, type, ...more };
}

/** A field of only these workload types. */
export function only(types: readonly WorkloadType[], words: string, type?: string): FieldWords {
  return { words, only: types, ...present({ type }) };
}

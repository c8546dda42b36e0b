import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { WorkloadType } from '../../schema/facts/workloadTypes.ts';

/** The description of one field of a type. Defaults, bounds and allowed values are added from its facts. */
export interface FieldWords {
  readonly words: string;
  /** The name of the type of its objects: its own, those of its items, or those of its values by key. */
  readonly type?: string;
  /** The types of workload that have it; without, all. */
  readonly only?: readonly WorkloadType[];
  /** Where docs/platform has more, when it is not the section of the type. */
  readonly section?: string;
  /** It still works; the words go on with what to use instead. */
  readonly deprecated?: true;
}

/** A named type of the schema: what it is, where docs/platform describes it, and each of its fields. */
export interface TypeWords {
  readonly about: string;
  readonly section: string;
  readonly fields: Readonly<Record<string, string | FieldWords>>;
}

export type TypeTable = Readonly<Record<string, TypeWords>>;

/** The published words and example of a kind, beside its definition. No plan loads them. */
export interface Published {
  /** The named types of its fields. */
  readonly types: TypeTable;
  /** The doc comment of its construct. @default what is said about the type of its record */
  readonly construct?: string;
  /** A record for the description of the API. It refers only to examples of other kinds and to built-in records. */
  readonly example?: JsonObject;
}

/** A field whose objects are of this type. */
export function typed(type: string, words: string, more: Omit<FieldWords, 'words' | 'type'> = {}): FieldWords {
  return { words, type, ...more };
}

/** A field that only these types of workload have. */
export function only(types: readonly WorkloadType[], words: string, type?: string): FieldWords {
  return { words, only: types, ...present({ type }) };
}

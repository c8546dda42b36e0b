import type { JsonObject } from '../base/json/json.ts';
import { asWritten, type Spelling } from './words.ts';

/** A place in a document: the spelling of its keys and texts, and the places below. */
export interface Place {
  /** The spelling of the keys of an object here. */
  readonly keys: Spelling;
  /** The spelling of a text here. */
  readonly text: Spelling;
  /** Whether it is a list whose items have names in paths and patches, according to a schema. */
  readonly isList: boolean;
  /** The texts that name list items here, as in `$drop/env`. */
  readonly itemNames: Spelling;
  readonly item: Place;
  /** Whether a schema has a field of this neutral name here. */
  declares(name: string): boolean;
  /** The place below a neutral key. `beside`: the enclosing object; names that are read there stay. */
  child(name: string, beside: JsonObject): Place;
}

interface PlaceFields {
  readonly keys?: Spelling;
  readonly text?: Spelling;
  readonly isList?: boolean;
  readonly itemNames?: () => Spelling;
  readonly item?: () => Place;
  readonly declares?: (name: string) => boolean;
  readonly child?: (name: string, beside: JsonObject) => Place | undefined;
}

/** A place from its fields. The defaults: names and texts stay, and everything below is like this place. */
export function placeOf(fields: PlaceFields): Place {
  const { keys = asWritten, text = asWritten, isList = false, itemNames, item, declares, child } = fields;
  const self: Place = {
    keys,
    text,
    isList,
    get itemNames() {
      return itemNames?.() ?? text;
    },
    get item() {
      return item?.() ?? self;
    },
    declares: (name) => declares?.(name) ?? false,
    child: (name, beside) => child?.(name, beside) ?? self,
  };
  return self;
}

import type { JsonObject } from '../base/json/json.ts';
import { asWritten, type Spelling } from './words.ts';

/** The facts about a place in a document: how its keys and texts are spelled, and what stands below. */
export interface Place {
  /** Of an object that stands here. */
  readonly keys: Spelling;
  /** Of a text that stands here. */
  readonly text: Spelling;
  /** A list whose items go by name in paths and patches, where a schema says so. */
  readonly isList: boolean;
  /** The texts that name the items of a list here, as `$drop/env` has them. */
  readonly itemNames: Spelling;
  readonly item: Place;
  /** Whether a schema has a field of this neutral name here. */
  declares(name: string): boolean;
  /** Below a key, which is the neutral one. `beside`: the object around; names that are looked for there stay. */
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

/** A place from its fields. Those left out mean: names and texts stay, and everything below is as this place itself. */
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

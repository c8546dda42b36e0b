import type { JsonValue } from '../../schema/json/json.ts';
import { type Renaming, unchanged } from '../words/renaming.ts';

/** What else the object around a place holds, by its neutral name. */
export type Member = (name: string) => JsonValue | undefined;

/** What is known of a place in a document: how its keys and texts are spelled, and what stands below. */
export interface Place {
  /** Of an object that stands here. */
  readonly keys: Renaming;
  /** Of a text that stands here. */
  readonly text: Renaming;
  /** A list whose items go by name in paths and patches, where a schema says so. */
  readonly isList: boolean;
  /** The texts that name the items of a list here, as `$drop/env` has them. */
  readonly itemNames: Renaming;
  readonly item: Place;
  /** Below a key, which is the neutral one. */
  child(name: string, member: Member): Place;
}

export interface PlaceFields {
  readonly keys?: Renaming;
  readonly text: Renaming;
  readonly isList?: boolean;
  readonly itemNames?: () => Renaming;
  readonly item?: () => Place;
  readonly child?: (name: string, member: Member) => Place | undefined;
}

/** What is left out of the fields: keys stay, and everything below is as this place itself. */
export function placeOf({ keys = unchanged, text, isList = false, itemNames, item, child }: PlaceFields): Place {
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
    child: (name, member) => child?.(name, member) ?? self,
  };
  return self;
}

/** Where nobody asks what stands beside. */
export const alone: Member = () => undefined;

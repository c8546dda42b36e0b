import { maxBodyDepth } from '../schema/facts/limits.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../schema/json/json.ts';
import type { Place } from './places/place.ts';
import type { Way } from './words/renaming.ts';

/** A document that is left as it is: it is no JSON that can be written again. The reader of it refuses it anyway. */
export class Untranslatable extends Error {}

/** The document in the other spelling; keys keep their order. Errors: `Untranslatable`. */
export function translate(value: JsonValue, place: Place, way: Way, depth = 0): JsonValue {
  if (typeof value === 'string') return place.text[way](value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Untranslatable('a number without an end');
  if (depth > maxBodyDepth) throw new Untranslatable('nested too deep');
  if (isArray(value)) return value.map((item) => translate(item, place.item, way, depth + 1));
  return isObject(value) ? translateObject(value, place, way, depth) : value;
}

function translateObject(object: JsonObject, place: Place, way: Way, depth: number): JsonObject {
  const member = (name: string) => own(object, way === 'toWire' ? name : place.keys.toWire(name));
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) {
    const directive = /^(\$[a-z]+)(?:\/(.*))?$/s.exec(key);
    if (directive === null) {
      const other = place.keys[way](key);
      put(result, other, translate(value, place.child(way === 'toWire' ? key : other, member), way, depth + 1));
    } else {
      const [, word = '', field] = directive;
      const other = field === undefined ? undefined : place.keys[way](field);
      const neutral = way === 'toWire' ? field : other;
      const below = neutral === undefined ? undefined : place.child(neutral, member);
      const named = below === undefined ? place.keys : namesOfItems(word) ? below.itemNames : undefined;
      const inside = below ?? place;
      const content =
        named === undefined || !isArray(value)
          ? translate(value, inside, way, depth + 1)
          : value.map((name) =>
              typeof name === 'string' ? named[way](name) : translate(name, inside, way, depth + 2),
            );
      put(result, other === undefined ? word : `${word}/${other}`, content);
    }
  }
  return result;
}

/** `$drop/env: ["A"]`: the items go by name. What is no name there is wrong anyway, and comes back as it was. */
function namesOfItems(word: string): boolean {
  return word === '$drop' || word === '$retain';
}

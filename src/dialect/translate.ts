import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { ToolError } from '../base/toolError.ts';
import { maxBodyDepth } from '../schema/facts/limits.ts';
import { parsePath, quoted } from '../schema/shape/paths.ts';
import type { Place } from './place.ts';
import type { Spelling, Way } from './words.ts';

/** A document that stays unchanged because it cannot be written as JSON again. Its reader refuses it anyway. */
export class Untranslatable extends Error {}

/** A key that cannot be translated. */
export class SpellingError extends ToolError {
  /** The key's place in the original document. */
  readonly pointer: Pointer;

  constructor(pointer: Pointer, code: string, message: string, hint: string) {
    super({ code, message, hint });
    this.pointer = pointer;
  }
}

function twoSpellings(pointer: Pointer, one: string, other: string): SpellingError {
  const message = `${JSON.stringify(one)} and ${JSON.stringify(other)} are two spellings of one name`;
  return new SpellingError(pointer, 'dialect.two-spellings', message, 'Write the name once, in either spelling.');
}

function neutralField(pointer: Pointer, name: string, wire: string): SpellingError {
  const [said, own] = [JSON.stringify(name), JSON.stringify(wire)];
  const message = `${said} is not allowed here: this platform calls it ${own}`;
  return new SpellingError(pointer, 'dialect.neutral-field', message, `Write ${own}.`);
}

export interface Translation {
  readonly way: Way;
  /** If false, two spellings of one name are accepted, and the platform's counts. */
  readonly strict: boolean;
  /** A platform knows its fields only by its own names: it must not half understand a client without the dialect. */
  readonly refusesNeutralFields?: true;
}

/** The document in the other spelling; keys keep their order. Errors: `Untranslatable`, `SpellingError`. */
export function translate(value: JsonValue, place: Place, how: Translation, at: Pointer = []): JsonValue {
  if (typeof value === 'string') return place.text[how.way](value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Untranslatable('a number without an end');
  if (at.length > maxBodyDepth) throw new Untranslatable('nested too deep');
  if (isArray(value)) return value.map((item, index) => translate(item, place.item, how, [...at, index]));
  return isObject(value) ? translateObject(value, place, how, at) : value;
}

function translateObject(object: JsonObject, place: Place, how: Translation, at: Pointer): JsonObject {
  const result: Record<string, JsonValue> = {};
  const sources = new Map<string, string>();
  for (const [key, value] of Object.entries(object)) {
    const { directive, field, other, below } = step(key, place, object, how.way);
    if (how.refusesNeutralFields === true && key === directive + field && place.declares(field)) {
      const wire = place.keys.toWire(field);
      if (wire !== field) throw neutralField([...at, key], field, wire);
    }
    const name = directive + other;
    const first = sources.get(name);
    if (first !== undefined && how.strict) throw twoSpellings([...at, first], first, key);
    // Only the platform's spelling has a meaning there.
    const isPlatforms = how.way === 'toWire' ? key === name : key !== name;
    if (first !== undefined && !isPlatforms) continue;
    sources.set(name, key);
    const itemsByName = /^\$(?:drop|retain)/.test(directive) && isArray(value);
    const named = field === '' ? place.keys : below.itemNames;
    const content =
      itemsByName && isArray(value)
        ? value.map((item, index) =>
            typeof item === 'string' ? named[how.way](item) : translate(item, below, how, [...at, key, index]),
          )
        : translate(value, below, how, [...at, key]);
    put(result, name, content);
  }
  return result;
}

interface Step {
  /** `$patch/`, `$drop`, or empty. */
  readonly directive: string;
  /** The neutral name of the field; empty if a directive has none. */
  readonly field: string;
  readonly other: string;
  readonly below: Place;
}

function step(key: string, place: Place, beside: JsonObject, way: Way): Step {
  const [, directive = '', named = key] = /^(\$[a-z]+(?:\/|$))(.*)$/s.exec(key) ?? [];
  if (directive !== '' && named === '') return { directive, field: '', other: '', below: place };
  const field = place.keys.toNeutral(named);
  return { directive, field, other: place.keys[way](named), below: place.child(field, beside) };
}

/**
 * Paths in a record as in errors and `lifecycle`: `spec.sidecar.proxy.http`, `tags."scheme/protected"`
 * (platform/errors.statuses).
 */
export function pathsBelow(root: Place): Spelling {
  function rename(path: string, way: Way): string {
    const segments = parsePath(path);
    if (segments === undefined) return path;
    let place = root;
    const renamed = segments.map((segment) => {
      if (segment.any) {
        place = place.isList ? place.item : place.child('*', {});
        return '*';
      }
      if (place.isList) {
        const name = place.itemNames[way](segment.name);
        place = place.item;
        return quoted(name);
      }
      const { directive, other, below } = step(segment.name, place, {}, way);
      place = below;
      return quoted(directive + other);
    });
    return renamed.join('.');
  }
  return { toWire: (path) => rename(path, 'toWire'), toNeutral: (path) => rename(path, 'toNeutral') };
}

/** Maps places in a document between the written and the neutral spelling. */
export interface PointerMap {
  readonly written: (pointer: Pointer) => Pointer;
  readonly neutral: (pointer: Pointer) => Pointer;
}

export function pointerMap(document: JsonValue, root: Place): PointerMap {
  function walk(pointer: Pointer, to: 'written' | 'neutral'): Pointer {
    const steps: (string | number)[] = [];
    let value: JsonValue | undefined = document;
    let place = root;
    for (const part of pointer) {
      if (!isObject(value)) {
        steps.push(part);
        value = valueThere(value, [part]);
        place = place.item;
        continue;
      }
      const neutral = place.keys.toNeutral(String(part));
      const written = writtenKey(String(part), value, place);
      steps.push(to === 'neutral' ? neutral : written);
      place = place.child(neutral, value);
      value = own(value, written);
    }
    return steps;
  }
  return { written: (pointer) => walk(pointer, 'written'), neutral: (pointer) => walk(pointer, 'neutral') };
}

function writtenKey(name: string, object: JsonObject, { keys }: Place): string {
  if (Object.hasOwn(object, name)) return name;
  return Object.keys(object).find((key) => keys.toNeutral(key) === name) ?? name;
}

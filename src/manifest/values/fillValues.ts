import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import type { ManifestDocument } from '../model/document.ts';
import { fileProblem, type LocatedProblem } from '../model/locatedProblem.ts';
import type { Written } from '../model/manifest.ts';
import type { NamedValues } from '../model/values.ts';
import { type Filled, type FillFault, fillText } from './fillText.ts';
import { Room } from './room.ts';

/** Manifests with the values of an environment in them. */
export interface FilledDocuments {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}

/**
 * Puts values in the place of their references (`${values.web.tag}`) in every text of the manifests, but for keys. A
 * text that is one reference becomes the value, of whatever type; within other text the value is text, as it is
 * written. What is put in is not looked at again. `given`: undefined where no environment was chosen.
 */
export function fillValues(documents: readonly ManifestDocument[], given: NamedValues | undefined): FilledDocuments {
  const room = new Room();
  const filled = documents.map((document) => new Filling(document, given, room));
  return {
    documents: filled.map((each) => each.document),
    problems: filled.flatMap(({ problems }) => problems),
  };
}

class Filling {
  readonly document: ManifestDocument;
  readonly problems: LocatedProblem[] = [];
  readonly #given: NamedValues | undefined;
  readonly #room: Room;
  readonly #original: ManifestDocument;
  /** The path of the value that stands at a place; undefined for a text with values in it. */
  readonly #sources = new Map<string, Pointer | undefined>();

  constructor(original: ManifestDocument, given: NamedValues | undefined, room: Room) {
    this.#original = original;
    this.#given = given;
    this.#room = room;
    const value = this.#fill(original.value, []);
    this.document = value === original.value ? original : { ...original, value, written: this.#written };
  }

  /** The same value where nothing is filled in. */
  #fill(value: JsonValue, at: Pointer): JsonValue {
    if (typeof value === 'string') return this.#fillText(value, at);
    if (isArray(value)) {
      const items = value.map((item, index) => this.#fill(item, [...at, index]));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    return isObject(value) ? this.#fillObject(value, at) : value;
  }

  #fillObject(value: JsonObject, at: Pointer): JsonObject {
    const made: Record<string, JsonValue> = {};
    let isSame = true;
    for (const [key, member] of Object.entries(value)) {
      const filled = this.#fill(member, [...at, key]);
      isSame &&= filled === member;
      put(made, key, filled);
    }
    return isSame ? value : made;
  }

  #fillText(text: string, at: Pointer): JsonValue {
    const filled = fillText(text, this.#given);
    if (filled === undefined) return text;
    if (filled.faults.length > 0) {
      this.problems.push(...filled.faults.map((fault) => this.#problem(fault, at)));
      return text;
    }
    return this.#put(filled, at);
  }

  #put({ value, source }: Filled, at: Pointer): JsonValue {
    const tooMuch = this.#room.take(value);
    if (tooMuch !== undefined) {
      this.problems.push(this.#problem(tooMuch, at));
      return null;
    }
    this.#sources.set(JSON.stringify(at), source);
    return value;
  }

  #problem({ rule, message, hint }: FillFault, at: Pointer): LocatedProblem {
    return fileProblem(this.#original.locate(at, 'value'), rule, message, hint);
  }

  readonly #written: Written = (pointer) => {
    for (let length = pointer.length; length >= 0; length -= 1) {
      const place = JSON.stringify(pointer.slice(0, length));
      if (!this.#sources.has(place)) continue;
      const source = this.#sources.get(place);
      return source === undefined ? undefined : this.#given?.written([...source, ...pointer.slice(length)]);
    }
    return this.#original.written?.(pointer);
  };
}

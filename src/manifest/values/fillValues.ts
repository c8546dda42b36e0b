import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import type { ManifestDocument } from '../model/document.ts';
import { fileProblem, type LocatedProblem } from '../model/locatedProblem.ts';
import type { Written } from '../model/manifest.ts';
import type { NamedValues, ValuePosition } from '../model/values.ts';
import type { FillFault } from './fillFault.ts';
import { type Filled, fillText } from './fillText.ts';
import { Room } from './room.ts';

/** Manifests with the values of an environment in them. */
export interface FilledDocuments {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}

export interface FillOptions {
  /** Positions are those of the values where some were put in, with their names; else always those of the manifest. */
  readonly locateValues?: boolean;
}

/**
 * Puts values in the place of their references (`${values.web.tag}`) in every text of the manifests, but for keys. A
 * text that is one reference becomes the value, of whatever type; within other text the value is text, as it is
 * written. What is put in is not looked at again. `given`: undefined where no environment was chosen.
 */
export function fillValues(
  documents: readonly ManifestDocument[],
  given: NamedValues | undefined,
  options: FillOptions = {},
): FilledDocuments {
  const room = new Room();
  const filled = documents.map((document) => new Filling(document, given, { ...options, room }));
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
  /** What was put in, by the place. */
  readonly #filled = new Map<string, Filled>();

  constructor(
    original: ManifestDocument,
    given: NamedValues | undefined,
    { room, locateValues = false }: FillOptions & { readonly room: Room },
  ) {
    this.#original = original;
    this.#given = given;
    this.#room = room;
    const value = this.#fill(original.value, []);
    this.document = value === original.value ? original : { ...original, value, written: this.#written };
    if (locateValues) this.document = { ...this.document, locate: this.#locate };
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

  #put(filled: Filled, at: Pointer): JsonValue {
    const { value } = filled;
    const tooMuch = this.#room.take(value);
    if (tooMuch !== undefined) {
      this.problems.push(this.#problem(tooMuch, at));
      return null;
    }
    this.#filled.set(JSON.stringify(at), filled);
    return value;
  }

  #problem({ rule, message, hint }: FillFault, at: Pointer): LocatedProblem {
    return fileProblem(this.#original.locate(at, 'value'), rule, message, hint);
  }

  readonly #written: Written = (pointer) => {
    const found = this.#placeOf(pointer);
    if (found === undefined) return this.#original.written?.(pointer);
    const [source = []] = found.filled.isWhole ? found.filled.sources : [];
    return found.filled.isWhole ? this.#given?.written([...source, ...found.below]) : undefined;
  };

  /** With the values that a place was made of, where it was. */
  readonly #locate = (pointer: Pointer, of?: 'field' | 'value'): ValuePosition => {
    const found = this.#placeOf(pointer);
    const [first] = found?.filled.sources ?? [];
    const position = this.#original.locate(pointer, of);
    if (found === undefined || first === undefined) return { ...position, values: this.#sourcesBelow(pointer) };
    const below = found.filled.isWhole ? found.below : [];
    const values = found.filled.sources.map((source) => [...source, ...below].map(String));
    return { ...(this.#given?.locate?.([...first, ...below], 'value') ?? position), values };
  };

  #sourcesBelow(pointer: Pointer): readonly (readonly string[])[] {
    const prefix = pointer.length === 0 ? '[' : `${JSON.stringify(pointer).slice(0, -1)},`;
    return [...this.#filled].flatMap(([place, { sources }]) =>
      place.startsWith(prefix) ? sources.map((source) => source.map(String)) : [],
    );
  }

  /** What was put in there, or at a place above. `below`: the rest of the way. */
  #placeOf(pointer: Pointer): { readonly filled: Filled; readonly below: Pointer } | undefined {
    for (let length = pointer.length; length >= 0; length -= 1) {
      const filled = this.#filled.get(JSON.stringify(pointer.slice(0, length)));
      if (filled !== undefined) return { filled, below: pointer.slice(length) };
    }
    return undefined;
  }
}

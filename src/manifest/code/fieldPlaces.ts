import { isArray, isObject, type JsonValue, own, stringAt } from '../../base/json/json.ts';
import { isWithin, type Pointer } from '../../base/json/pointer.ts';
import type { ManifestDocument, PlaceInCode } from '../model/document.ts';
import type { Position } from '../model/manifest.ts';
import { argumentsOf, type Code, codeOf, isLiteral, listIn, objectIn, type Range } from './expressions.ts';
import { tokensOf } from './tokens.ts';

/**
 * Documents whose places are those of the fields in the code that made them. The code is read when somebody asks for
 * one, which only problems do; `readCode` may throw, as the file may be gone since. What is not written out where its construct is made has the place of the construct.
 */
export function withFieldPlaces(
  documents: readonly ManifestDocument[],
  readCode: (file: string) => string,
): readonly ManifestDocument[] {
  const programs = new Map<string, ProgramText | undefined>();
  function programAt(file: string): ProgramText | undefined {
    if (!programs.has(file)) programs.set(file, programIn(file, readCode));
    return programs.get(file);
  }
  return documents.map((document) => ({
    ...document,
    locate(pointer, of): Position {
      const other = placeOf(document.madeBy?.places ?? [], pointer);
      if (other !== undefined) return other;
      const made = document.locate([]);
      const found = pointer.length === 0 ? undefined : programAt(made.file)?.find(made, document.value, pointer, of);
      return { ...made, ...found };
    },
  }));
}

/** Of the closest enclosing part that comes from another line. */
function placeOf(places: readonly PlaceInCode[], pointer: Pointer): Position | undefined {
  return places
    .filter((place) => isWithin(pointer, place.pointer))
    .toSorted((a, b) => b.pointer.length - a.pointer.length)[0]?.position;
}

function programIn(file: string, readCode: (file: string) => string): ProgramText | undefined {
  try {
    return new ProgramText(readCode(file));
  } catch {
    return undefined; // then the line of the construct has to do
  }
}

/** A place in the text of a program, counted as editors do. */
interface CodePlace {
  readonly line: number;
  readonly column: number;
}

/** The text of a program in which fields are looked for. It is read when the first one is. */
export class ProgramText {
  readonly #text: string;
  #code: Code | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Where the program writes a field of what the call at `call` makes: the closest enclosing field that is written out,
   * in the call itself, or in a constant that it names. Undefined: none is.
   *
   * `manifest` and `pointer`: what was made, and the field in it. `of`: the name of the field, or its value if that is
   * no object or list.
   */
  find(call: CodePlace, manifest: JsonValue, pointer: Pointer, of: 'field' | 'value' = 'field'): CodePlace | undefined {
    this.#code ??= codeOf(tokensOf(this.#text));
    const { tokens } = this.#code;
    const offset = this.#offsetOf(call);
    const first = tokens.findIndex(({ start }) => start >= offset);
    if (tokens[first]?.start !== offset) return undefined;
    const at = new Search(this.#code, of).search(argumentsOf(this.#code, first), manifest, pointer);
    const token = tokens[at ?? -1];
    return token === undefined ? undefined : this.#placeOf(token.start);
  }

  #offsetOf({ line, column }: CodePlace): number {
    let offset = 0;
    for (let row = 1; row < line; row += 1) {
      const end = this.#text.indexOf('\n', offset);
      if (end === -1) return this.#text.length;
      offset = end + 1;
    }
    return offset + column - 1;
  }

  #placeOf(offset: number): CodePlace {
    const before = this.#text.slice(0, offset);
    const start = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: offset - start + 1 };
  }
}

/** Of an item of a list, the index of its token, and what it is. */
interface Found {
  readonly at: number;
  readonly value: Range;
}

class Search {
  readonly #code: Code;
  readonly #of: 'field' | 'value';

  constructor(code: Code, of: 'field' | 'value') {
    this.#code = code;
    this.#of = of;
  }

  /** The index of the token; the props are the last argument that is an object. */
  search(call: readonly Range[], manifest: JsonValue, pointer: Pointer): number | undefined {
    const [, id] = call;
    const props = call.findLast((argument) => objectIn(this.#code, argument) !== undefined);
    const found = props === undefined ? undefined : this.#inProps(props, manifest, pointer);
    if (found !== undefined) return this.#shown(found);
    return pointer[0] === 'name' ? id?.from : undefined;
  }

  #inProps(props: Range, manifest: JsonValue, pointer: Pointer): Found | undefined {
    const [first, second] = pointer;
    // Props are flat: the fields of `spec` stand beside those of the record.
    if (first === 'spec' && this.#member(props, 'spec') === undefined) {
      const inSpec = isObject(manifest) ? own(manifest, 'spec') : undefined;
      const found = this.#below(props, inSpec, pointer.slice(1), undefined);
      // Those of a service have the fields of its only container there too.
      if (found !== undefined || second !== 'containers') return found;
      return this.#below(props, undefined, pointer.slice(3), undefined);
    }
    if (first === 'lifecycle' && second === 'previously') {
      const short = this.#member(props, 'renamedFrom');
      if (short !== undefined) return short;
    }
    return this.#below(props, manifest, pointer, undefined);
  }

  /** The innermost field of the pointer that is written out; `enclosing` where none is. */
  #below(
    range: Range,
    value: JsonValue | undefined,
    pointer: Pointer,
    enclosing: Found | undefined,
  ): Found | undefined {
    const [step, ...rest] = pointer;
    if (step === undefined) return enclosing;
    const inside = valueAt(value, step);
    const found = typeof step === 'number' ? this.#item(range, step, inside) : this.#member(range, step);
    return found === undefined ? enclosing : this.#below(found.value, inside, rest, found);
  }

  /** The last one of this name; a spread may lead back to its own object, so only some are followed. */
  #member(range: Range, key: string, spreads = 8): Found | undefined {
    for (const part of objectIn(this.#code, range)?.toReversed() ?? []) {
      if ('key' in part) {
        if (part.key === key) return part;
      } else if (spreads > 0) {
        const inherited = this.#member(part.spread, key, spreads - 1);
        if (inherited !== undefined) return inherited;
      }
    }
    return undefined;
  }

  /** A list may be written as an object too, by the names of its items. */
  #item(range: Range, index: number, item: JsonValue | undefined): Found | undefined {
    const value = listIn(this.#code, range)?.[index];
    if (value !== undefined) return { at: value.from, value };
    const name = isObject(item) ? stringAt(item, 'name') : undefined;
    return name === undefined ? undefined : this.#member(range, name);
  }

  #shown({ at, value }: Found): number {
    return this.#of === 'value' && !isLiteral(this.#code, value) ? value.from : at;
  }
}

function valueAt(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof step === 'number') return isArray(value) ? value[step] : undefined;
  return isObject(value) ? own(value, step) : undefined;
}

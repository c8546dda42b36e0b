import { fieldIn, isObject, type JsonValue, stringAt } from '../base/json/json.ts';
import { isWithin, type Pointer } from '../base/json/pointer.ts';
import { childValue } from '../schema/shape/paths.ts';
import type { ManifestDocument, PlaceInCode, Position } from './model/manifest.ts';

/**
 * Documents whose places are the fields in the code that made them. A file is read only when the place of a problem in
 * it is requested, and once; `readCode` may throw, as the file may be deleted. Fields not written out in their
 * construct have the place of the construct.
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

/** The position of the closest enclosing part from another line. */
function placeOf(places: readonly PlaceInCode[], pointer: Pointer): Position | undefined {
  return places
    .filter((place) => isWithin(pointer, place.pointer))
    .toSorted((a, b) => b.pointer.length - a.pointer.length)[0]?.position;
}

function programIn(file: string, readCode: (file: string) => string): ProgramText | undefined {
  try {
    return new ProgramText(readCode(file));
  } catch {
    return undefined; // falls back to the construct's line
  }
}

/** A place in a program, counted as in editors. */
interface CodePlace {
  readonly line: number;
  readonly column: number;
}

/** The text of a program to find fields in, parsed for the first search. */
export class ProgramText {
  readonly #text: string;
  #code: Code | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Where the program writes a field of the construct made by the call at `call`: the closest enclosing field that is
   * written out, in the call itself or in a constant that it names. Undefined if there is none.
   *
   * `manifest` and `pointer`: the result, and the field in it. `of`: the field's name, or its value unless that is an
   * object or list.
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

/** The token index and the value of a member or list item. */
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

  /** Returns a token index; the props are the last object argument. */
  search(call: readonly Range[], manifest: JsonValue, pointer: Pointer): number | undefined {
    const [, id] = call;
    const props = call.findLast((argument) => objectIn(this.#code, argument) !== undefined);
    const found = props === undefined ? undefined : this.#inProps(props, manifest, pointer);
    if (found !== undefined) return this.#shown(found);
    return pointer[0] === 'name' ? id?.from : undefined;
  }

  #inProps(props: Range, manifest: JsonValue, pointer: Pointer): Found | undefined {
    const [first, second] = pointer;
    // Props are flat: fields of `spec` are beside those of the record.
    if (first === 'spec' && this.#member(props, 'spec') === undefined) {
      const inSpec = fieldIn(manifest, 'spec');
      const found = this.#below(props, inSpec, pointer.slice(1), undefined);
      // Props of a service also have the fields of its only container.
      if (found !== undefined || second !== 'containers') return found;
      return this.#below(props, undefined, pointer.slice(3), undefined);
    }
    if (first === 'lifecycle' && second === 'previously') {
      const short = this.#member(props, 'renamedFrom');
      if (short !== undefined) return short;
    }
    return this.#below(props, manifest, pointer, undefined);
  }

  /** The innermost field of the pointer that is written out; `enclosing` if none is. */
  #below(
    range: Range,
    value: JsonValue | undefined,
    pointer: Pointer,
    enclosing: Found | undefined,
  ): Found | undefined {
    const [step, ...rest] = pointer;
    if (step === undefined) return enclosing;
    const inside = childValue(value, step);
    const found = typeof step === 'number' ? this.#item(range, step, inside) : this.#member(range, step);
    return found === undefined ? enclosing : this.#below(found.value, inside, rest, found);
  }

  /**
   * The last one with this name; a spread may lead back to its own object, so the number of spreads followed is
   * limited.
   */
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

  /** A list may also be written as an object, by item name. */
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

/** A program, parsed as far as needed to find fields of a literal. */
interface Code {
  readonly tokens: readonly Token[];
  /** By the index of an opening bracket, that of its closing one. */
  readonly closing: ReadonlyMap<number, number>;
}

/** Tokens from `from` up to, but excluding, `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** A member of an object literal. */
interface Member {
  readonly key: string;
  /** The token of its name. */
  readonly at: number;
  readonly value: Range;
}

/** The part between two commas of an object literal: a member, or a spread value. */
type Part = Member | { readonly spread: Range };

const closes: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Words that begin a type annotation after a literal. */
const typing: ReadonlySet<string> = new Set(['as', 'satisfies']);

function codeOf(tokens: readonly Token[]): Code {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { type, text }] of tokens.entries()) {
    if (type !== 'sign') continue;
    if (text in closes) open.push(index);
    else if (text === ')' || text === ']' || text === '}') {
      const from = open.pop();
      if (from !== undefined) closing.set(from, index);
    }
  }
  return { tokens, closing };
}

/** The arguments of the call that begins at a token. */
function argumentsOf(code: Code, call: number): readonly Range[] {
  for (let index = call; index < call + 60; index += 1) {
    const token = code.tokens[index];
    if (token?.type !== 'sign') continue;
    if (token.text === '(') return itemsOf(code, index);
    if (token.text === ';' || token.text === '{') break;
  }
  return [];
}

/** The parts of an object literal, in order; also follows a name. Undefined for anything else. */
function objectIn(code: Code, range: Range): readonly Part[] | undefined {
  const open = literalAt(code, range, '{');
  if (open === undefined) return undefined;
  return itemsOf(code, open).flatMap(({ from, to }): readonly Part[] => {
    const [first, second] = [code.tokens[from], code.tokens[from + 1]];
    if (first?.type === 'sign' && first.text === '...') return [{ spread: { from: from + 1, to } }];
    if (first?.type !== 'name' && first?.type !== 'string') return [];
    const isShort = to === from + 1;
    if (!isShort && second?.text !== ':') return []; // a method
    return [{ key: first.text, at: from, value: { from: isShort ? from : from + 2, to } }];
  });
}

/** The items of a list literal, up to the first spread one. */
function listIn(code: Code, range: Range): readonly Range[] | undefined {
  const open = literalAt(code, range, '[');
  if (open === undefined) return undefined;
  const items = itemsOf(code, open);
  const spread = items.findIndex(({ from }) => code.tokens[from]?.text === '...');
  return spread === -1 ? items : items.slice(0, spread);
}

/** Whether a range is an object or list literal. */
function isLiteral({ tokens }: Code, { from }: Range): boolean {
  const token = tokens[from];
  return token?.type === 'sign' && (token.text === '{' || token.text === '[');
}

/** The opening bracket of a literal: the range itself, or the constant that it names. */
function literalAt(code: Code, range: Range, bracket: '{' | '['): number | undefined {
  const { tokens, closing } = code;
  let { from, to } = range;
  for (let hops = 0; hops < 8; hops += 1) {
    const token = tokens[from];
    if (token?.type === 'sign') {
      const end = closing.get(from);
      if (end === undefined) return undefined;
      const after = end + 1 < to ? tokens[end + 1] : undefined;
      if (after !== undefined && !typing.has(after.text)) return undefined;
      if (token.text === bracket) return from;
      if (token.text !== '(') return undefined;
      [from, to] = [from + 1, end];
      continue;
    }
    const isName = token?.type === 'name' && (from + 1 === to || typing.has(tokens[from + 1]?.text ?? ''));
    const value = isName ? constantOf(code, token.text) : undefined;
    if (value === undefined) return undefined;
    ({ from, to } = value);
  }
  return undefined;
}

/** The initial value of a constant, if its name is unique in the program. */
function constantOf({ tokens, closing }: Code, name: string): Range | undefined {
  let found: Range | undefined;
  for (let index = 1; index < tokens.length; index += 1) {
    if (tokens[index]?.text !== name || tokens[index - 1]?.text !== 'const') continue;
    if (found !== undefined) return undefined;
    let from = index;
    while (from < tokens.length && tokens[from]?.text !== '=' && tokens[from]?.text !== ';') {
      from = (closing.get(from) ?? from) + 1;
    }
    if (tokens[from]?.text !== '=') return undefined;
    from += 1;
    const end = closing.get(from);
    if (end === undefined) return undefined; // not a literal
    found = { from, to: end + 1 };
  }
  return found;
}

/** The ranges between the commas of a bracket. */
function itemsOf({ tokens, closing }: Code, open: number): readonly Range[] {
  const end = closing.get(open) ?? open;
  const items: Range[] = [];
  let from = open + 1;
  for (let index = from; index <= end; index = (closing.get(index) ?? index) + 1) {
    if (index !== end && !(tokens[index]?.type === 'sign' && tokens[index]?.text === ',')) continue;
    if (index > from) items.push({ from, to: index });
    from = index + 1;
  }
  return items;
}

/** One word or sign of a program. */
interface Token {
  /** A `string` has no escapes or substitutions; anything else with quotes, backticks or slashes is `other`. */
  readonly type: 'name' | 'string' | 'sign' | 'other';
  /** A string's text is without its quotes. */
  readonly text: string;
  readonly start: number;
}

/** Words after which a slash begins a regular expression. */
const beforeRegExp: ReadonlySet<string> = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw']);
const name = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /\d[\w.]*/y;
const regExp = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;

/** The tokens of a program in TypeScript or JavaScript. Terminates for any text. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const next = skipSpace(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const token = tokenAt(text, at, tokens.at(-1));
    tokens.push({ type: token.type, text: token.text, start: at });
    at = token.end;
  }
  return tokens;
}

type Word = Pick<Token, 'type' | 'text'>;
type Read = Word & { readonly end: number };

function tokenAt(text: string, at: number, before: Word | undefined): Read {
  const sign = text[at] ?? '';
  if (sign === "'" || sign === '"') return quoted(text, at);
  if (sign === '`') return { type: 'other', text: '`', end: afterTemplate(text, at) };
  const word = match(name, text, at) ?? match(number, text, at);
  if (word !== undefined) return { type: /^\d/.test(word) ? 'other' : 'name', text: word, end: at + word.length };
  if (sign === '/' && !endsValue(before)) {
    const pattern = match(regExp, text, at);
    if (pattern !== undefined) return { type: 'other', text: '/', end: at + pattern.length };
  }
  if (text.startsWith('...', at)) return { type: 'sign', text: '...', end: at + 3 };
  if (text.startsWith('=>', at)) return { type: 'sign', text: '=>', end: at + 2 };
  return { type: 'sign', text: sign, end: at + 1 };
}

/** Whether a following slash is a division. */
function endsValue(before: Word | undefined): boolean {
  if (before === undefined) return false;
  if (before.type === 'sign') return before.text === ')' || before.text === ']' || before.text === '}';
  return !(before.type === 'name' && beforeRegExp.has(before.text));
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function skipSpace(text: string, at: number): number {
  if (/\s/.test(text[at] ?? '')) return at + 1;
  if (text.startsWith('//', at)) return endOf(text, '\n', at);
  return text.startsWith('/*', at) ? endOf(text, '*/', at + 2) : at;
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + end.length;
}

function quoted(text: string, at: number): Read {
  const quote = text[at];
  let plain = true;
  let end = at + 1;
  for (; end < text.length && text[end] !== quote && text[end] !== '\n'; end += 1) {
    if (text[end] !== '\\') continue;
    plain = false;
    end += 1;
  }
  return { type: plain ? 'string' : 'other', text: text.slice(at + 1, end), end: Math.min(end + 1, text.length) };
}

function afterTemplate(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '`') {
    if (text[end] === '\\') end += 2;
    else if (text.startsWith('${', end)) end = afterSubstitution(text, end + 2);
    else end += 1;
  }
  return Math.min(end + 1, text.length);
}

function afterSubstitution(text: string, from: number): number {
  let open = 1;
  let before: Word | undefined;
  for (let at = from; at < text.length; ) {
    const next = skipSpace(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const token = tokenAt(text, at, before);
    before = token;
    at = token.end;
    if (token.type !== 'sign') continue;
    if (token.text === '{') open += 1;
    if (token.text === '}') open -= 1;
    if (open === 0) return at;
  }
  return text.length;
}

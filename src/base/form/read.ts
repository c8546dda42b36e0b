import { isArray, isObject, type JsonObject, type JsonValue, own } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { compact, nonEmpty, present } from '../json/present.ts';
import { inWords } from '../text/inWords.ts';
import { available, suggestion } from '../text/suggestion.ts';
import type { Place } from '../toolError.ts';

/** A reader of one external value, with its JSON Schema. */
export interface Reader<T> {
  readonly schema: JsonObject;
  /** Null is a value; for other readers it means an omitted member. */
  readonly takesNull?: true;
  /** Errors: `Unreadable`, with all problems of the value. */
  read(value: JsonValue, at: At): T;
}

/** The type of the values that a reader returns. */
export type Of<R> = R extends Reader<infer T> ? T : never;

/** The origin of a value. */
export interface Source {
  readonly file?: string;
  readonly locate?: (pointer: Pointer, of?: 'field' | 'value') => Required<Place>;
  /** The text of a value in the file, so that `1.10` keeps its form. */
  readonly written?: (pointer: Pointer) => string | undefined;
  /** Absolute; relative paths in the file start here. */
  readonly folder?: string;
  /** Whether an empty text means an omitted member. */
  readonly isEmptyAbsent?: boolean;
}

/** A place in the input. */
export class At {
  readonly source: Source;
  readonly pointer: Pointer;

  constructor(source: Source = {}, pointer: Pointer = []) {
    this.source = source;
    this.pointer = pointer;
  }

  key(step: string | number): At {
    return new At(this.source, [...this.pointer, step]);
  }

  /** The text in the file; undefined if quoted. */
  get written(): string | undefined {
    return this.source.written?.(this.pointer);
  }

  /** `message` continues the path: `must be text`. */
  bad(message: string, hint?: string): Unreadable {
    return new Unreadable([{ pointer: this.pointer, message, hint }]);
  }
}

/** One problem of an external value. */
export interface ReadProblem {
  readonly pointer: Pointer;
  /** The problem is the name of the last member in `pointer`, so users see the path of the object. */
  readonly isOfName?: true;
  /** Continues the path: `must be text`. */
  readonly message: string;
  readonly hint: string | undefined;
  /** The names that the object knows, if it does not know this one. */
  readonly known?: readonly string[];
}

type Problems = readonly [ReadProblem, ...ReadProblem[]];

/** An external value cannot be read; the caller adds where it came from. */
export class Unreadable extends Error {
  readonly problems: Problems;

  constructor(problems: Problems) {
    super(problems.map((problem) => sentenceOf(problem)).join('\n'));
    this.problems = problems;
  }
}

/** A place as shown to users: `environments.prod.limits.windows[0]`; empty for the whole. */
export function pathOf(pointer: Pointer): string {
  return pointer
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shownName(step)}`))
    .join('')
    .replace(/^\./, '');
}

const mostShown = 64;

/** Names are external too: they may have any length, and control characters for a terminal. */
function shownName(name: string): string {
  const isShort = name.length <= mostShown;
  return isShort && !/\p{Cc}/u.test(name) ? name : `${JSON.stringify(name.slice(0, mostShown))}${isShort ? '' : '…'}`;
}

/** The problem with its path. `noun`: the word for a member. */
export function sentenceOf({ pointer, message, isOfName, known }: ReadProblem, noun = 'field'): string {
  const path = pathOf(isOfName === true ? pointer.slice(0, -1) : pointer);
  if (known === undefined) return `${path}${path === '' || message.startsWith(':') ? '' : ' '}${message}`;
  const name = plainKey(pointer.at(-1));
  return `${path === '' ? 'there is' : `${path} has`} ${name === undefined ? `an unknown ${noun}` : `no ${noun} ${name}`}`;
}

/** The problem with its path and hint. */
export function adviceOf(problem: ReadProblem, noun = 'field'): string {
  const sentence = sentenceOf(problem, noun);
  return problem.hint === undefined ? sentence : `${sentence}. ${problem.hint}`;
}

/** A line without its colon may be a secret, so such keys are not repeated. */
function plainKey(key: string | number | undefined): string | undefined {
  return typeof key === 'string' && /^[\w.-]{1,64}$/.test(key) ? `"${key}"` : undefined;
}

/** The result of `read`, or all its problems. */
export function tryRead<T>(read: () => T): { readonly value: T } | { readonly problems: Problems } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof Unreadable) return { problems: error.problems };
    throw error;
  }
}

/** Reads several independent values. Errors: one `Unreadable` with all problems. */
export function readEach<T>(reads: readonly (() => T)[]): readonly T[] {
  const results = reads.map((read) => tryRead(read));
  const problems = results.flatMap((result) => ('problems' in result ? result.problems : []));
  const [first, ...others] = problems;
  if (first !== undefined) throw new Unreadable([first, ...others]);
  return results.flatMap((result) => ('value' in result ? [result.value] : []));
}

/** A value that passes the test. `expected` follows `must be`. */
export function value<T extends JsonValue>(
  is: (value: unknown) => value is T,
  expected: string,
  schema: JsonObject,
): Reader<T> {
  return converted((given) => (is(given) ? given : undefined), expected, schema);
}

/** Converts a value; an undefined result is a problem. `expected` follows `must be`. */
export function converted<T>(
  convert: (value: JsonValue) => T | undefined,
  expected: string,
  schema: JsonObject,
): Reader<T> {
  return {
    schema,
    read(given, at) {
      const read = convert(given);
      if (read === undefined) throw at.bad(`must be ${expected}`);
      return read;
    },
  };
}

const isText = (given: unknown): given is string => typeof given === 'string';
const isNumber = (given: unknown): given is number => typeof given === 'number';

export const text: Reader<string> = value(isText, 'text', { type: 'string' });

/** A text that passes the test. `expected` follows `must be`. */
export function textLike(
  is: (text: string) => boolean,
  expected: string,
  schema: JsonObject = { type: 'string' },
): Reader<string> {
  return converted((given) => (isText(given) && is(given) ? given : undefined), expected, schema);
}

/** A non-empty text. */
export const name: Reader<string> = textOf({ least: 1 });

export const flag: Reader<boolean> = value((given) => typeof given === 'boolean', 'true or false', { type: 'boolean' });

/** Any value. */
export const json: Reader<JsonValue> = { schema: {}, takesNull: true, read: (given) => given };

export const document: Reader<JsonObject> = value(isObject, 'an object', { type: 'object' });

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** A text of limited length, in characters. */
export function textOf({ least = 0, most = Number.POSITIVE_INFINITY }: Bounds): Reader<string> {
  return {
    schema: {
      type: 'string',
      ...(least > 0 ? { minLength: least } : {}),
      ...(Number.isFinite(most) ? { maxLength: most } : {}),
    },
    read(given, at) {
      const read = text.read(given, at);
      if (read.length < least)
        throw at.bad(least === 1 ? 'must not be empty' : `must have at least ${least} characters`);
      if (read.length > most) throw at.bad(`must have at most ${most} characters`);
      return read;
    },
  };
}

export function number(bounds: Bounds = {}): Reader<number> {
  return within(value(isNumber, 'a number', { type: 'number' }), bounds);
}

export function integer(bounds: Bounds = {}): Reader<number> {
  const isWhole = (given: unknown): given is number => Number.isSafeInteger(given);
  return within(value(isWhole, 'a whole number', { type: 'integer' }), bounds);
}

function within(reader: Reader<number>, { least, most }: Bounds): Reader<number> {
  return {
    schema: {
      ...reader.schema,
      ...present({ minimum: least, maximum: most }),
    },
    read(given, at) {
      const read = reader.read(given, at);
      if (least !== undefined && read < least) throw at.bad(`must be at least ${least}`);
      if (most !== undefined && read > most) throw at.bad(`must be at most ${most}`);
      return read;
    },
  };
}

/** A whole number, 0 or more. */
export const count: Reader<number> = integer({ least: 0 });

/** One of a few values. */
export function choice<const T extends string | number | boolean>(...values: readonly T[]): Reader<T> {
  const [only] = values;
  return {
    schema: values.length === 1 && only !== undefined ? { const: only } : { enum: values },
    read(given, at) {
      const found = values.find((each) => each === given);
      if (found !== undefined) return found;
      const names = values.map(String);
      const meant = typeof given === 'string' ? suggestion(given, names) : undefined;
      throw at.bad(`must be ${inWords(names, 'or')}`, meant);
    },
  };
}

/** A list of values of one form. `expected` follows `must be`. */
export function list<T>(item: Reader<T>, expected = 'a list', { least = 0, most }: Bounds = {}): Reader<readonly T[]> {
  return {
    schema: {
      type: 'array',
      items: item.schema,
      ...(least > 0 ? { minItems: least } : {}),
      ...present({ maxItems: most }),
    },
    read(given, at) {
      if (!isArray(given)) throw at.bad(`must be ${expected}`);
      if (given.length < least) throw at.bad(least === 1 ? 'must not be empty' : `must have at least ${least} items`);
      if (most !== undefined && given.length > most) throw at.bad(`must have at most ${most} items`);
      return readEach(given.map((each, index) => () => item.read(each, at.key(index))));
    },
  };
}

interface DictionaryOptions {
  /** The pattern of names, if the schema can express it. */
  readonly name?: RegExp;
  readonly isName?: (name: string) => boolean;
  readonly what?: string;
  readonly expected?: string;
}

/** An object with author-chosen names, and values of one form. */
export function dictionary<T>(
  item: Reader<T>,
  {
    name: pattern,
    isName = (key) => pattern?.test(key) !== false,
    what = '',
    expected = 'an object',
  }: DictionaryOptions = {},
): Reader<ReadonlyMap<string, T>> {
  return {
    schema: {
      type: 'object',
      ...(pattern === undefined
        ? { additionalProperties: item.schema }
        : { additionalProperties: false, patternProperties: { [pattern.source]: item.schema } }),
    },
    read(given, at) {
      if (!isObject(given)) throw at.bad(`must be ${expected}`);
      const reads = Object.entries(given).map(([key, each]) => () => {
        if (isName(key)) return [key, item.read(each, at.key(key))] as const;
        const message = `${at.pointer.length === 0 ? '' : ': '}${plainKey(key) ?? 'this name'} cannot be ${what}`;
        throw new Unreadable([{ pointer: at.key(key).pointer, isOfName: true, message, hint: undefined }]);
      });
      return new Map(readEach(reads));
    },
  };
}

export interface Optional<T> extends Reader<T> {
  readonly optional: true;
}

export function optional<T>(reader: Reader<T>): Optional<T> {
  return { ...reader, optional: true };
}

type Members = Readonly<Record<string, Reader<unknown>>>;
export type OptionalIn<M> = { readonly [K in keyof M]: M[K] extends { readonly optional: true } ? K : never }[keyof M];
/** The conditional type makes editors and the documentation show the members, not the readers that they are read by. */
export type ObjectOf<M> = { readonly [K in Exclude<keyof M, OptionalIn<M>>]: Of<M[K]> } & {
  readonly [K in OptionalIn<M>]?: Of<M[K]>;
} extends infer T
  ? { readonly [K in keyof T]: T[K] }
  : never;

interface ObjectOptions {
  /** Follows `must be`. */
  readonly expected?: string;
  /** The hint for a missing member. */
  readonly example?: string;
  /** Whether a member without a value is an error: a restriction must not be omitted by mistake. */
  readonly isStrict?: boolean;
}

/** An object with these members and no others; null means an omitted one, unless it is strict. */
export function object<M extends Members>(members: M, options?: ObjectOptions): Reader<ObjectOf<M>>;
export function object(
  members: Members,
  { expected = 'an object', example, isStrict = false }: ObjectOptions = {},
): Reader<unknown> {
  const all = Object.entries(members);
  const known = Object.keys(members);
  const required = compact(all, ([key, member]) => ('optional' in member ? undefined : key));
  return {
    schema: {
      type: 'object',
      ...nonEmpty({ required }),
      additionalProperties: false,
      properties: Object.fromEntries(all.map(([key, { schema }]) => [key, schema])),
    },
    read(given, at) {
      if (!isObject(given)) throw at.bad(`must be ${expected}`, example);
      const strangers = Object.keys(given).filter((key) => !Object.hasOwn(members, key));
      const reads = all.flatMap(([key, member]) => {
        const found = own(given, key);
        const isAbsent =
          found === undefined ||
          (!isStrict && found === null && member.takesNull !== true) ||
          (!isStrict && found === '' && at.source.isEmptyAbsent === true);
        if (isAbsent && 'optional' in member) return [];
        return () => {
          if (isAbsent) throw at.key(key).bad('is missing', example);
          return [key, member.read(found, at.key(key))] as const;
        };
      });
      return Object.fromEntries(readEach([...strangers.map((key) => () => refuse(key, known, at)), ...reads]));
    },
  };
}

function refuse(key: string, known: readonly string[], at: At): never {
  const meant = plainKey(key) === undefined ? undefined : suggestion(key, known);
  const hint = compact([meant, available(known)]).join(' ');
  throw new Unreadable([{ pointer: at.key(key).pointer, isOfName: true, message: 'is not known', hint, known }]);
}

/** Makes all members optional. */
export function optionals<M extends Members>(members: M): { readonly [K in keyof M]: Optional<Of<M[K]>> };
export function optionals(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, optional(member)]));
}

/** Adds a description to the schema. */
export function described<R extends { readonly schema: JsonObject }>(description: string, reader: R): R {
  return { ...reader, schema: { ...reader.schema, description } };
}

/** Converts the result of a reader; `then` may throw `at.bad(…)`. */
export function map<T, U>(reader: Reader<T>, then: (read: T, at: At) => U): Reader<U> {
  return { schema: reader.schema, read: (given, at) => then(reader.read(given, at), at) };
}

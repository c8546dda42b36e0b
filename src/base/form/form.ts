import { isArray, isObject, type JsonObject, type JsonValue, own } from '../json/json.ts';
import { compact } from '../json/present.ts';
import type { Of } from './read.ts';
import * as read from './read.ts';

export { described } from './read.ts';
export type { Of };

/**
 * A JSON form that is also written: its reader, its check, its JSON Schema, and its writer. `In`: the value to write;
 * undefined members, and members that the form does not name, are omitted.
 */
export interface Form<T, In = T> extends read.Reader<T> {
  readonly is: (value: unknown) => value is T;
  write(value: In): JsonValue;
}

/** The type of the values written in this form. */
type InOf<F> = F extends { write(value: infer In): JsonValue } ? In : never;

/** A form that writes values unchanged. */
function same<T extends JsonValue>(reader: read.Reader<T>, is: (value: unknown) => value is T): Form<T> {
  return { ...reader, is, write: (value) => value };
}

export const text: Form<string> = same(read.text, (value) => typeof value === 'string');

export const flag: Form<boolean> = same(read.flag, (value) => typeof value === 'boolean');

export const number: Form<number> = same(read.number(), (value) => typeof value === 'number');

/** A number, 0 or more. */
export const amount: Form<number> = same(
  read.number({ least: 0 }),
  (value): value is number => typeof value === 'number' && value >= 0,
);

export const integer: Form<number> = same(read.integer(), isInteger);

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** A whole number, 0 or more. */
export const count: Form<number> = same(read.count, (value): value is number => isInteger(value) && value >= 0);

/** A whole number, 1 or more. */
export const ordinal: Form<number> = same(
  read.integer({ least: 1 }),
  (value): value is number => isInteger(value) && value >= 1,
);

/** Any value. */
export const json: Form<JsonValue> = same(read.json, (value): value is JsonValue => value !== undefined);

/** Any object; `schema` is its published schema. */
export function objectOf(schema: JsonObject): Form<JsonObject> {
  return same({ ...read.document, schema }, isObject);
}

export const document: Form<JsonObject> = objectOf(read.document.schema);

export function choice<const T extends string | number | boolean>(...values: readonly T[]): Form<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return same(read.choice(...values), (value): value is T => known.has(value));
}

/** An object with any keys, and values of one form. */
export function dictionary<T extends JsonValue>(value: Form<T>): Form<Readonly<Record<string, T>>> {
  const reader = read.map(read.dictionary(value), (found) => Object.fromEntries(found));
  return same(
    reader,
    (found): found is Readonly<Record<string, T>> =>
      isObject(found) && Object.values(found).every((each) => value.is(each)),
  );
}

export function list<T, In>(item: Form<T, In>): Form<readonly T[], readonly In[]> {
  return {
    ...read.list(item),
    is: (value): value is readonly T[] => isArray(value) && value.every((each) => item.is(each)),
    write: (values) => values.map((value) => item.write(value)),
  };
}

export function nullable<T, In>(form: Form<T, In>): Form<T | null, In | null> {
  return {
    schema: { ...form.schema, type: [form.schema['type'] ?? [], 'null'].flat() },
    takesNull: true,
    read: (value, at) => (value === null ? null : form.read(value, at)),
    is: (value): value is T | null => value === null || form.is(value),
    write: (value) => (value === null ? null : form.write(value)),
  };
}

export function either<A extends InA, B, InA, InB>(a: Form<A, InA>, b: Form<B, InB>): Form<A | B, A | InB> {
  return {
    schema: { anyOf: [a.schema, b.schema] },
    read: (value, at) => (a.is(value) ? value : b.read(value, at)),
    is: (value): value is A | B => a.is(value) || b.is(value),
    write: (value) => (isOf(a, value) ? a.write(value) : b.write(value)),
  };
}

function isOf<A, B>(form: Form<A, never>, value: A | B): value is A {
  return form.is(value);
}

/** Makes a member of an object optional. */
export function optional<T, In>(form: Form<T, In>): OptionalForm<T, In> {
  return { ...form, optional: true };
}

export interface OptionalForm<T, In> extends Form<T, In> {
  readonly optional: true;
}

/** Makes all members optional. */
export function optionals<M extends Members>(
  members: M,
): { readonly [K in keyof M]: OptionalForm<Of<M[K]>, InOf<M[K]>> };
export function optionals(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, form]) => [name, optional(form)]));
}

type Members = Readonly<Record<string, Form<unknown>>>;
type ObjectIn<M> = { readonly [K in Exclude<keyof M, read.OptionalIn<M>>]: InOf<M[K]> } & {
  readonly [K in read.OptionalIn<M>]?: InOf<M[K]> | undefined;
};
export interface ObjectForm<M> extends Form<read.ObjectOf<M>, ObjectIn<M>> {
  readonly members: M;
  write(value: ObjectIn<M>): JsonObject;
}

/** An object with these members and no others. */
export function object<M extends Members>(members: M): ObjectForm<M> {
  const all = Object.entries(members);
  const isPresent = (value: JsonObject, key: string, form: Form<unknown>): boolean =>
    Object.hasOwn(value, key) ? form.is(own(value, key)) : 'optional' in form;
  return {
    ...read.object(members),
    members,
    is: (value): value is read.ObjectOf<M> =>
      isObject(value) &&
      Object.keys(value).every((key) => Object.hasOwn(members, key)) &&
      all.every(([key, form]) => isPresent(value, key, form)),
    write: (value) => {
      const written = new Map<string, unknown>(Object.entries(value));
      return Object.fromEntries(
        compact(all, ([key, form]): readonly [string, JsonValue] | undefined => {
          const member = written.get(key);
          return member === undefined ? undefined : [key, form.write(member)];
        }),
      );
    },
  };
}

/** One value for each of these names. */
export function each<const N extends string, T>(names: readonly N[], value: Form<T>): Form<Readonly<Record<N, T>>>;
export function each<T>(names: readonly string[], value: Form<T>): Form<Readonly<Record<string, T>>> {
  return object(Object.fromEntries(names.map((name) => [name, value])));
}

/** At most one value for each of these names. */
export function some<const N extends string, T>(
  names: readonly N[],
  value: Form<T>,
): Form<Readonly<Partial<Record<N, T>>>>;
export function some<T>(names: readonly string[], value: Form<T>): Form<Readonly<Partial<Record<string, T>>>> {
  return object(Object.fromEntries(names.map((name) => [name, optional(value)])));
}

/** The JSON Schema that `gantry schema NAME` prints for a form. */
export function publishedForm(name: string, title: string, form: { readonly schema: JsonObject }): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `gantry/${name}.json`,
    title,
    ...form.schema,
  };
}

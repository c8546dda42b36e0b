import { isArray, isObject, type JsonObject, type JsonValue, own } from './json.ts';

/**
 * One form of JSON: its check, its JSON Schema, and how a value of ours is written in it. `In`: what is written;
 * members that are undefined are left out, and so are those that the form does not name.
 */
export interface Form<T, In = T> {
  readonly is: (value: unknown) => value is T;
  readonly schema: JsonObject;
  write(value: In): JsonValue;
}

/** The type of what has this form. */
export type Of<F> = F extends Form<infer T, never> ? T : never;
/** The type of what is written in this form. */
type InOf<F> = F extends { write(value: infer In): JsonValue } ? In : never;

function same<T extends JsonValue>(is: (value: unknown) => value is T, schema: JsonObject): Form<T> {
  return { is, schema, write: (value) => value };
}

export const text: Form<string> = same((value) => typeof value === 'string', { type: 'string' });

export const flag: Form<boolean> = same((value) => typeof value === 'boolean', { type: 'boolean' });

export const number: Form<number> = same((value) => typeof value === 'number', { type: 'number' });

/** A number, 0 or more. */
export const amount: Form<number> = same((value): value is number => typeof value === 'number' && value >= 0, {
  type: 'number',
  minimum: 0,
});

export const integer: Form<number> = same(isInteger, { type: 'integer' });

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** A whole number, 0 or more. */
export const count: Form<number> = same((value): value is number => isInteger(value) && value >= 0, {
  type: 'integer',
  minimum: 0,
});

/** A whole number, 1 or more. */
export const ordinal: Form<number> = same((value): value is number => isInteger(value) && value >= 1, {
  type: 'integer',
  minimum: 1,
});

/** Any value. */
export const json: Form<JsonValue> = same((value): value is JsonValue => value !== undefined, {});

/** Any object; `schema`: what is published of it. */
export function objectOf(schema: JsonObject): Form<JsonObject> {
  return same(isObject, schema);
}

export const document: Form<JsonObject> = objectOf({ type: 'object' });

export function choice<const T extends string | number | boolean>(...values: readonly T[]): Form<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  const [only] = values;
  return same((value): value is T => known.has(value), {
    ...(values.length === 1 && only !== undefined ? { const: only } : { enum: values }),
  });
}

/** Keys of any name, values of one form. */
export function dictionary<T extends JsonValue>(value: Form<T>): Form<Readonly<Record<string, T>>> {
  return same(
    (found): found is Readonly<Record<string, T>> =>
      isObject(found) && Object.values(found).every((each) => value.is(each)),
    { type: 'object', additionalProperties: value.schema },
  );
}

export function list<T, In>(item: Form<T, In>): Form<readonly T[], readonly In[]> {
  return {
    is: (value): value is readonly T[] => isArray(value) && value.every((each) => item.is(each)),
    schema: { type: 'array', items: item.schema },
    write: (values) => values.map((value) => item.write(value)),
  };
}

/** The same, or null. */
export function nullable<T, In>(form: Form<T, In>): Form<T | null, In | null> {
  return {
    is: (value): value is T | null => value === null || form.is(value),
    schema: { ...form.schema, type: [form.schema['type'] ?? [], 'null'].flat() },
    write: (value) => (value === null ? null : form.write(value)),
  };
}

export function either<A extends InA, B, InA, InB>(a: Form<A, InA>, b: Form<B, InB>): Form<A | B, A | InB> {
  return {
    is: (value): value is A | B => a.is(value) || b.is(value),
    schema: { anyOf: [a.schema, b.schema] },
    write: (value) => (isOf(a, value) ? a.write(value) : b.write(value)),
  };
}

function isOf<A, B>(form: Form<A, never>, value: A | B): value is A {
  return form.is(value);
}

export interface Optional<T, In> extends Form<T, In> {
  readonly optional: true;
}

/** A member of an object that may be absent. */
export function optional<T, In>(form: Form<T, In>): Optional<T, In> {
  return { ...form, optional: true };
}

/** The same members, all of which may be absent. */
export function optionals<M extends Members>(members: M): { readonly [K in keyof M]: Optional<Of<M[K]>, InOf<M[K]>> };
export function optionals(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, form]) => [name, optional(form)]));
}

type Members = Readonly<Record<string, Form<unknown>>>;
type OptionalIn<M> = { readonly [K in keyof M]: M[K] extends { readonly optional: true } ? K : never }[keyof M];
type ObjectOf<M> = { readonly [K in Exclude<keyof M, OptionalIn<M>>]: Of<M[K]> } & {
  readonly [K in OptionalIn<M>]?: Of<M[K]>;
};
type ObjectIn<M> = { readonly [K in Exclude<keyof M, OptionalIn<M>>]: InOf<M[K]> } & {
  readonly [K in OptionalIn<M>]?: InOf<M[K]> | undefined;
};
export interface ObjectForm<M> extends Form<ObjectOf<M>, ObjectIn<M>> {
  readonly members: M;
  write(value: ObjectIn<M>): JsonObject;
}

/** An object with these members and no others. */
export function object<M extends Members>(members: M): ObjectForm<M> {
  const all = Object.entries(members);
  const needed = all.filter(([, form]) => !isOptional(form)).map(([key]) => key);
  const isPresent = (value: JsonObject, key: string, form: Form<unknown>): boolean =>
    Object.hasOwn(value, key) ? form.is(own(value, key)) : isOptional(form);
  return {
    members,
    is: (value): value is ObjectOf<M> =>
      isObject(value) &&
      Object.keys(value).every((key) => Object.hasOwn(members, key)) &&
      all.every(([key, form]) => isPresent(value, key, form)),
    schema: {
      type: 'object',
      ...(needed.length === 0 ? {} : { required: needed }),
      additionalProperties: false,
      properties: Object.fromEntries(all.map(([key, { schema }]) => [key, schema])),
    },
    write: (value) => {
      const members = new Map<string, unknown>(Object.entries(value));
      const written = all.flatMap(([key, form]): readonly (readonly [string, JsonValue])[] => {
        const member = members.get(key);
        return member === undefined ? [] : [[key, form.write(member)]];
      });
      return Object.fromEntries(written);
    },
  };
}

function isOptional(form: object): boolean {
  return 'optional' in form;
}

/** One value for each of these names. */
export function each<const N extends string, T>(names: readonly N[], value: Form<T>): Form<Readonly<Record<N, T>>> {
  const form = object(Object.fromEntries(names.map((name) => [name, value])));
  return {
    is: (found): found is Readonly<Record<N, T>> => form.is(found),
    schema: form.schema,
    write: (given) => form.write(given),
  };
}

/** At most one value for each of these names. */
export function some<const N extends string, T>(
  names: readonly N[],
  value: Form<T>,
): Form<Readonly<Partial<Record<N, T>>>> {
  const form = object(Object.fromEntries(names.map((name) => [name, optional(value)])));
  return {
    is: (found): found is Readonly<Partial<Record<N, T>>> => form.is(found),
    schema: form.schema,
    write: (given) => form.write(given),
  };
}

/** The same form, with words for its reader. */
export function described<F extends { readonly schema: JsonObject }>(description: string, form: F): F {
  return { ...form, schema: { ...form.schema, description } };
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

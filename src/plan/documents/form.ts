import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../schema/json/json.ts';

/** One form of JSON: the check, and the JSON Schema that says the same. */
export interface Form<T> {
  readonly is: (value: unknown) => value is T;
  readonly schema: JsonObject;
}

/** The type of what has this form. */
export type Of<F> = F extends Form<infer T> ? T : never;

type Members = Readonly<Record<string, Form<unknown>>>;
type ObjectOf<Required, Optional> = { readonly [K in keyof Required]: Of<Required[K]> } & {
  readonly [K in keyof Optional]?: Of<Optional[K]>;
};

export const text: Form<string> = {
  is: (value): value is string => typeof value === 'string',
  schema: { type: 'string' },
};

export const flag: Form<boolean> = {
  is: (value): value is boolean => typeof value === 'boolean',
  schema: { type: 'boolean' },
};

/** A whole number, 0 or more. */
export const count: Form<number> = {
  is: (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  schema: { type: 'integer', minimum: 0 },
};

export const number: Form<number> = {
  is: (value): value is number => typeof value === 'number',
  schema: { type: 'number' },
};

/** Keys of any name, values of one form. */
export function dictionary<T>(value: Form<T>): Form<Readonly<Record<string, T>>> {
  return {
    is: (found): found is Readonly<Record<string, T>> =>
      isObject(found) && Object.values(found).every((each) => value.is(each)),
    schema: { type: 'object', additionalProperties: value.schema },
  };
}

/** Any value. */
export const json: Form<JsonValue> = { is: (value): value is JsonValue => value !== undefined, schema: {} };

/** Any object. */
export const document: Form<JsonObject> = { is: isObject, schema: { type: 'object' } };

export function choice<const T extends string | number | boolean>(...values: readonly T[]): Form<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return { is: (value): value is T => known.has(value), schema: { enum: values } };
}

export function list<T>(item: Form<T>): Form<readonly T[]> {
  return {
    is: (value): value is readonly T[] => isArray(value) && value.every((each) => item.is(each)),
    schema: { type: 'array', items: item.schema },
  };
}

export function either<A, B>(a: Form<A>, b: Form<B>): Form<A | B> {
  return { is: (value): value is A | B => a.is(value) || b.is(value), schema: { anyOf: [a.schema, b.schema] } };
}

/** An object with these members and no others. */
export function object<R extends Members, O extends Members>(required: R, optional: O): Form<ObjectOf<R, O>> {
  const has = (value: JsonObject): boolean =>
    Object.keys(value).every((key) => Object.hasOwn(required, key) || Object.hasOwn(optional, key)) &&
    Object.entries(required).every(([key, form]) => form.is(own(value, key))) &&
    Object.entries(optional).every(([key, form]) => !Object.hasOwn(value, key) || form.is(own(value, key)));
  const schemas = Object.entries({ ...required, ...optional }).map(([key, { schema }]) => [key, schema] as const);
  return {
    is: (value): value is ObjectOf<R, O> => isObject(value) && has(value),
    schema: {
      type: 'object',
      required: Object.keys(required),
      additionalProperties: false,
      properties: Object.fromEntries(schemas),
    },
  };
}

/** The same form, with words for its reader. */
export function described<T>(description: string, { is, schema }: Form<T>): Form<T> {
  return { is, schema: { ...schema, description } };
}

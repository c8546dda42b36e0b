import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../schema/json/json.ts';
import type { Form, Of } from '../model/valueForm.ts';

type Members = Readonly<Record<string, Form<unknown>>>;
type ObjectOf<Required, Optional> = { readonly [K in keyof Required]: Of<Required[K]> } & {
  readonly [K in keyof Optional]?: Of<Optional[K]>;
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

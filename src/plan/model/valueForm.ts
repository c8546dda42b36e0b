import type { JsonObject } from '../../schema/json/json.ts';

/** One form of JSON: the check, and the JSON Schema that says the same. */
export interface Form<T> {
  readonly is: (value: unknown) => value is T;
  readonly schema: JsonObject;
}

/** The type of what has this form. */
export type Of<F> = F extends Form<infer T> ? T : never;

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

export function choice<const T extends string | number | boolean>(...values: readonly T[]): Form<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return { is: (value): value is T => known.has(value), schema: { enum: values } };
}

/** The same form, with words for its reader. */
export function described<T>(description: string, { is, schema }: Form<T>): Form<T> {
  return { is, schema: { ...schema, description } };
}

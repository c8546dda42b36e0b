export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The members that are not undefined. */
export function object(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(members)) if (value !== undefined) kept[key] = value;
  return kept;
}

/** The object without these members. */
export function without(value: JsonObject, ...names: readonly string[]): JsonObject {
  return object(Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key))));
}

/** Equal as data, whatever the order of members. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: Json | undefined): unknown {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key])]);
}

/** The value with each member replaced from the bottom up; `undefined` leaves a member out. */
export function mapped(
  value: Json,
  change: (value: Json, key: string, path: readonly string[]) => Json | undefined,
  path: readonly string[] = [],
): Json {
  if (isList(value)) {
    return value.flatMap((item) => {
      const changed = change(mapped(item, change, [...path, '*']), '*', [...path, '*']);
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json | undefined] => [
    key,
    change(mapped(member, change, [...path, key]), key, [...path, key]),
  ]);
  return object(Object.fromEntries(members));
}

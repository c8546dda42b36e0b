import { isArray, isObject, type JsonValue } from './json.ts';

/** Every text and number in a value, as text. */
export function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

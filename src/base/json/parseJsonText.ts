import { isArray, isObject, type JsonValue } from './json.ts';

/** Undefined: the text is not JSON. Nothing says why, since a parser quotes the text, which may hold a secret. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The object or list that the text is JSON for; any other text stays as it is. */
export function parseJsonText(text: string): JsonValue {
  const value = jsonIn(text);
  return isObject(value) || isArray(value) ? value : text;
}

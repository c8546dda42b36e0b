import { isArray, isObject, type JsonValue } from './json.ts';

/** The object or list that the text is JSON for; any other text stays as it is. */
export function parseJsonText(text: string): JsonValue {
  try {
    const said: JsonValue = JSON.parse(text);
    return isObject(said) || isArray(said) ? said : text;
  } catch {
    return text;
  }
}

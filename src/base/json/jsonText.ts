import { escapeBeyondAscii } from './escapeControls.ts';
import { isArray, isObject, type JsonValue } from './json.ts';

/**
 * A document readable for people, without a final line end and without characters that a terminal would interpret.
 * Equal data gives equal text.
 */
export function jsonText(value: JsonValue): string {
  return escapeBeyondAscii(JSON.stringify(value, null, 2));
}

/** A text that is equal for equal data, regardless of key order and layout. */
export function canonicalText(value: unknown): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(',')}}`;
}

/**
 * Undefined if the text is not JSON. The reason is not reported, since a parser quotes the text, which may contain a
 * secret.
 */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The object or list in a JSON text; any other text is returned unchanged. */
export function parseJsonText(text: string): JsonValue {
  const value = jsonIn(text);
  return isObject(value) || isArray(value) ? value : text;
}

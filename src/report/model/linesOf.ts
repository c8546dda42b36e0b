import { isArray, type JsonValue } from '../../base/json/json.ts';

/** The text that is compared line by line: a text, or a list with an item a line. */
export function linesOf(value: JsonValue | undefined): string | undefined {
  if (isArray(value)) return value.map((item) => `${JSON.stringify(item)}\n`).join('');
  return typeof value === 'string' ? value : undefined;
}

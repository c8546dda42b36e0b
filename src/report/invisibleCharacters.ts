import { isArray, type JsonValue } from '../base/json/json.ts';

/**
 * Characters that are invisible, or that affect how the rest is read: control and format characters (direction marks,
 * zero-width ones), line ends, and lone surrogates.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Foreign text in one line, with invisible characters written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(unseen, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same, shortened if it is longer than this number of characters. */
export function visiblePart(text: string, most: number): string {
  const shown = visible(text);
  return shown.length <= most ? shown : `${wholeStart(shown, most)}… (${text.length} characters)`;
}

/** The beginning, without half a surrogate pair at its end. */
function wholeStart(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** The lines of a value for a comparison: a text, or a list with an item per line. */
export function linesOf(value: JsonValue | undefined): string | undefined {
  if (isArray(value)) return value.map((item) => `${JSON.stringify(item)}\n`).join('');
  return typeof value === 'string' ? value : undefined;
}

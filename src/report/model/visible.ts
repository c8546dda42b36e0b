import { isArray, type JsonValue } from '../../base/json/json.ts';

/**
 * Characters that a reader does not see, or that change how the rest is read: control and format characters (direction
 * marks, zero-width ones), line ends, and halves of characters.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of others in one line, with what a reader does not see written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(unseen, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same, cut where it is longer than so many characters. */
export function visiblePart(text: string, most: number): string {
  const shown = visible(text);
  return shown.length <= most ? shown : `${wholeStart(shown, most)}… (${text.length} characters)`;
}

/** The beginning, without half a character at its end. */
function wholeStart(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** The text that is compared line by line: a text, or a list with an item a line. */
export function linesOf(value: JsonValue | undefined): string | undefined {
  if (isArray(value)) return value.map((item) => `${JSON.stringify(item)}\n`).join('');
  return typeof value === 'string' ? value : undefined;
}

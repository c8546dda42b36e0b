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

/**
 * Characters that must not reach a terminal: they could move the cursor, recolour the text, or change its direction
 * (including tab and newline). JSON escapes those of ASCII itself.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to be found
const ofAscii = /[\u0000-\u001f]/g;
const beyondAscii = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** External text, with control characters shown as `\u001b`. */
export function escapeControls(text: string): string {
  return escapeBeyondAscii(text.replace(ofAscii, escaped));
}

/** The same except for ASCII, such as the line ends of a document. */
export function escapeBeyondAscii(text: string): string {
  return text.replace(beyondAscii, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Characters that must not reach a terminal: they could move the cursor, recolour the text, or turn its direction (tab
 * and newline included).
 */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to be found
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Text from elsewhere, with control characters made visible as `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(control, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

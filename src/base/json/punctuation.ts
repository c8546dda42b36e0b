/** The characters that structure JSON text, for splitting it without parsing, as UTF-16 code units. */
export const quote = 0x22;
export const comma = 0x2c;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** The index of the quote that ends the text beginning here; undefined if there is none. */
export function endOfText(json: string, begin: number): number | undefined {
  for (let at = json.indexOf('"', begin + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return undefined;
}

/** The characters by which JSON text is taken apart without parsing it, as UTF-16 code units. */
export const quote = 0x22;
export const comma = 0x2c;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

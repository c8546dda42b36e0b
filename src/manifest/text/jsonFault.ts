/** Where a text stops being JSON. The message contains nothing of the text, which may be a secret. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

type Expected = 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'end of item' | 'end of field' | 'end';

const words: Readonly<Record<Expected, string>> = {
  value: 'a value is missing or is not in quotes',
  'first item': 'a value is missing or is not in quotes, or the list is not closed',
  'first key': 'a key in double quotes or } is missing',
  key: 'a key in double quotes is missing after the comma',
  colon: 'a colon is missing after the key',
  'end of item': 'a comma or ] is missing',
  'end of field': 'a comma or } is missing',
  end: 'there is more text after the end of the document',
};

const space = /[ \t\n\r]*/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.+-])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON does not allow in a text
const plainText = /[^"\\\u0000-\u001f]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The first fault of a text that `JSON.parse` refuses, whose own message would quote the text. */
export function jsonFault(text: string): JsonFault {
  const open: ('item' | 'field')[] = [];
  let expected: Expected = 'value';
  let at = endOf(space, text, 0) ?? 0;

  const closed = (): Expected => (open.length === 0 ? 'end' : `end of ${open.at(-1) ?? 'item'}`);
  const fault = (): JsonFault =>
    at >= text.length
      ? { offset: text.length, message: 'the text ends too early' }
      : { offset: at, message: words[expected] };

  while (at < text.length) {
    const character = text[at];
    const isValue: boolean = expected === 'value' || expected === 'first item';
    if (character === '"' && (isValue || expected === 'key' || expected === 'first key')) {
      const string = readText(text, at);
      if (string.fault !== undefined) return { offset: string.end, message: string.fault };
      at = string.end;
      expected = isValue ? closed() : 'colon';
    } else if (isValue && (character === '{' || character === '[')) {
      open.push(character === '{' ? 'field' : 'item');
      expected = character === '{' ? 'first key' : 'first item';
      at += 1;
    } else if (
      (character === '}' && (expected === 'first key' || expected === 'end of field')) ||
      (character === ']' && (expected === 'first item' || expected === 'end of item'))
    ) {
      open.pop();
      expected = closed();
      at += 1;
    } else if (character === ':' && expected === 'colon') {
      expected = 'value';
      at += 1;
    } else if (character === ',' && (expected === 'end of field' || expected === 'end of item')) {
      expected = expected === 'end of field' ? 'key' : 'value';
      at += 1;
    } else {
      const end = isValue ? endOf(literal, text, at) : undefined;
      if (end === undefined) return fault();
      expected = closed();
      at = end;
    }
    at = endOf(space, text, at) ?? at;
  }
  return fault();
}

/** Reads a text from its first quote on. */
function readText(text: string, start: number): { readonly end: number; readonly fault?: string } {
  let at = start + 1;
  for (;;) {
    at = endOf(plainText, text, at) ?? at;
    if (at >= text.length) return { end: start, fault: 'a quoted text is not closed' };
    if (text[at] === '"') return { end: at + 1 };
    if (text[at] !== '\\') return { end: at, fault: 'a line break or control character stands in a quoted text' };
    const end = endOf(escapeSequence, text, at);
    if (end === undefined) return { end: at, fault: 'this escape sequence is not known' };
    at = end;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

import { isArray, isObject, type JsonValue } from '../base/json/json.ts';
import { limits } from './limits.ts';
import { fileProblem } from './model/locatedProblem.ts';
import { lazySources, parseYaml } from './parseYaml.ts';
import { type ParsedText, TextPositions } from './textPosition.ts';

export interface ManifestText {
  readonly text: string;
  /** The name used in messages. */
  readonly file: string;
  readonly format: 'yaml' | 'json';
}

/** Parses text to documents. Never throws for bad text: it becomes located problems. */
export function parseManifestText({ text, file, format }: ManifestText): ParsedText {
  // Concatenated files with byte order marks have one at the beginning of each document.
  const body = text.includes('\uFEFF') ? text.replace(/^\uFEFF/gm, '') : text;
  return format === 'json' ? parseJson(body, file) : parseYaml(body, file);
}

/** Reads a JSON file with `JSON.parse`; the YAML reader, which knows positions, is used only when needed. */
function parseJson(text: string, file: string): ParsedText {
  const positions = new TextPositions(text, file);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, message } = jsonFault(text);
    const problem = fileProblem(
      positions.at(offset),
      'manifest.syntax',
      `this is not JSON: ${message}`,
      'Correct the JSON at this place.',
    );
    return { documents: [], problems: [problem] };
  }

  const depth = measure(value);
  // A repeated key is lost in `value`. If the text has no more `":` than the value has keys, no key is repeated.
  const suspicious = depth.keys !== countOf(text) || depth.longest > limits.scalarLength || depth.depth >= limits.depth;
  if (suspicious) {
    const checked = parseYaml(text, file);
    if (checked.problems.length > 0) return checked;
  }
  return { documents: [{ value, ...lazySources(text, positions)(0) }], problems: [] };
}

function countOf(text: string): number {
  return text.match(/"\s*:/g)?.length ?? 0;
}

interface Measure {
  keys: number;
  longest: number;
  depth: number;
}

function measure(value: JsonValue, depth = 0, sum: Measure = { keys: 0, longest: 0, depth: 0 }): Measure {
  if (depth > sum.depth) sum.depth = depth;
  if (depth > limits.depth) return sum;
  if (typeof value === 'string') {
    if (value.length > sum.longest) sum.longest = value.length;
  } else if (isArray(value)) {
    for (const item of value) measure(item, depth + 1, sum);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      sum.keys += 1;
      measure(value[key] ?? null, depth + 1, sum);
    }
  }
  return sum;
}

/** The place where a text stops being JSON. The message never quotes the text, which may be a secret. */
interface JsonFault {
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

/** The first fault of a text that `JSON.parse` refuses, because its own message would quote the text. */
function jsonFault(text: string): JsonFault {
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

/** Reads a text, beginning at its first quote. */
function readText(text: string, start: number): { readonly end: number; readonly fault?: string } {
  let at = start + 1;
  for (;;) {
    at = endOf(plainText, text, at) ?? at;
    if (at >= text.length) return { end: start, fault: 'a quoted text is not closed' };
    if (text[at] === '"') return { end: at + 1 };
    if (text[at] !== '\\') return { end: at, fault: 'a quoted text contains a line break or control character' };
    const end = endOf(escapeSequence, text, at);
    if (end === undefined) return { end: at, fault: 'this escape sequence is not known' };
    at = end;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

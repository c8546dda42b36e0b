import { isObject, type JsonValue } from '../../schema/json/json.ts';

/** What must not reach a terminal: it could move the cursor or recolour what is shown (tab and newline included). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to be found
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text from elsewhere, with control characters made visible. */
export function printable(text: string): string {
  return text.replace(control, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A message of several lines, each printable, tabs kept. */
export function printableLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.split('\t').map(printable).join('\t'));
}

/** Characters of a value that are shown. */
export const longest = 300;

/** A value in one line: texts bare where that is clear, everything else as JSON. */
export function wholeValue(value: JsonValue): string {
  return printable(typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value));
}

/** The same, cut where it is very long. */
export function renderValue(value: JsonValue): string {
  return cutLong(wholeValue(value));
}

/** A text of one line, cut where it is very long. */
export function cutLong(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** True for `{"sensitive": true, …}`, which stands for a value that is not shown. */
export function isSensitive(value: unknown): boolean {
  return isObject(value) && value['sensitive'] === true;
}

/** Texts that could be taken for something else, or that end in blanks, stay quoted. */
function isPlain(text: string): boolean {
  return /^[^\s"'{}[\],:#&*!|>%@`][^\s"]*( [^\s"]+)*$/.test(text) && !/^(true|false|null|-?\d[\d.eE+-]*)$/.test(text);
}

import { escapeControls } from '../base/json/escapeControls.ts';
import type { JsonValue } from '../base/json/json.ts';

/** Text from elsewhere, with control characters made visible. */
export const printable = escapeControls;

/** A message of several lines, each printable, tabs kept. */
export function printableLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.split('\t').map(printable).join('\t'));
}

/** The maximum number of shown characters of a value. */
export const longest = 300;

/** A value in one line: texts without quotes if unambiguous, everything else as JSON. */
export function wholeValue(value: JsonValue): string {
  return printable(typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value));
}

/** The same, shortened if it is very long. */
export function renderValue(value: JsonValue): string {
  return cutLong(wholeValue(value));
}

/** A text of one line, shortened if it is very long. */
export function cutLong(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** The maximum number of characters of a printed line; names and keys of records have no limit of their own. */
const longestLine = 4_000;

/** A line in its colours, shortened if it is far too long to be read. */
export function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  const start = line.slice(0, longestLine).replace(unfinishedEscape, '');
  return `${start}${line.includes(escapeSign) ? `${escapeSign}[0m` : ''}… (${line.length} characters)`;
}

const escapeSign = '\u001b';
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
const unfinishedEscape = /\u001b\[?[\d;]*$/;

/** Ambiguous texts, and those with blanks at the end, stay quoted. */
function isPlain(text: string): boolean {
  return /^[^\s"'{}[\],:#&*!|>%@`][^\s"]*( [^\s"]+)*$/.test(text) && !/^(true|false|null|-?\d[\d.eE+-]*)$/.test(text);
}

import { escapeBeyondAscii } from '../base/json/escapeControls.ts';

/** Keys with another meaning in the expression syntax. */
const keywords: ReadonlySet<string> = new Set(['for', 'true', 'false', 'null', 'if', 'in']);

/** A key of an object, without quotes if possible. */
export function keyText(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !keywords.has(key) ? key : quoted(key);
}

/** A name as the label of a block: characters other than letters, digits and `_` become `_`. */
export function labelOf(name: string): string {
  const text = name.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z_]/.test(text) ? text : `_${text}`;
}

/** A text as a literal without template evaluation, on one line. */
export function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The inside of a literal: control characters and surrogates are escaped. */
export function escaped(text: string): string {
  const visible = text.replaceAll(
    /[\\"\p{Cc}\p{Cs}]/gu,
    (letter) => escapes.get(letter) ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return withoutTemplates(escapeBeyondAscii(visible));
}

/** `${` and `%{` open a template, in both syntaxes. */
export function withoutTemplates(text: string): string {
  return text.replaceAll(/[$%]\{/g, (opening) => `${opening.charAt(0)}${opening}`);
}

import { isArray, isObject, type JsonArray, type JsonValue } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import type { FieldDocument } from '../../change/documents/planDocument.ts';
import type { SensitiveValue } from '../../patch/fieldChanges.ts';
import { isHidden } from '../../plan/model/change.ts';
import type { DiffLine, LineDiff } from '../../report/lineDiff.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable, printableLines, renderValue, wholeValue } from '../../terminal/printable.ts';
import { padText, textWidth } from '../../terminal/textWidth.ts';
import { cutPair, cutPairs } from './cutPair.ts';

type ShownField = Pick<FieldDocument, 'path' | 'old' | 'new'>;

export interface FieldStyle {
  readonly palette: Palette;
  /** Undefined if no field of the plan is compared line by line. */
  readonly lineDiff: LineDiff | undefined;
  /** Limit of columns per line; infinite if the output is not a screen. */
  readonly width: number;
  /** Whether long values are shown completely. */
  readonly whole?: boolean;
}

/** True if showing the field needs `lineDiff`. */
export function needsLineDiff(field: ShownField): boolean {
  return multilineValues(field) !== undefined;
}

/** True if its values are shown below its path. */
export function isListed(field: ShownField): boolean {
  return needsLineDiff(field) || plainItems(field.old ?? field.new) !== undefined;
}

const valueIndent = '    ';

/**
 * The lines of one field: `~ path  old → new`, `+ path  new`, `- path  old`; lists, texts of several lines, and values
 * that are too long for one line are below the path. `padding`: the width of the paths in a block.
 */
export function renderField(field: ShownField, padding: number, style: FieldStyle): readonly string[] {
  const { palette } = style;
  const path = printable(field.path);
  const { old, new: after } = field;
  if (old === undefined && after === undefined) return [`${palette.change('~')} ${path}`];
  if (old === undefined || after === undefined) return renderAddedOrRemoved(field, padding, style);

  const compared = style.lineDiff === undefined ? undefined : multilineValues(field);
  if (compared !== undefined && style.lineDiff !== undefined) {
    const lines = style.lineDiff(compared.old, compared.new);
    const cut = compared.as === 'list' && style.whole !== true;
    return [`${palette.change('~')} ${path}`, ...diffLines(cut ? cutPairs(lines) : lines, compared.as, palette)];
  }
  if (isHidden(after)) {
    return [
      `${palette.change('~')} ${padText(path, padding)}  ${after.changed ? '(sensitive, changed)' : '(sensitive)'}`,
    ];
  }
  const wholeStyle = { ...style, whole: true };
  const [before, now] = [show(old, wholeStyle), show(after, wholeStyle)];
  const shown = style.whole === true ? { old: before, next: now } : cutPair(before, now);
  const values = `${palette.remove(shown.old)} → ${palette.add(shown.next)}`;
  const columns =
    Math.max(padding, textWidth(path)) + textWidth(shown.old) + textWidth(shown.next) + '~   → '.length + 1;
  if (columns <= style.width) return [`${palette.change('~')} ${padText(path, padding)}  ${values}`];
  return [
    `${palette.change('~')} ${path}`,
    `${valueIndent}${palette.remove(shown.old)}`,
    `${valueIndent}→ ${palette.add(shown.next)}`,
  ];
}

/** A field that is added or removed as a whole. */
function renderAddedOrRemoved(field: ShownField, padding: number, style: FieldStyle): readonly string[] {
  const [sign, paint] = field.old === undefined ? ['+', style.palette.add] : ['-', style.palette.remove];
  const path = printable(field.path);
  const value = field.old ?? field.new;
  if (value === undefined) return [`${paint(sign)} ${path}`];
  const items = plainItems(value);
  if (items !== undefined && items.length > 0) {
    return [`${paint(sign)} ${path}`, ...items.map((item) => `${valueIndent}${paint(`${sign} ${show(item, style)}`)}`)];
  }
  const shown = show(value, style);
  if (Math.max(padding, textWidth(path)) + textWidth(shown) + 4 <= style.width) {
    return [`${paint(sign)} ${padText(path, padding)}  ${paint(shown)}`];
  }
  const lines = isHidden(value) || typeof value !== 'object' ? [shown] : prettyLines(value);
  return [`${paint(sign)} ${path}`, ...lines.map((line) => `${valueIndent}${paint(line)}`)];
}

/** An object or a list that is too long for one line. */
function prettyLines(value: JsonValue): readonly string[] {
  return JSON.stringify(value, undefined, 2).split('\n').map(printable);
}

function diffLines(lines: readonly DiffLine[], as: MultilineValues['as'], palette: Palette): readonly string[] {
  return lines.map(({ sign, text }) => {
    // Line numbers only make sense in a text.
    if (sign === '@' && as !== 'text') return palette.faint(`${valueIndent}  …`);
    const shown = `${valueIndent}${sign} ${printableLines(text).join(' ')}`.trimEnd();
    if (sign === '+') return palette.add(shown);
    return sign === '-' ? palette.remove(shown) : palette.faint(shown);
  });
}

export function show(value: JsonValue | SensitiveValue, { whole }: Pick<FieldStyle, 'whole'> = {}): string {
  if (isHidden(value)) return '(sensitive)';
  return whole === true ? wholeValue(value) : renderValue(value);
}

/** A value that is shown over several lines, and compared line by line. */
type MultilineValues =
  /** A text of several lines. */
  | { readonly as: 'text'; readonly old: string; readonly new: string }
  /** Texts that are both JSON: their content is compared, not their layout. */
  | { readonly as: 'json'; readonly old: string; readonly new: string }
  /** Two lists: one item per line. */
  | { readonly as: 'list'; readonly old: string; readonly new: string };

/** Undefined if the change is shown in one line. */
function multilineValues({ old, new: next }: ShownField): MultilineValues | undefined {
  if (typeof old === 'string' && typeof next === 'string') {
    const [before, after] = [jsonLines(old), jsonLines(next)];
    if (before !== undefined && after !== undefined && before !== after) {
      return { as: 'json', old: before, new: after };
    }
    return old.includes('\n') || next.includes('\n') ? { as: 'text', old, new: next } : undefined;
  }
  if (!isArray(old) || !isArray(next)) return undefined;
  const isShort = wholeValue(old).length + wholeValue(next).length <= longestPair;
  if (isShort && (plainItems(old) ?? plainItems(next)) === undefined) return undefined;
  return { as: 'list', old: linesOf(old), new: linesOf(next) };
}

/** Two lists of objects are shown in one line up to this many characters together. */
const longestPair = 60;

/** The items of a list without objects and lists. */
function plainItems(value: JsonValue | SensitiveValue | undefined): JsonArray | undefined {
  if (!isArray(value)) return undefined;
  return value.every((item) => !isObject(item) && !isArray(item)) ? value : undefined;
}

/** Not cut, because items may differ at their end. They contain no line breaks: these are escaped. */
function linesOf(items: JsonArray): string {
  return items.map((item) => `${wholeValue(item)}\n`).join('');
}

/**
 * JSON text of an object or list, formatted, with sorted members. Undefined for other text, and for long numbers, which
 * would lose digits.
 */
function jsonLines(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text) || /\d{16}/.test(text)) return undefined;
  const value = jsonIn(text);
  return value === undefined ? undefined : JSON.stringify(withSortedKeys(value), undefined, 2);
}

function withSortedKeys(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, withSortedKeys(value[key] ?? null)]),
  );
}

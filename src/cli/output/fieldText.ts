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

export interface FieldLook {
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
  return asManyLines(field) !== undefined;
}

/** True if its values are shown below its path. */
export function isListed(field: ShownField): boolean {
  return needsLineDiff(field) || plainItems(field.old ?? field.new) !== undefined;
}

const deeper = '    ';

/**
 * The lines of one field: `~ path  old → new`, `+ path  new`, `- path  old`; lists, texts of several lines, and values
 * that are too long for one line are below the path. `padding`: the width of the paths in a block.
 */
export function renderField(field: ShownField, padding: number, look: FieldLook): readonly string[] {
  const { palette } = look;
  const path = printable(field.path);
  const { old, new: after } = field;
  if (old === undefined && after === undefined) return [`${palette.change('~')} ${path}`];
  if (old === undefined || after === undefined) return renderOne(field, padding, look);

  const compared = look.lineDiff === undefined ? undefined : asManyLines(field);
  if (compared !== undefined && look.lineDiff !== undefined) {
    const lines = look.lineDiff(compared.old, compared.new);
    const cut = compared.as === 'list' && look.whole !== true;
    return [`${palette.change('~')} ${path}`, ...diffLines(cut ? cutPairs(lines) : lines, compared.as, palette)];
  }
  if (isHidden(after)) {
    return [
      `${palette.change('~')} ${padText(path, padding)}  ${after.changed ? '(sensitive, changed)' : '(sensitive)'}`,
    ];
  }
  const whole = { ...look, whole: true };
  const [before, now] = [show(old, whole), show(after, whole)];
  const shown = look.whole === true ? { old: before, next: now } : cutPair(before, now);
  const values = `${palette.remove(shown.old)} → ${palette.add(shown.next)}`;
  const columns =
    Math.max(padding, textWidth(path)) + textWidth(shown.old) + textWidth(shown.next) + '~   → '.length + 1;
  if (columns <= look.width) return [`${palette.change('~')} ${padText(path, padding)}  ${values}`];
  return [
    `${palette.change('~')} ${path}`,
    `${deeper}${palette.remove(shown.old)}`,
    `${deeper}→ ${palette.add(shown.next)}`,
  ];
}

/** A field that is added or removed as a whole. */
function renderOne(field: ShownField, padding: number, look: FieldLook): readonly string[] {
  const [sign, paint] = field.old === undefined ? ['+', look.palette.add] : ['-', look.palette.remove];
  const path = printable(field.path);
  const value = field.old ?? field.new;
  if (value === undefined) return [`${paint(sign)} ${path}`];
  const items = plainItems(value);
  if (items !== undefined && items.length > 0) {
    return [`${paint(sign)} ${path}`, ...items.map((item) => `${deeper}${paint(`${sign} ${show(item, look)}`)}`)];
  }
  const shown = show(value, look);
  if (Math.max(padding, textWidth(path)) + textWidth(shown) + 4 <= look.width) {
    return [`${paint(sign)} ${padText(path, padding)}  ${paint(shown)}`];
  }
  const lines = isHidden(value) || typeof value !== 'object' ? [shown] : laidOut(value);
  return [`${paint(sign)} ${path}`, ...lines.map((line) => `${deeper}${paint(line)}`)];
}

/** An object or a list that is too long for one line. */
function laidOut(value: JsonValue): readonly string[] {
  return JSON.stringify(value, undefined, 2).split('\n').map(printable);
}

function diffLines(lines: readonly DiffLine[], as: ManyLines['as'], palette: Palette): readonly string[] {
  return lines.map(({ sign, text }) => {
    // Line numbers only make sense in a text.
    if (sign === '@' && as !== 'text') return palette.faint(`${deeper}  …`);
    const shown = `${deeper}${sign} ${printableLines(text).join(' ')}`.trimEnd();
    if (sign === '+') return palette.add(shown);
    return sign === '-' ? palette.remove(shown) : palette.faint(shown);
  });
}

export function show(value: JsonValue | SensitiveValue, { whole }: Pick<FieldLook, 'whole'> = {}): string {
  if (isHidden(value)) return '(sensitive)';
  return whole === true ? wholeValue(value) : renderValue(value);
}

/** A value that is shown over several lines, and compared line by line. */
type ManyLines =
  /** A text of several lines. */
  | { readonly as: 'text'; readonly old: string; readonly new: string }
  /** Texts that are both JSON: their content is compared, not their layout. */
  | { readonly as: 'json'; readonly old: string; readonly new: string }
  /** Two lists: one item per line. */
  | { readonly as: 'list'; readonly old: string; readonly new: string };

/** Undefined if the change is shown in one line. */
function asManyLines({ old, new: next }: ShownField): ManyLines | undefined {
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
  return value === undefined ? undefined : JSON.stringify(inOrder(value), undefined, 2);
}

function inOrder(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key] ?? null)]),
  );
}

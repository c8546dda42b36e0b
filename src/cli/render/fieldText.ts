import type { FieldChange, SensitiveValue } from '../../plan/plan.ts';
import { isObject, type JsonValue } from '../../schema/json.ts';
import type { LineDiff } from './lineDiff.ts';
import type { Palette } from './palette.ts';
import { isSensitive, printable, printableLines, renderValue } from './printable.ts';

export interface FieldLook {
  readonly palette: Palette;
  /** Undefined where the plan has no text of several lines. */
  readonly lineDiff: LineDiff | undefined;
  /** Full links into this org are shown in the short form where they stand beside one. */
  readonly org?: string;
}

/** True if showing the field needs `lineDiff`. */
export function isTextChange(field: FieldChange): field is FieldChange & { old: string; new: string } {
  const { old, new: after } = field;
  return typeof old === 'string' && typeof after === 'string' && (old.includes('\n') || after.includes('\n'));
}

/** The lines of one field: `~ path  old → new`, `+ path  new`, `- path  old`, or a line diff. `width` pads the path. */
export function renderField(
  field: FieldChange,
  width: number,
  { palette, lineDiff, org }: FieldLook,
): readonly string[] {
  const path = printable(field.path).padEnd(width);
  if (lineDiff !== undefined && isTextChange(field)) {
    const lines = lineDiff(field.old, field.new).map(({ sign, text }) => {
      const shown = `    ${sign} ${printableLines(text).join(' ')}`.trimEnd();
      if (sign === '+') return palette.add(shown);
      return sign === '-' ? palette.remove(shown) : palette.faint(shown);
    });
    return [`${palette.change('~')} ${path.trimEnd()}`, ...lines];
  }
  const { old, new: after } = field;
  if (old === undefined) {
    return after === undefined
      ? [`${palette.change('~')} ${path.trimEnd()}`]
      : [`${palette.add('+')} ${path}  ${palette.add(show(after))}`];
  }
  if (after === undefined) return [`${palette.remove('-')} ${path}  ${palette.remove(show(old))}`];
  if (isSensitiveValue(after)) {
    return [`${palette.change('~')} ${path}  ${after.changed ? '(sensitive, changed)' : '(sensitive)'}`];
  }
  const shown = { old: spelledAs(after, old, org), new: spelledAs(old, after, org) };
  return [`${palette.change('~')} ${path}  ${palette.remove(show(shown.old))} → ${palette.add(show(shown.new))}`];
}

/** One line has one spelling of links: `//gvc/shop` beside `//gvc/other`, not `/org/acme/gvc/shop`. */
function spelledAs(
  model: JsonValue | SensitiveValue,
  value: JsonValue | SensitiveValue,
  org: string | undefined,
): JsonValue | SensitiveValue {
  if (org === undefined || typeof model !== 'string' || typeof value !== 'string') return value;
  const full = `/org/${org}/`;
  return model.startsWith('//') && value.startsWith(full) ? `//${value.slice(full.length)}` : value;
}

function show(value: JsonValue | SensitiveValue): string {
  if (isSensitiveValue(value)) return '(sensitive)';
  return renderValue(value);
}

function isSensitiveValue(value: JsonValue | SensitiveValue): value is SensitiveValue {
  return isObject(value) && isSensitive(value);
}

import type { JsonValue } from '../../base/json/json.ts';
import { counted } from '../../base/text/counted.ts';
import type { FieldDocument } from '../../change/documents/planDocument.ts';
import { type Cause, describeCause } from '../../plan/model/cause.ts';
import { isHidden } from '../../plan/model/fieldChange.ts';
import { lineDiff } from '../model/lineDiff.ts';
import { visiblePart } from '../model/visible.ts';

const mostLines = 100;
const longestLine = 300;

/** Lines as a block may hold them: none too long, and not too many. */
export function diffLines(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, mostLines).map((line) => visiblePart(line, longestLine));
  const more = lines.length - mostLines;
  return more > 0 ? [...shown, `# and ${counted(more, 'more line')}`] : shown;
}

/** `- path: old` and `+ path: new`, or the lines in which two texts differ. */
export function fieldDiff({ path, old, new: next, cause, risk }: FieldDocument, common?: Cause): readonly string[] {
  const why = cause === undefined || cause === common ? [] : [`# ${describeCause(cause)}`];
  const aside = risk === undefined || risk === 'none' ? '' : `  # ${risk}`;
  if (typeof old === 'string' && typeof next === 'string' && `${old}${next}`.includes('\n')) {
    const lines = lineDiff(old, next).map(({ sign, text }) => (sign === '@' ? `@${text}` : `${sign}   ${text}`));
    return [`! ${path}:${aside}`, ...lines, ...why];
  }
  if (old !== undefined && next !== undefined && isHidden(next)) return [`! ${path}: ${shown(next)}${aside}`, ...why];
  return [
    ...(old === undefined ? [] : [`- ${path}: ${shown(old)}`]),
    ...(next === undefined ? [] : [`+ ${path}: ${shown(next)}${aside}`]),
    ...(old === undefined && next === undefined ? [`! ${path}`] : []),
    ...why,
  ];
}

function shown(value: JsonValue): string {
  if (!isHidden(value)) return JSON.stringify(value);
  return value.changed ? '(sensitive, changed)' : '(sensitive)';
}

import type { JsonValue } from '../../base/json/json.ts';
import { counted } from '../../base/text/counted.ts';
import type { FieldDocument } from '../../change/documents/planDocument.ts';
import { type Cause, describeCause } from '../../plan/model/cause.ts';
import { isHidden } from '../../plan/model/fieldChange.ts';
import { lineDiff } from '../model/lineDiff.ts';
import { visiblePart } from '../model/visible.ts';
import type { Item, Line, Node } from '../tree/tree.ts';
import type { Foldable } from './fold.ts';
import { code, details, fenced, htmlCode } from './inline.ts';

/** A line of a tree, with what others wrote in code spans. */
export function lineMarkdown(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('name' in piece) return code(piece.name);
      return piece.tone === 'strong' ? `**${piece.text}**` : piece.text;
    })
    .join('');
}

/** A resource: not told, in one line, and with all that is below it. */
export function itemLevels({ id, words, children }: Item): Foldable {
  const said = lineMarkdown(words);
  const body = blocksOf(children()).join('\n').replaceAll('\n\n\n', '\n\n').trim();
  const short = `- ${code(id)}: ${said}`;
  return ['', short, ...(body === '' ? [] : [details(`${htmlCode(id)} ${htmlLine(words)}`, body)])];
}

/** Where HTML stands, which takes no Markdown. */
function htmlLine(line: Line): string {
  return line
    .map((piece) => (typeof piece === 'string' ? piece : 'name' in piece ? htmlCode(piece.name) : piece.text))
    .join('');
}

/** Of the children of one resource; a record may have been written a thousand times. */
const mostChildren = 12;

/** Lines in a list; between them what needs a block of its own. */
function blocksOf(nodes: readonly Node[]): readonly string[] {
  const parts = nodes.slice(0, mostChildren).flatMap((node): readonly string[] => {
    if (node.node === 'line') return [`- ${lineMarkdown(node.line)}`];
    if (node.node === 'fields') return [`\n${diffOf(node.fields)}\n`];
    return node.node === 'group' ? [`- ${lineMarkdown(node.title)}`, ...blocksOf(node.children())] : [];
  });
  const more = nodes.length - mostChildren;
  return [...parts, ...(more > 0 ? [`- and ${more} more`] : [])];
}

/** Fields as a block of their differences. `common`: a cause that is said elsewhere. */
export function diffOf(fields: readonly FieldDocument[], before: readonly string[] = [], common?: Cause): string {
  const lines = [...before, ...fields.flatMap((field) => fieldDiff(field, common))];
  return fenced('diff', diffLines(lines));
}

const mostLines = 100;
const longestLine = 300;

/** Lines as a block may hold them: none too long, and not too many. */
function diffLines(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, mostLines).map((line) => visiblePart(line, longestLine));
  const more = lines.length - mostLines;
  return more > 0 ? [...shown, `# and ${counted(more, 'more line')}`] : shown;
}

/** `- path: old` and `+ path: new`, or the lines in which two texts differ. */
function fieldDiff({ path, old, new: next, cause, risk }: FieldDocument, common?: Cause): readonly string[] {
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

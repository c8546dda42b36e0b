import type { JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import type { FieldDocument } from '../../change/documents/planDocument.ts';
import { describeCause } from '../../plan/model/cause.ts';
import { isHidden } from '../../plan/model/change.ts';
import { lineDiff } from '../model/lineDiff.ts';
import { linesOf } from '../model/linesOf.ts';
import { visible, visiblePart } from '../model/visible.ts';
import { type Body, type Item, type Line, type Node, plainText, type Values } from '../tree/tree.ts';
import type { Foldable } from './fold.ts';
import { code, codes, details, fenced, htmlCode } from './inline.ts';

/** A line of a tree, with what others wrote in code spans. */
export function lineMarkdown(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('name' in piece) return code(piece.name);
      if ('value' in piece) return code(shown(piece.value));
      return piece.tone === 'strong' ? `**${piece.text}**` : piece.text;
    })
    .join('');
}

/** A resource: not told, in one line, with what is below it, and with the bodies of its requests too. */
export function itemLevels({ id, sign, aside, words, risk, children }: Item): Foldable {
  const nodes = children();
  const worst = risk === undefined || risk === 'none' ? undefined : risk;
  const said = [...(words.length === 0 ? [] : [': ', ...words]), ...aside];
  const mark = sign === ' ' ? '' : `\`${sign}\` `;
  const short = `- ${mark}${code(id)}${lineMarkdown(said)}${worst === undefined ? '' : ` **${worst}**`}`;
  const heading = `${mark === '' ? '' : `<code>${sign}</code> `}${htmlCode(id)}${htmlLine(said)}`;
  const summary = `${heading}${worst === undefined ? '' : ` <b>${worst}</b>`}`;
  const [most, all] = [nodes.filter(({ node }) => node !== 'body'), nodes].map((some) => textOf(blocksOf(some)));
  return [
    ...['', short],
    ...(most === undefined || most === '' ? [] : [details(summary, most)]),
    ...(all === undefined || all === most ? [] : [details(summary, all)]),
  ];
}

/** Where HTML stands, which takes no Markdown. */
function htmlLine(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('value' in piece) return htmlCode(shown(piece.value));
      return 'name' in piece ? htmlCode(piece.name) : piece.text;
    })
    .join('');
}

/** Of the children of one resource; a record may have been written a thousand times. */
const mostChildren = 25;

/** Lines in a list; between them what needs a block of its own. */
export function blocksOf(nodes: readonly Node[]): readonly string[] {
  const told = nodes.filter((node) => !('where' in node) || node.where !== 'page');
  const more = told.length - mostChildren;
  return [...told.slice(0, mostChildren).flatMap(blockOf), ...(more > 0 ? [`- and ${more} more`] : [])];
}

function blockOf(node: Node): readonly string[] {
  switch (node.node) {
    case 'line':
      return [`- ${lineMarkdown(node.line)}`];
    case 'names':
      return [
        `- ${node.word} ${codes(
          node.names.map(({ id }) => id),
          mostNamed,
        )}${node.after}`,
      ];
    case 'pairs':
      return node.rows.map(({ id, text }) => `- ${code(id)} ${code(text)}`);
    case 'fields':
      return [`\n${diffOf(node.fields)}\n`];
    case 'values':
      return [
        `\n${diffOf([fieldOf(node)])}\n`,
        ...node.rows
          .filter(({ line }) => line.length > 0)
          .map(({ word, line }) => `- ${word} ${lineMarkdown(line).trim()}`),
      ];
    case 'body':
      return [`\n${bodyOf(node)}\n`];
    case 'group':
      return [`- ${lineMarkdown(node.title)}`, ...groupBlocks(node.children())];
    case 'problem': // told with the findings, above all resources
    case 'item':
      return [];
  }
}

/** Lines with a sign in front are a block of differences: in a list, Markdown takes a sign for a further bullet. */
function groupBlocks(nodes: readonly Node[]): readonly string[] {
  const signed = nodes.flatMap((node) =>
    node.node === 'line' && (node.tone === 'add' || node.tone === 'remove') ? [plainText(node.line)] : [],
  );
  return signed.length === 0 ? blocksOf(nodes) : [`\n${fenced('diff', diffLines(signed))}\n`];
}

function fieldOf({ path, old, new: next }: Values): FieldDocument {
  return { path, ...present({ old, new: next }) };
}

const mostNamed = 10;

function textOf(blocks: readonly string[]): string {
  return blocks.join('\n').replaceAll('\n\n\n', '\n\n').trim();
}

const longestBody = 20_000;

/** The body of a request; sensitive values are masked in it. */
function bodyOf({ title, body }: Body): string {
  const text = JSON.stringify(body, null, 2);
  if (text.length > longestBody) return `${title}: a body of ${text.length} characters`;
  return `${title}\n\n${fenced('json', text.split('\n').map(visible))}`;
}

/** Fields as a block of their differences. */
function diffOf(fields: readonly FieldDocument[]): string {
  return fenced('diff', diffLines(fields.flatMap(fieldDiff)));
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
function fieldDiff({ path, old, new: next, cause, risk }: FieldDocument): readonly string[] {
  const why = cause === undefined ? [] : [`# ${describeCause(cause)}`];
  const aside = risk === undefined || risk === 'none' ? '' : `  # ${risk}`;
  const [before, after] = [linesOf(old), linesOf(next)];
  if (before !== undefined && after !== undefined && `${before}${after}`.includes('\n')) {
    const lines = lineDiff(before, after).map(({ sign, text }) => (sign === '@' ? `@${text}` : `${sign}   ${text}`));
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

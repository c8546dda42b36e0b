import type { JsonValue } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { counted } from '../base/text/counted.ts';
import type { FieldDocument } from '../change/documents/planDocument.ts';
import { describeCause } from '../plan/model/cause.ts';
import { isHidden } from '../plan/model/change.ts';
import { linesOf, visible, visiblePart } from './invisibleCharacters.ts';
import { lineDiff } from './lineDiff.ts';
import { type Body, type Item, type Line, type Node, plainText, type Values } from './tree/tree.ts';

/** A line of a tree, with foreign text in code spans. */
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

/** The levels of a resource: nothing, one line, with its children, and with the bodies of its requests. */
export function itemLevels({ id, sign, aside, words, risk, children }: Item): Foldable {
  const nodes = children();
  const worst = risk === undefined || risk === 'none' ? undefined : risk;
  const said = [...(words.length === 0 ? [] : [': ', ...words]), ...aside];
  const mark = sign === ' ' ? '' : `\`${sign}\` `;
  const short = `- ${mark}${code(id)}${lineMarkdown(said)}${worst === undefined ? '' : ` **${worst}**`}`;
  const heading = `${mark === '' ? '' : `<code>${sign}</code> `}${htmlCode(id)}${htmlLine(said)}`;
  const summary = `${heading}${worst === undefined ? '' : ` <b>${worst}</b>`}`;
  const [most, all] = [nodes.filter(({ node }) => node !== 'body'), nodes].map((some) => textOf(blocksOf(some)));
  return compact([
    ...['', short],
    most === undefined || most === '' ? undefined : details(summary, most),
    all === undefined || all === most ? undefined : details(summary, all),
  ]);
}

/** For HTML, which does not interpret Markdown. */
function htmlLine(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('value' in piece) return htmlCode(shown(piece.value));
      return 'name' in piece ? htmlCode(piece.name) : piece.text;
    })
    .join('');
}

/** Per resource; a record may have been written a thousand times. */
const mostChildren = 25;

/** Lines in a list, and blocks between them. */
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
    case 'problem': // shown with the findings, above all resources
    case 'item':
      return [];
  }
}

/** Lines with a sign form a diff block: in a list, Markdown would interpret a sign as another bullet. */
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

/** The body of a request, with sensitive values masked. */
function bodyOf({ title, body }: Body): string {
  const text = JSON.stringify(body, null, 2);
  if (text.length > longestBody) return `${title}: a body of ${text.length} characters`;
  return `${title}\n\n${fenced('json', text.split('\n').map(visible))}`;
}

/** Fields as a diff block. */
function diffOf(fields: readonly FieldDocument[]): string {
  return fenced('diff', diffLines(fields.flatMap(fieldDiff)));
}

const mostLines = 100;
const longestLine = 300;

/** Limits the length and number of lines in a block. */
function diffLines(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, mostLines).map((line) => visiblePart(line, longestLine));
  const more = lines.length - mostLines;
  return more > 0 ? [...shown, `# and ${counted(more, 'more line')}`] : shown;
}

/** `- path: old` and `+ path: new`, or the differing lines of two texts. */
function fieldDiff({ path, old, new: next, cause, risk }: FieldDocument): readonly string[] {
  const why = cause === undefined ? undefined : `# ${describeCause(cause)}`;
  const aside = risk === undefined || risk === 'none' ? '' : `  # ${risk}`;
  const [before, after] = [linesOf(old), linesOf(next)];
  if (before !== undefined && after !== undefined && `${before}${after}`.includes('\n')) {
    const lines = lineDiff(before, after).map(({ sign, text }) => (sign === '@' ? `@${text}` : `${sign}   ${text}`));
    return compact([`! ${path}:${aside}`, ...lines, why]);
  }
  if (old !== undefined && next !== undefined && isHidden(next))
    return compact([`! ${path}: ${shown(next)}${aside}`, why]);
  return compact([
    old === undefined ? undefined : `- ${path}: ${shown(old)}`,
    next === undefined ? undefined : `+ ${path}: ${shown(next)}${aside}`,
    old === undefined && next === undefined ? `! ${path}` : undefined,
    why,
  ]);
}

function shown(value: JsonValue): string {
  if (!isHidden(value)) return JSON.stringify(value);
  return value.changed ? '(sensitive, changed)' : '(sensitive)';
}

/** One item at several lengths: from nothing (level 0, an empty text) to everything. */
export type Foldable = readonly string[];

/** A blank line between two items. */
const between = 2;

/**
 * The level of each item for a total number of characters. Important items come first and keep most: a third of the
 * room is for mentioning as many as possible, the rest for the details of the first ones.
 */
export function fold(items: readonly Foldable[], room: number): readonly number[] {
  const most = Math.max(0, ...items.map((levels) => levels.length - 1));
  if (items.reduce((sum, levels) => sum + roomOf(levels.at(-1)), 0) <= room) {
    return items.map((levels) => levels.length - 1);
  }
  const chosen = items.map(() => 0);
  let used = 0;
  const raise = (to: number, limit: number): void => {
    for (const [index, levels] of items.entries()) {
      const from = chosen[index] ?? 0;
      const more = roomOf(levels[to]) - roomOf(levels[from]);
      if (levels[to] === undefined || from >= to || used + more > limit) continue;
      chosen[index] = to;
      used += more;
    }
  };
  raise(1, Math.floor(room / 3));
  for (let level = 2; level <= most; level += 1) raise(level, room);
  raise(1, room);
  return chosen;
}

function roomOf(text = ''): number {
  return text === '' ? 0 : text.length + between;
}

/** For a text within a sentence. */
const longest = 400;

/**
 * Foreign text within a sentence. A code span disables all syntax in it: links, mentions, references, images, emphasis
 * and HTML.
 */
export function code(text: string, most = longest): string {
  const shown = visiblePart(text, most);
  if (shown.trim() === '') return '`(blank)`';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const padding = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** The same in HTML, which does not interpret Markdown. */
function htmlCode(text: string): string {
  return `<code>${visiblePart(text, longest).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)}</code>`;
}

/** Foreign lines, unchanged. */
function fenced(language: 'diff' | 'json', lines: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

/** `a`, `b` and 3 more. `each`: the maximum characters of each. */
export function codes(texts: readonly string[], most: number, each = longest): string {
  const more = texts.length - most;
  const shown = texts.slice(0, most).map((text) => code(text, each));
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** A folded block with a summary. `summary` is HTML, `body` Markdown. */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

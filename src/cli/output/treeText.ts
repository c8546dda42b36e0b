import { riskWords } from '../../change/words.ts';
import type {
  Fields,
  Group,
  Item,
  Line,
  Names,
  Node,
  Pairs,
  Problem,
  Section,
  Values,
} from '../../report/tree/tree.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import { renderToolError } from '../../terminal/errorText.ts';
import { makePalette, type Palette } from '../../terminal/palette.ts';
import { cutLine, printable, printableLines } from '../../terminal/printable.ts';
import { padText, textWidth, wrapText } from '../../terminal/textWidth.ts';
import { cutPair } from './cutPair.ts';
import { type FieldStyle, isListed, renderField, show } from './fieldText.ts';

export interface TreeStyle extends FieldStyle {
  /** Whether to show the bodies of PATCH requests. */
  readonly bodies?: boolean;
}

const indent = '      ';
const childIndent = '  ';
/** Paths are padded to the widest one up to this limit; on a narrow screen values keep some room. */
const widestPath = 56;
const roomForValues = 24;
const plain = makePalette(false);

/** A tree as text for a terminal: one block per child, and the summary last. */
export function renderTree({ title, summary, children }: Section, style: TreeStyle): string {
  const wrapped = (line: Line) => wrapText(lineText(line, style.palette), style.width, '', childIndent).join('\n');
  return [wrapped(title), renderBlocks(children(), style), wrapped(summary)].filter((text) => text !== '').join('\n\n');
}

export function renderBlocks(nodes: readonly Node[], style: TreeStyle): string {
  return joinBlocks(
    nodes.map((node) => renderNode(node, style)),
    style,
  );
}

/** A blank line between blocks. Lines stay whole if everything is to be shown. */
export function joinBlocks(blocks: readonly (readonly string[])[], { bodies, whole }: TreeStyle): string {
  const shown = bodies === true || whole === true ? (line: string) => line : cutLine;
  return blocks.map((lines) => lines.map(shown).join('\n')).join('\n\n');
}

export function renderNode(node: Node, style: TreeStyle): readonly string[] {
  const { palette, width } = style;
  switch (node.node) {
    case 'line': {
      if (node.where !== undefined) return [];
      if (node.tone === undefined) return wrapText(lineText(node.line, palette), width, '', childIndent);
      return wrapText(lineText(node.line, plain), width, '', childIndent).map(palette[node.tone]);
    }
    case 'names':
      return node.where === undefined ? renderNames(node, style) : [];
    case 'pairs':
      return renderPairs(node);
    case 'fields':
      return renderFields(node, style);
    case 'values':
      return renderValues(node, palette);
    case 'problem':
      return node.where === undefined ? renderProblem(node, style) : [];
    case 'body': {
      if (node.where !== undefined || style.bodies !== true) return [];
      const [first = '', ...rest] = JSON.stringify(node.body, null, 2).split('\n').map(printable);
      return [`${node.title} ${first}`, ...rest];
    }
    case 'group':
      return [
        ...wrapText(lineText(node.title, palette), width, '', childIndent),
        // The head of a resource or a field has its own margin.
        ...node
          .children()
          .flatMap((child) => renderIndented([child], child.node === 'item' ? '' : margin(node), style)),
      ];
    case 'item':
      return [...renderHead(node, style), ...renderBody(node, style)];
  }
}

/** `+ workload/shop/web (version 3)  downtime`; facts that do not fit next to the name are below it. */
export function renderHead({ id, sign, tone, aside, risk }: Item, { palette, width }: TreeStyle): readonly string[] {
  const name = printable(id);
  const head = `  ${palette[tone](sign)} ${palette.strong(name)}`;
  const worst = renderRisk(risk, palette);
  const facts = `${lineText(aside, palette)}${worst === undefined ? '' : `  ${worst}`}`;
  const columns = `  ${sign} ${lineText(aside, plain)}  ${risk ?? ''}`.length + textWidth(name);
  return facts === '' || columns <= width ? [`${head}${facts}`] : [head, `${indent}${facts.trimStart()}`];
}

/** The lines below the head. */
export function renderBody({ words, children }: Item, style: TreeStyle): readonly string[] {
  const wordsLine: readonly Node[] = words.length === 0 ? [] : [{ node: 'line', line: words }];
  return renderIndented([...wordsLine, ...children()], indent, style);
}

function renderIndented(nodes: readonly Node[], margin: string, style: TreeStyle): readonly string[] {
  const narrower = { ...style, width: style.width - margin.length };
  return nodes.flatMap((node) => renderNode(node, narrower)).map((text) => `${margin}${text}`);
}

function margin({ isDeep }: Group): string {
  return isDeep === true ? childIndent.repeat(2) : childIndent;
}

const widestWord = 'declared'.length;

function renderValues({ rows, old, new: next }: Values, palette: Palette): readonly string[] {
  const [before, after] = [old, next].map((value) => (value === undefined ? '' : show(value, { whole: true })));
  const shown = cutPair(before ?? '', after ?? '');
  const values = { old: shown.old, new: shown.next };
  return rows.map(({ word, is, line }) => {
    const value = is === undefined ? '' : values[is];
    return `${word.padEnd(widestWord)}  ${value}${lineText(line, palette)}`;
  });
}

function renderNames({ word, names, tone, after }: Names, { palette, width }: TreeStyle): readonly string[] {
  return names.flatMap(({ id }) =>
    wrapText(`${word} ${printable(id)}${after}`, width, '', childIndent).map(palette[tone]),
  );
}

const defaultColumns = 80;

/** If a row does not fit into the default width, each text has its own line. */
function renderPairs({ rows }: Pairs): readonly string[] {
  const shown = rows.map(({ id, text }) => ({ id: printable(id), text: printable(text) }));
  const widest = Math.max(0, ...shown.map(({ id }) => textWidth(id)));
  const isWide = shown.some(({ text }) => widest + textWidth(text) + '    '.length > defaultColumns);
  return shown.flatMap(({ id, text }) => (isWide ? [id, `    ${text}`] : [`${padText(id, widest)}  ${text}`]));
}

function renderFields({ fields }: Fields, style: TreeStyle): readonly string[] {
  const paths = fields.filter((field) => !isListed(field)).map(({ path }) => textWidth(printable(path)));
  const padding = Math.min(widestPath, style.width - roomForValues, Math.max(0, ...paths));
  return fields.flatMap((field) => renderField(field, padding, style));
}

/** `refused code: why`, and the hint below it. */
export function renderProblem(
  { word, id, code, message, hint }: Problem,
  { palette, width }: FieldStyle,
): readonly string[] {
  const heading = id === undefined ? [] : [palette.strong(printable(id))];
  if (word === 'error') return [...heading, ...renderToolError({ code, message, hint }, palette).split('\n')];
  const [first = '', ...rest] = printableLines(message);
  return [
    ...wrapText(`${palette.refuse(`${word} ${code}`)}: ${first}`, width, '', childIndent),
    ...rest.flatMap((line) => wrapText(line, width, childIndent)),
    ...(hint === undefined ? [] : wrapText(printable(hint), width, childIndent).map(palette.strong)),
  ];
}

/** The word in its colour; undefined without a risk. */
export function renderRisk(risk: Risk | undefined, palette: Palette): string | undefined {
  return risk === undefined || risk === 'none' ? undefined : palette[riskWords[risk].tone](risk);
}

/** A line in its colours; texts of others cannot move the cursor. */
export function lineText(line: Line, palette: Palette): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('value' in piece) return show(piece.value);
      const text = 'name' in piece ? printable(piece.name) : piece.text;
      return piece.tone === undefined ? text : palette[piece.tone](text);
    })
    .join('');
}

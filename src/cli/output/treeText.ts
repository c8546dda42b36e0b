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
import { printable, printableLines } from '../../terminal/printable.ts';
import { padText, textWidth, wrapText } from '../../terminal/textWidth.ts';
import { cutPair } from './cutPair.ts';
import { type FieldLook, isListed, renderField, show } from './fieldText.ts';

export interface TreeLook extends FieldLook {
  /** Whether to show the bodies of PATCH requests. */
  readonly bodies?: boolean;
}

const indent = '      ';
const deeper = '  ';
/** Paths are padded to the widest one up to this limit; on a narrow screen values keep some room. */
const widestPath = 56;
const roomForValues = 24;
const plain = makePalette(false);

/** A tree as text for a terminal: one block per child, and the summary last. */
export function renderTree({ title, summary, children }: Section, look: TreeLook): string {
  const told = (line: Line) => wrapText(lineText(line, look.palette), look.width, '', deeper).join('\n');
  return [told(title), renderBlocks(children(), look), told(summary)].filter((text) => text !== '').join('\n\n');
}

export function renderBlocks(nodes: readonly Node[], look: TreeLook): string {
  return nodes.map((node) => renderNode(node, look).join('\n')).join('\n\n');
}

export function renderNode(node: Node, look: TreeLook): readonly string[] {
  const { palette, width } = look;
  switch (node.node) {
    case 'line': {
      if (node.where !== undefined) return [];
      if (node.tone === undefined) return wrapText(lineText(node.line, palette), width, '', deeper);
      return wrapText(lineText(node.line, plain), width, '', deeper).map(palette[node.tone]);
    }
    case 'names':
      return node.where === undefined ? renderNames(node, look) : [];
    case 'pairs':
      return renderPairs(node);
    case 'fields':
      return renderFields(node, look);
    case 'values':
      return renderValues(node, palette);
    case 'problem':
      return node.where === undefined ? renderProblem(node, look) : [];
    case 'body': {
      if (node.where !== undefined || look.bodies !== true) return [];
      const [first = '', ...rest] = JSON.stringify(node.body, null, 2).split('\n').map(printable);
      return [`${node.title} ${first}`, ...rest];
    }
    case 'group':
      return [
        ...wrapText(lineText(node.title, palette), width, '', deeper),
        // The head of a resource or a field has its own margin.
        ...node.children().flatMap((child) => below([child], child.node === 'item' ? '' : margin(node), look)),
      ];
    case 'item':
      return [...renderHead(node, look), ...renderBody(node, look)];
  }
}

/** `+ workload/shop/web (version 3)  downtime`; facts that do not fit next to the name are below it. */
export function renderHead({ id, sign, tone, aside, risk }: Item, { palette, width }: TreeLook): readonly string[] {
  const name = printable(id);
  const head = `  ${palette[tone](sign)} ${palette.strong(name)}`;
  const worst = renderRisk(risk, palette);
  const facts = `${lineText(aside, palette)}${worst === undefined ? '' : `  ${worst}`}`;
  const columns = `  ${sign} ${lineText(aside, plain)}  ${risk ?? ''}`.length + textWidth(name);
  return facts === '' || columns <= width ? [`${head}${facts}`] : [head, `${indent}${facts.trimStart()}`];
}

/** The lines below the head. */
export function renderBody({ words, children }: Item, look: TreeLook): readonly string[] {
  const said: readonly Node[] = words.length === 0 ? [] : [{ node: 'line', line: words }];
  return below([...said, ...children()], indent, look);
}

function below(nodes: readonly Node[], margin: string, look: TreeLook): readonly string[] {
  const narrower = { ...look, width: look.width - margin.length };
  return nodes.flatMap((node) => renderNode(node, narrower)).map((text) => `${margin}${text}`);
}

function margin({ isDeep }: Group): string {
  return isDeep === true ? deeper.repeat(2) : deeper;
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

function renderNames({ word, names, tone, after }: Names, { palette, width }: TreeLook): readonly string[] {
  return names.flatMap(({ id }) => wrapText(`${word} ${printable(id)}${after}`, width, '', deeper).map(palette[tone]));
}

const usualColumns = 80;

/** If a row does not fit into the default width, each text has its own line. */
function renderPairs({ rows }: Pairs): readonly string[] {
  const shown = rows.map(({ id, text }) => ({ id: printable(id), text: printable(text) }));
  const widest = Math.max(0, ...shown.map(({ id }) => textWidth(id)));
  const isWide = shown.some(({ text }) => widest + textWidth(text) + '    '.length > usualColumns);
  return shown.flatMap(({ id, text }) => (isWide ? [id, `    ${text}`] : [`${padText(id, widest)}  ${text}`]));
}

function renderFields({ fields }: Fields, look: TreeLook): readonly string[] {
  const paths = fields.filter((field) => !isListed(field)).map(({ path }) => textWidth(printable(path)));
  const padding = Math.min(widestPath, look.width - roomForValues, Math.max(0, ...paths));
  return fields.flatMap((field) => renderField(field, padding, look));
}

/** `refused code: why`, and the hint below it. */
export function renderProblem(
  { word, id, code, message, hint }: Problem,
  { palette, width }: FieldLook,
): readonly string[] {
  const named = id === undefined ? [] : [palette.strong(printable(id))];
  if (word === 'error') return [...named, ...renderToolError({ code, message, hint }, palette).split('\n')];
  const [first = '', ...rest] = printableLines(message);
  return [
    ...wrapText(`${palette.refuse(`${word} ${code}`)}: ${first}`, width, '', deeper),
    ...rest.flatMap((line) => wrapText(line, width, deeper)),
    ...(hint === undefined ? [] : wrapText(printable(hint), width, deeper).map(palette.strong)),
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

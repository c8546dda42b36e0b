import type { Line, Node, Section } from '../../report/tree/tree.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { textWidth } from '../../terminal/textWidth.ts';
import { type FieldLook, renderField } from './fieldText.ts';

const indent = '      ';
const deeper = '  ';
const widestPath = 56;

/** A tree for people at a terminal: a block for each child, and last what it comes to. */
export function renderTree({ title, summary, children }: Section, look: FieldLook): string {
  const { palette } = look;
  const blocks = [
    [lineText(title, palette)],
    ...children().map((child) => renderNode(child, look)),
    [lineText(summary, palette)],
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function renderNode(node: Node, look: FieldLook): readonly string[] {
  const { palette } = look;
  switch (node.node) {
    case 'line': {
      const text = lineText(node.line, palette);
      return [node.tone === undefined ? text : palette[node.tone](text)];
    }
    case 'fields': {
      const widest = Math.min(widestPath, Math.max(0, ...node.fields.map(({ path }) => textWidth(path))));
      return node.fields.flatMap((field) => renderField(field, widest, look));
    }
    case 'group':
      return [lineText(node.title, palette), ...below(node.children(), deeper, look)];
    case 'item':
      return [
        `  ${palette[node.tone](node.sign)} ${palette.strong(printable(node.id))}${lineText(node.aside, palette)}`,
        `${indent}${lineText(node.words, palette)}`,
        ...below(node.children(), indent, look),
      ];
  }
}

function below(nodes: readonly Node[], margin: string, look: FieldLook): readonly string[] {
  return nodes.flatMap((node) => renderNode(node, look)).map((text) => `${margin}${text}`);
}

/** A line in its colours; what others wrote cannot move the cursor. */
export function lineText(line: Line, palette: Palette): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const text = 'name' in piece ? printable(piece.name) : piece.text;
      return piece.tone === undefined ? text : palette[piece.tone](text);
    })
    .join('');
}

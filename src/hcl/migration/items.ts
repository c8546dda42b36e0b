import { childOf, innermost, type Syntax, textOf } from './syntax.ts';

/** An attribute, a block, or the blocks that `dynamic` generates. */
export interface Item {
  readonly is: 'attribute' | 'block' | 'dynamic';
  readonly node: Syntax;
  readonly name: string;
  /** The place of its name; for `dynamic` inside of the quotes. */
  readonly nameAt: Syntax;
  /** Only for an attribute. */
  readonly value: Syntax | undefined;
  /** The body of a block, or of the `content` of `dynamic`. */
  readonly body: Body | undefined;
  /** Including its comments: whole lines, unless it shares them with the braces around it. */
  readonly start: number;
  readonly end: number;
}

/** The inside of a block. */
export interface Body {
  readonly node: Syntax | undefined;
  /** After the opening brace, and before the closing one. */
  readonly open: number;
  readonly close: number;
}

/** A block with its labels. */
export interface TopBlock {
  readonly node: Syntax;
  readonly type: string;
  readonly labels: readonly { readonly text: string; readonly node: Syntax }[];
  readonly body: Body;
}

export function bodyOf(block: Syntax): Body {
  return {
    node: childOf(block, 'body'),
    open: childOf(block, 'block_start')?.end ?? block.end,
    close: childOf(block, 'block_end')?.start ?? block.end,
  };
}

export function topBlocks(root: Syntax, text: string): readonly TopBlock[] {
  return blocksIn(childOf(root, 'body'), text);
}

export function blocksIn(body: Syntax | undefined, text: string): readonly TopBlock[] {
  return (body?.children ?? []).filter(({ type }) => type === 'block').map((node) => blockOf(node, text));
}

function blockOf(node: Syntax, text: string): TopBlock {
  const [head, ...labels] = node.children.filter(({ type }) => type === 'identifier' || type === 'string_lit');
  return {
    node,
    type: head === undefined ? '' : textOf(head, text),
    labels: labels.map((label) => {
      const inside = childOf(label, 'template_literal') ?? label;
      return { text: textOf(inside, text), node: inside };
    }),
    body: bodyOf(node),
  };
}

export function itemsOf({ node, open, close }: Body, text: string): readonly Item[] {
  const items: Item[] = [];
  let from = open;
  for (const child of node?.children ?? []) {
    const item = itemOf(child, text);
    if (item === undefined) continue;
    const [start, end] = linesOf(child, text, from, close);
    items.push({ ...item, start, end });
    from = end;
  }
  return items;
}

function itemOf(node: Syntax, text: string): Omit<Item, 'start' | 'end'> | undefined {
  if (node.type === 'attribute') {
    const [nameAt, value] = node.children;
    return nameAt === undefined
      ? undefined
      : { is: 'attribute', node, name: textOf(nameAt, text), nameAt, value, body: undefined };
  }
  if (node.type !== 'block') return undefined;
  const { type, labels, body } = blockOf(node, text);
  const [nameAt] = node.children;
  if (nameAt === undefined) return undefined;
  const [label] = labels;
  if (type !== 'dynamic' || label === undefined)
    return { is: 'block', node, name: type, nameAt, value: undefined, body };
  const content = body.node?.children.find(
    (child) => child.type === 'block' && blockOf(child, text).type === 'content',
  );
  return {
    is: 'dynamic',
    node,
    name: label.text,
    nameAt: label.node,
    value: undefined,
    body: content === undefined ? undefined : bodyOf(content),
  };
}

/** The length of the line above, if it contains only a comment. */
function commentAbove(text: string, from: number, lineStart: number): number {
  const above = text.lastIndexOf('\n', lineStart - 2) + 1;
  return above >= from && above < lineStart && /^[ \t]*(?:#|\/\/)/.test(text.slice(above, lineStart))
    ? lineStart - above
    : 0;
}

/** The whole lines of a node with the comments directly above and after it; only the node if it shares a line. */
function linesOf({ start, end }: Syntax, text: string, from: number, to: number): readonly [number, number] {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const behind = /^[ \t]*(?:(?:#|\/\/)[^\n]*)?(?:\n|$)/.exec(text.slice(end, to));
  if (lineStart < from || behind === null || text.slice(lineStart, start).trim() !== '') return [start, end];
  let first = lineStart;
  for (let above = commentAbove(text, from, first); above > 0; above = commentAbove(text, from, first)) first -= above;
  return [first, end + behind[0].length];
}

/** The start of the empty lines directly above; the offset itself if there are none, or if no line begins there. */
export function emptyAbove(text: string, offset: number): number {
  let first = offset;
  for (;;) {
    const above = text.lastIndexOf('\n', first - 2) + 1;
    if (above === 0 || above >= first || !/^[ \t]*\n$/.test(text.slice(above, first))) return first;
    first = above;
  }
}

/** The blanks at the beginning of the line. */
export function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

/** The members of a literal object, with the comments between them; undefined if a key is an expression. */
export function membersOf(value: Syntax, text: string): readonly (Member | Syntax)[] | undefined {
  const object = innermost(value);
  if (object.type !== 'object') return undefined;
  const members: (Member | Syntax)[] = [];
  for (const node of object.children) {
    if (node.type === 'comment') members.push(node);
    if (node.type !== 'object_elem') continue;
    const [key, inside] = node.children;
    const name = key === undefined ? undefined : /^"?([\w-]+)"?$/.exec(textOf(key, text))?.[1];
    if (name === undefined || inside === undefined) return undefined;
    members.push({ name, value: inside, node });
  }
  return members;
}

export interface Member {
  readonly name: string;
  readonly value: Syntax;
  readonly node: Syntax;
}

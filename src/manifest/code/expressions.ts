import type { Token } from './tokens.ts';

/** A program, as far as the fields of a literal have to be found in it. */
export interface Code {
  readonly tokens: readonly Token[];
  /** The index of the bracket that closes the one at an index. */
  readonly closing: ReadonlyMap<number, number>;
}

/** Tokens from `from` up to, and without, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A member of an object literal. */
export interface Member {
  readonly key: string;
  /** The token of its name. */
  readonly at: number;
  readonly value: Range;
}

/** The text between two commas of an object literal: a member, or a value that is spread into it. */
export type Part = Member | { readonly spread: Range };

const closes: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** After a literal these begin what says its type only. */
const typing: ReadonlySet<string> = new Set(['as', 'satisfies']);

export function codeOf(tokens: readonly Token[]): Code {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { type, text }] of tokens.entries()) {
    if (type !== 'sign') continue;
    if (text in closes) open.push(index);
    else if (text === ')' || text === ']' || text === '}') {
      const from = open.pop();
      if (from !== undefined) closing.set(from, index);
    }
  }
  return { tokens, closing };
}

/** The arguments of the call that begins at a token. */
export function argumentsOf(code: Code, call: number): readonly Range[] {
  for (let index = call; index < call + 60; index += 1) {
    const token = code.tokens[index];
    if (token?.type !== 'sign') continue;
    if (token.text === '(') return itemsOf(code, index);
    if (token.text === ';' || token.text === '{') break;
  }
  return [];
}

/** The parts of the object literal that a range is, behind a name too, in order; undefined for anything else. */
export function objectIn(code: Code, range: Range): readonly Part[] | undefined {
  const open = literalAt(code, range, '{');
  if (open === undefined) return undefined;
  return itemsOf(code, open).flatMap(({ from, to }): readonly Part[] => {
    const [first, second] = [code.tokens[from], code.tokens[from + 1]];
    if (first?.type === 'sign' && first.text === '...') return [{ spread: { from: from + 1, to } }];
    if (first?.type !== 'name' && first?.type !== 'string') return [];
    const isShort = to === from + 1;
    if (!isShort && second?.text !== ':') return []; // a method
    return [{ key: first.text, at: from, value: { from: isShort ? from : from + 2, to } }];
  });
}

/** The items of the list literal that a range is, up to the first one that is spread into it. */
export function listIn(code: Code, range: Range): readonly Range[] | undefined {
  const open = literalAt(code, range, '[');
  if (open === undefined) return undefined;
  const items = itemsOf(code, open);
  const spread = items.findIndex(({ from }) => code.tokens[from]?.text === '...');
  return spread === -1 ? items : items.slice(0, spread);
}

/** Whether a range is an object or a list, written out here. */
export function isLiteral({ tokens }: Code, { from }: Range): boolean {
  const token = tokens[from];
  return token?.type === 'sign' && (token.text === '{' || token.text === '[');
}

/** The token of the bracket that a literal begins with: of the range itself, or of the constant that it names. */
function literalAt(code: Code, range: Range, bracket: '{' | '['): number | undefined {
  const { tokens, closing } = code;
  let { from, to } = range;
  for (let hops = 0; hops < 8; hops += 1) {
    const token = tokens[from];
    if (token?.type === 'sign') {
      const end = closing.get(from);
      if (end === undefined) return undefined;
      const after = end + 1 < to ? tokens[end + 1] : undefined;
      if (after !== undefined && !typing.has(after.text)) return undefined;
      if (token.text === bracket) return from;
      if (token.text !== '(') return undefined;
      [from, to] = [from + 1, end];
      continue;
    }
    const isName = token?.type === 'name' && (from + 1 === to || typing.has(tokens[from + 1]?.text ?? ''));
    const value = isName ? constantOf(code, token.text) : undefined;
    if (value === undefined) return undefined;
    ({ from, to } = value);
  }
  return undefined;
}

/** The initial value of a constant, where the program has one of this name only. */
function constantOf({ tokens, closing }: Code, name: string): Range | undefined {
  let found: Range | undefined;
  for (let index = 1; index < tokens.length; index += 1) {
    if (tokens[index]?.text !== name || tokens[index - 1]?.text !== 'const') continue;
    if (found !== undefined) return undefined;
    let from = index;
    while (from < tokens.length && tokens[from]?.text !== '=' && tokens[from]?.text !== ';') {
      from = (closing.get(from) ?? from) + 1;
    }
    if (tokens[from]?.text !== '=') return undefined;
    from += 1;
    const end = closing.get(from);
    if (end === undefined) return undefined; // it is no literal
    found = { from, to: end + 1 };
  }
  return found;
}

/** The texts between the commas of a bracket. */
function itemsOf({ tokens, closing }: Code, open: number): readonly Range[] {
  const end = closing.get(open) ?? open;
  const items: Range[] = [];
  let from = open + 1;
  for (let index = from; index <= end; index = (closing.get(index) ?? index) + 1) {
    if (index !== end && !(tokens[index]?.type === 'sign' && tokens[index]?.text === ',')) continue;
    if (index > from) items.push({ from, to: index });
    from = index + 1;
  }
  return items;
}

import type { FieldDocument } from '../../change/documents/planDocument.ts';
import type { Tone } from '../../change/words.ts';

/**
 * A document as a tree, which the terminal, Markdown and the page print. Children are made when a printer asks for
 * them: of a thousand changes a page shows thirty.
 */
export interface Section {
  readonly title: Line;
  /** What it comes to: a terminal prints it last, next to the prompt, the other forms first. */
  readonly summary: Line;
  readonly children: () => readonly Node[];
}

export type Node = LineNode | Fields | Group | Item;

/** A sentence. */
export interface LineNode {
  readonly node: 'line';
  readonly line: Line;
  readonly tone?: Tone | undefined;
}

/** Fields with their values before and after. */
export interface Fields {
  readonly node: 'fields';
  readonly fields: readonly FieldDocument[];
}

/** What stands below a line of its own. */
export interface Group {
  readonly node: 'group';
  readonly title: Line;
  readonly children: () => readonly Node[];
}

/** One resource. */
export interface Item {
  readonly node: 'item';
  readonly id: string;
  readonly sign: string;
  readonly tone: Tone;
  /** Behind the name. */
  readonly aside: Line;
  /** Said of it in one line. */
  readonly words: Line;
  /** What it is counted as where there is no room for it: `3 touched`. */
  readonly as: string;
  /** What weighs more is told more fully. */
  readonly weight: number;
  readonly children: () => readonly Node[];
}

/** Text of ours, or with a name: text from elsewhere, which each form makes harmless in its own way. */
export type Line = readonly Piece[];
export type Piece = string | { readonly text: string; readonly tone: Emphasis } | Name;
interface Name {
  readonly name: string;
  readonly tone?: Emphasis;
}
type Emphasis = Tone | 'strong';

export function line(...pieces: Line): LineNode {
  return { node: 'line', line: pieces };
}

export function faintLine(...pieces: Line): LineNode {
  return { node: 'line', line: pieces, tone: 'faint' };
}

/** Nothing where there are no fields. */
export function fieldsNode(fields: readonly FieldDocument[]): readonly Node[] {
  return fields.length === 0 ? [] : [{ node: 'fields', fields }];
}

export function strong(text: string): Piece {
  return { text, tone: 'strong' };
}

/** `Stack shop in org acme`. */
export function stackTitle(stack: string, org: string): Line {
  return [strong('Stack'), ' ', { name: stack }, { text: ' in org ', tone: 'faint' }, { name: org, tone: 'faint' }];
}

/** With all children made: what a page holds as JSON. */
export type Grown = LineNode | Fields | GrownOf<Group> | GrownOf<Item>;
export type GrownSection = GrownOf<Section>;
type GrownOf<T> = { readonly [K in keyof T]: K extends 'children' ? readonly Grown[] : T[K] };

export function grown<T extends { readonly children: () => readonly Node[] }>(node: T): GrownOf<T>;
export function grown({ children, ...others }: Group): object {
  return { ...others, children: grownNodes(children()) };
}

export function grownNodes(nodes: readonly Node[]): readonly Grown[] {
  return nodes.map((node) => ('children' in node ? grown(node) : node));
}

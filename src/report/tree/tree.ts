import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import type { FieldDocument } from '../../change/documents/planDocument.ts';
import type { Proof } from '../../change/explanation.ts';
import type { Tone } from '../../change/words.ts';
import { isHidden, type Refusal } from '../../plan/model/change.ts';
import { permitHint } from '../../plan/model/refusal.ts';
import type { Risk } from '../../schema/facts/risk.ts';

/**
 * A document as a tree, which the terminal, Markdown and the page print. Children are made on demand: of a thousand
 * changes a page shows thirty.
 */
export interface Section {
  readonly title: Line;
  /** The summary: a terminal prints it last, next to the prompt, the other forms first. */
  readonly summary: Line;
  readonly children: () => readonly Node[];
}

export type Node = LineNode | Names | Pairs | Fields | Values | Problem | Body | Group | Item;

/** Where a node is shown: a terminal shows only the essentials, Markdown more, a page everything. */
type Where = 'reports' | 'page';

/** A sentence. */
export interface LineNode {
  readonly node: 'line';
  readonly where?: Where | undefined;
  readonly line: Line;
  readonly tone?: Tone | undefined;
}

/** Fields with their values before and after. */
export interface Fields {
  readonly node: 'fields';
  readonly fields: readonly FieldDocument[];
}

/** One field with the sources of its values: `declared  100m  web.yaml:9:7`, and below it `live      200m`. */
export interface Values {
  readonly node: 'values';
  readonly path: string;
  readonly old: JsonValue | undefined;
  readonly new: JsonValue | undefined;
  readonly rows: readonly {
    readonly word: string;
    /** Which of the two values precedes the line. */
    readonly is?: 'old' | 'new';
    readonly line: Line;
  }[];
}

/** Resources with something in common, such as `also deletes gvc/a`. */
export interface Names {
  readonly node: 'names';
  readonly where?: Where | undefined;
  readonly word: string;
  readonly tone: Tone;
  readonly names: readonly { readonly id: string; readonly because?: string | undefined }[];
  /** Text after them. */
  readonly after: string;
}

/** Resources with a text each, in two columns. */
export interface Pairs {
  readonly node: 'pairs';
  readonly rows: readonly { readonly id: string; readonly text: string }[];
}

/** Why something is refused, or was not done. */
export interface Problem {
  readonly node: 'problem';
  readonly where?: Where | undefined;
  readonly word: 'refused' | 'failed' | 'skipped' | 'error';
  /** The resource, unless the problem is shown below it. */
  readonly id?: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The body of a request, which a terminal shows only with an option. */
export interface Body {
  readonly node: 'body';
  readonly where?: Where | undefined;
  readonly title: string;
  readonly body: JsonObject;
}

/** Nodes below a title line. */
export interface Group {
  readonly node: 'group';
  readonly title: Line;
  /** Indented twice, if it is among lines of its depth. */
  readonly isDeep?: boolean;
  readonly children: () => readonly Node[];
}

/** One resource. */
export interface Item {
  readonly node: 'item';
  readonly id: string;
  readonly sign: string;
  readonly tone: Tone;
  /** Text after the name. */
  readonly aside: Line;
  /** A one-line description; may be empty. */
  readonly words: Line;
  readonly risk?: Risk | undefined;
  /** The words used to count it if there is no room for it, such as `3 touched`. */
  readonly as: string;
  /** Heavier sections get more detail. */
  readonly weight: number;
  readonly children: () => readonly Node[];
}

/** A text of ours, or one from elsewhere as a `Name`, which each form escapes in its own way. */
export type Line = readonly Piece[];
export type Piece = string | { readonly text: string; readonly tone: Emphasis } | Name | { readonly value: JsonValue };
interface Name {
  readonly name: string;
  readonly tone?: Emphasis;
}
type Emphasis = Tone | 'strong';

/** The text of a line, without tones. */
export function plainText(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('name' in piece) return piece.name;
      return 'text' in piece ? piece.text : isHidden(piece.value) ? '(sensitive)' : JSON.stringify(piece.value);
    })
    .join('');
}

export function line(...pieces: Line): LineNode {
  return { node: 'line', line: pieces };
}

export function faintLine(...pieces: Line): LineNode {
  return { node: 'line', line: pieces, tone: 'faint' };
}

export function names(word: string, ids: readonly string[], more: Partial<Names> = {}): Names | undefined {
  if (ids.length === 0) return undefined;
  return { node: 'names', word, tone: 'faint', names: ids.map((id) => ({ id })), after: '', ...more };
}

export function refusalNode(refusal: Refusal): Problem {
  const { code, message } = refusal;
  return { node: 'problem', word: 'refused', code, message, hint: permitHint(refusal) };
}

/** The proven effect of a PATCH. */
export function proofLine({ holds, managed, untouched, against }: Proof): LineNode {
  const proven: Line = holds
    ? [`proven: ${counted(managed, 'managed field')} as declared, ${counted(untouched, 'other')} unchanged`]
    : [strong('not proven'), ': it would change ', { name: firstOf(against, mostNamed) }, ' too'];
  return { node: 'line', where: 'reports', line: proven };
}

const mostNamed = 10;

/** Undefined if there are no fields. */
export function fieldsNode(fields: readonly FieldDocument[]): Fields | undefined {
  return fields.length === 0 ? undefined : { node: 'fields', fields };
}

export function strong(text: string): Piece {
  return { text, tone: 'strong' };
}

/** Such as `Stack shop in org acme`. */
export function stackTitle(stack: string, org: string): Line {
  return [strong('Stack'), ' ', { name: stack }, { text: ' in org ', tone: 'faint' }, { name: org, tone: 'faint' }];
}

/** With all children made, as JSON for a page. */
export type Grown = LineNode | Names | Pairs | Fields | Values | Problem | Body | GrownOf<Group> | GrownOf<Item>;
export type GrownSection = GrownOf<Section>;
type GrownOf<T> = { readonly [K in keyof T]: K extends 'children' ? readonly Grown[] : T[K] };

export function grown<T extends { readonly children: () => readonly Node[] }>(node: T): GrownOf<T>;
export function grown({ children, ...others }: Group): object {
  return { ...others, children: grownNodes(children()) };
}

export function grownNodes(nodes: readonly Node[]): readonly Grown[] {
  return nodes.map((node) => ('children' in node ? grown(node) : node));
}

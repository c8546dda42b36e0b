import { isMap } from '../attribute.ts';
import { type Counterpart, type Counterparts, destinationOf } from './counterparts.ts';
import { childOf, everyNode, type Step, type Syntax, textOf } from './syntax.ts';

/** Adds a note on a place that is left unchanged. */
export type Note = (at: Pick<Syntax, 'start' | 'end'>, message: string) => void;

/** A place with attributes in a resource: in the other provider's, and in ours. */
export interface Place {
  readonly old: readonly string[];
  readonly path: readonly string[];
  /** True if it exists once. */
  readonly isSingle: boolean;
}

const wholeResource: Place = { old: [], path: [], isSingle: false };

interface Renaming {
  readonly edits: Edits;
  readonly note: Note;
  /** The start of the steps; the resource itself if omitted. */
  readonly from?: Place;
  /** The first step has no preceding dot. */
  readonly isFirst?: boolean;
}

/** Renames the attributes along the steps of a resource. Returns their end, if it has attributes but reads none. */
export function renameSteps(
  steps: readonly Step[],
  counterpart: Counterpart,
  { edits, note, from = wholeResource, isFirst = false }: Renaming,
): Place | undefined {
  let { old, path, isSingle } = from;
  for (const [at, step] of steps.entries()) {
    if (step.is !== 'name') {
      // A former list of one is the block itself.
      if (!isSingle) continue;
      if (step.is === 'index' && step.name === '[0]') edits.replace(step.start, step.end, '');
      else note(step, `${path.join('.')} is one block, not a list: write the reference without ${step.name}`);
      continue;
    }
    old = [...old, step.name];
    const found = destinationOf(counterpart, old);
    const isBelow = found !== null && found !== undefined && path.every((each, at) => found.path[at] === each);
    if (!isBelow) {
      note(step, `${old.join('.')} has no counterpart in ${counterpart.type}`);
      return undefined;
    }
    const inside = found.path.slice(path.length).join('.');
    edits.replace(step.start, step.end, isFirst && path.length === 0 ? inside : `.${inside}`);
    path = found.path;
    const next = steps[at + 1];
    const isOfMap = isMap(found.attribute) || ('attributes' in found.attribute && found.attribute.nesting === 'map');
    if (isOfMap && (next?.is === 'splat' || (next?.is === 'index' && /^\[\d+\]$/.test(next.name)))) {
      note(next, `${path.join('.')} is a map, not a list: write the reference with a key, not with ${next.name}`);
      return undefined;
    }
    if (!('attributes' in found.attribute)) return undefined; // the remaining steps are in its value
    isSingle = found.attribute.nesting === 'single';
  }
  return { old, path, isSingle };
}

/** A `for` expression. */
interface Loop {
  readonly node: Syntax;
  readonly collection: Syntax;
  /** Its name for an item. */
  readonly item: string;
}

export function* loopsIn(root: Syntax, text: string): Generator<Loop> {
  for (const node of everyNode(root)) {
    const intro = childOf(node, 'for_intro');
    const collection = childOf(intro, 'expression');
    const item = intro?.children.findLast(({ type }) => type === 'identifier');
    if (collection !== undefined && item !== undefined) yield { node, collection, item: textOf(item, text) };
  }
}

/** One resource that is being rewritten. */
export interface Rewriting {
  readonly text: string;
  readonly edits: Edits;
  readonly note: Note;
  readonly counterpart: Counterpart;
  /** The counterparts of referenced types. */
  readonly counterparts: Counterparts;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replacements in one text, by its own offsets; everything else is unchanged. */
export class Edits {
  readonly #text: string;
  /** By their start; those at the same place in the order of their creation. */
  readonly #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, text: string): void {
    if (this.#text.slice(start, end) !== text) this.#edits.splice(this.#before(start + 1), 0, { start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** Removes a part of the text with its replacements, and returns the result, which the caller inserts elsewhere. */
  take(start: number, end: number): string {
    const first = this.#before(start);
    const near = this.#edits.splice(first, this.#before(end + 1) - first);
    const inside = near.filter((edit) => edit.end <= end);
    this.#edits.splice(first, 0, ...near.filter((edit) => edit.end > end));
    // An insertion comes before a replacement at the same place.
    inside.sort((a, b) => a.start - b.start || a.end - b.end);
    let [result, from] = ['', start];
    for (const edit of inside) {
      result += this.#text.slice(from, edit.start) + edit.text;
      from = edit.end;
    }
    return result + this.#text.slice(from, end);
  }

  whole(): string {
    return this.take(0, this.#text.length);
  }

  /** The number of edits that begin before an offset. A file has ten thousand of them. */
  #before(offset: number): number {
    let [low, high] = [0, this.#edits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

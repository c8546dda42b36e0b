import { isMap } from '../attribute.ts';
import { type Counterpart, destinationOf } from './counterparts.ts';
import type { Edits } from './edits.ts';
import { childOf, everyNode, type Step, type Syntax, textOf } from './syntax.ts';

/** Adds a note on a place that is left as it is. */
export type Note = (at: Pick<Syntax, 'start' | 'end'>, message: string) => void;

/** A place in a resource that has attributes: in the other provider's, and in ours. */
export interface Place {
  readonly old: readonly string[];
  readonly path: readonly string[];
  /** It is there once. */
  readonly isSingle: boolean;
}

const wholeResource: Place = { old: [], path: [], isSingle: false };

interface Renaming {
  readonly edits: Edits;
  readonly note: Note;
  /** Where the way begins: the resource itself, when omitted. */
  readonly from?: Place;
  /** The first step has no dot in front of it. */
  readonly isFirst?: boolean;
}

/** Renames the attributes on a way through a resource. Returns where it ends, if there are attributes of which none is read. */
export function renameSteps(
  steps: readonly Step[],
  counterpart: Counterpart,
  { edits, note, from = wholeResource, isFirst = false }: Renaming,
): Place | undefined {
  let { old, path, isSingle } = from;
  for (const [at, step] of steps.entries()) {
    if (step.is !== 'name') {
      // What was a list of one is the block itself.
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
    if (!('attributes' in found.attribute)) return undefined; // the rest leads into its value
    isSingle = found.attribute.nesting === 'single';
  }
  return { old, path, isSingle };
}

/** A `for` expression. */
interface Loop {
  readonly node: Syntax;
  readonly collection: Syntax;
  /** Its name for an item of it. */
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

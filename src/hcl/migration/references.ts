import { type Counterpart, destinationOf } from './counterparts.ts';
import type { Edits } from './edits.ts';
import type { Step } from './syntax.ts';

/** What is said of a place that is left as it is. */
export type Note = (offset: number, message: string) => void;

/** Renames the attributes on a way through a resource. `isFirst`: the first one has no dot in front of it. */
export function renameSteps(
  steps: readonly Step[],
  counterpart: Counterpart,
  { edits, note }: { readonly edits: Edits; readonly note: Note },
  isFirst = false,
): void {
  let old: readonly string[] = [];
  let path: readonly string[] = [];
  let isSingle = false;
  for (const step of steps) {
    if (step.is !== 'name') {
      // What was a list of one is the block itself.
      if (!isSingle) continue;
      if (step.is === 'index' && step.name === '[0]') edits.replace(step.start, step.end, '');
      else note(step.start, `${path.join('.')} is one block, not a list: write the reference without ${step.name}`);
      continue;
    }
    old = [...old, step.name];
    const found = destinationOf(counterpart, old);
    const isBelow = found !== null && found !== undefined && path.every((each, at) => found.path[at] === each);
    if (!isBelow) {
      note(step.start, `${old.join('.')} has no counterpart in ${counterpart.type}`);
      return;
    }
    const inside = found.path.slice(path.length).join('.');
    edits.replace(step.start, step.end, isFirst && path.length === 0 ? inside : `.${inside}`);
    path = found.path;
    if (!('attributes' in found.attribute)) return; // the rest leads into its value
    isSingle = found.attribute.nesting === 'single';
  }
}

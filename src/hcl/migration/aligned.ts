import { Edits } from './edits.ts';
import { everyNode, type Syntax, textOf } from './syntax.ts';

interface Assignment {
  readonly name: Syntax;
  readonly value: Syntax;
}

/** The text with `=` in one column where assignments follow each other line by line, as `terraform fmt` has them. */
export function aligned(text: string, root: Syntax): string {
  const edits = new Edits(text);
  for (const node of everyNode(root)) {
    let run: Assignment[] = [];
    const endRun = (): void => {
      const width = Math.max(...run.map(({ name }) => name.end - name.start));
      for (const each of run) pad(edits, text, each, width);
      run = [];
    };
    for (const each of node.children) {
      if (each.type === 'comment') continue; // on a line of its own it ends the run, as an empty line does
      const found = assignmentIn(each, text);
      const last = run.at(-1);
      const isNext = last !== undefined && /^[^\n]*\n[ \t]*$/.test(text.slice(last.value.end, found?.name.start ?? 0));
      if (run.length > 0 && !isNext) endRun();
      if (found === undefined) continue;
      if (!textOf(found.value, text).includes('\n')) run.push(found);
      else {
        if (run.length > 0) endRun();
        pad(edits, text, found, found.name.end - found.name.start);
      }
    }
    if (run.length > 0) endRun();
  }
  return edits.whole();
}

function assignmentIn({ type, children }: Syntax, text: string): Assignment | undefined {
  const [name, value] = children;
  const isOne = (type === 'attribute' || type === 'object_elem') && name !== undefined && value !== undefined;
  return isOne && /^[ \t]*=[ \t]*$/.test(text.slice(name.end, value.start)) ? { name, value } : undefined;
}

function pad(edits: Edits, text: string, { name, value }: Assignment, width: number): void {
  const between = `${' '.repeat(width - (name.end - name.start))} = `;
  if (text.slice(name.end, value.start) !== between) edits.replace(name.end, value.start, between);
}

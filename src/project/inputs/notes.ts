import { firstOf } from '../../base/text/firstOf.ts';
import type { LeftOut, MissedManifests } from './missedManifests.ts';

/** Limit of paths in one note. */
export const mostNames = 5;

/** One line per reason about omitted files that contain manifests. `show`: formats a path. */
export function missedNotes(
  missed: readonly MissedManifests[],
  show: (path: string) => string,
  below: (path: string) => string,
): readonly string[] {
  return missed.map(({ because, manifests, entries }) => {
    const isOne = manifests.length === 1;
    const patterns = firstOf(
      entries.map(({ path, isFolder }) => `${below(path)}${isFolder ? '/' : ''}`),
      mostNames,
    );
    const reason = reasonOf(because, patterns, isOne);
    return `note: ${firstOf(manifests.map(show), mostNames)} ${isOne ? 'is' : 'are'} not read: ${reason}`;
  });
}

function reasonOf(because: LeftOut['because'], patterns: string, isOne: boolean): string {
  const again = `; to read ${isOne ? 'it' : 'them'}, write !PATH into .gantryignore`;
  switch (because) {
    case '.gitignore':
      return `.gitignore names ${patterns}${again}`;
    case '.gantryignore':
      return `.gantryignore names ${patterns}`;
    case 'name':
      return `folders called dist and names that begin with a dot are skipped (${patterns})${again}`;
    case 'suffix':
      return `${isOne ? 'its name does' : 'their names do'} not end in .yaml, .yml or .json`;
    case 'project':
      return isOne ? 'it is a project of its own (gantry.yaml)' : 'they are projects of their own (gantry.yaml)';
    case 'beside':
      return 'of a folder with a stack only that stack is read';
    case 'stack':
      return isOne ? 'it is a stack of its own' : 'they are stacks of their own';
  }
}

import type { ManifestDocument } from '../../manifest/model/document.ts';
import { flatten } from '../../manifest/read/flatten.ts';
import { counted } from '../../schema/text/counted.ts';
import { firstOf } from '../../schema/text/firstOf.ts';
import { displayPath } from '../files/displayPath.ts';
import type { Input } from './input.ts';
import { mostNames } from './search/notes.ts';

interface Read {
  readonly documents: readonly ManifestDocument[];
  /** How many files these came from. */
  readonly files: number;
  /** Files in which nothing looks like a manifest. */
  readonly strays: readonly string[];
}

/**
 * What is to be told of files that were found: what was left out, and how much was read where that says something: in
 * a folder that is no project, which may be the wrong one, and where anything was left out.
 */
export function inputNotes(
  { searched, whole }: Extract<Input, { type: 'files' }>,
  { documents, files, strays }: Read,
  cwd: string,
): readonly string[] {
  const left = [...(searched?.notes ?? []), ...strayNotes(strays)];
  if (searched === undefined || (whole && left.length === 0 && files > 0)) return left;
  const folder = displayPath(searched.folder, cwd);
  if (files === 0) return [...left, `note: there is no manifest in ${folder}`];
  return [
    ...left,
    `read ${counted(flatten(documents).length, 'manifest')} from ${counted(files, 'file')} in ${folder}`,
  ];
}

function strayNotes(strays: readonly string[]): readonly string[] {
  if (strays.length === 0) return [];
  const [are, them] = strays.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`note: ${firstOf(strays, mostNames)} ${are} left out: nothing in ${them} looks like a manifest`];
}

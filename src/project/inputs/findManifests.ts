import { join, relative } from 'node:path';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { displayPath } from '../files/displayPath.ts';
import { type SearchBounds, SearchBudget } from './bounds.ts';
import type { LeftOut } from './leftOut.ts';
import { missedNotes } from './notes.ts';
import { missedManifests } from './peek.ts';
import { rulesAbove } from './readIgnoreFiles.ts';
import { Search } from './search.ts';

export interface FoundManifests {
  /** Absolute, in order. */
  readonly paths: readonly string[];
  readonly problems: readonly LocatedProblem[];
  /** Notes on files that were left out although they hold manifests. */
  readonly notes: readonly string[];
}

export interface SearchOptions {
  readonly cwd: string;
  readonly bounds: SearchBounds;
  /** Milliseconds, for durations. */
  readonly now: () => number;
}

/**
 * The manifests of a folder and its sub-folders. Errors: `SearchStopped`, and those of the system about the folder
 * itself; what is wrong below of it is in `problems`.
 */
export async function findManifests(folder: string, { cwd, bounds, now }: SearchOptions): Promise<FoundManifests> {
  const search = new Search(cwd, new SearchBudget(bounds, now));
  await search.run(folder, await rulesAbove(folder));
  return {
    paths: search.paths.toSorted(),
    problems: search.problems,
    notes: await notesOf(search.leftOut, folder, cwd),
  };
}

/** Notes about manifests that lie beside the stack of a folder, which is all that is read of it. */
export function notesBeside(folder: string, names: readonly string[], cwd: string): Promise<readonly string[]> {
  const beside = names.map((name) => ({ path: join(folder, name), isFolder: false, because: 'beside' }) as const);
  return notesOf(beside, folder, cwd);
}

async function notesOf(leftOut: readonly LeftOut[], folder: string, cwd: string): Promise<readonly string[]> {
  if (leftOut.length === 0) return [];
  const below = (path: string) => relative(folder, path).replaceAll('\\', '/');
  return missedNotes(await missedManifests(leftOut), (path) => displayPath(path, cwd), below);
}

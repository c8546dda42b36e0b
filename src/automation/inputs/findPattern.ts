import { glob } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type FindOptions, type Input, noInput, stoppedSearch } from './input.ts';
import { SearchBudget, SearchStopped, searchBounds } from './search/bounds.ts';
import { isManifestName } from './search/names.ts';

/** The manifests that a glob pattern names; without what begins with a dot, and `node_modules`. */
export async function findPattern(
  pattern: string,
  cwd: string,
  { bounds = searchBounds, now = () => performance.now() }: FindOptions,
): Promise<Input> {
  const budget = new SearchBudget(bounds, now);
  const paths: string[] = [];
  const exclude = (path: string): boolean => {
    budget.entries(1, resolve(cwd, path));
    return /(?:^|[\\/])(?:\.[^./\\]|node_modules)/.test(path);
  };
  try {
    for await (const match of glob(pattern, { cwd, exclude })) {
      if (!isManifestName(basename(match))) continue;
      budget.manifest(resolve(cwd, match));
      paths.push(resolve(cwd, match));
    }
  } catch (error) {
    if (error instanceof SearchStopped) return stoppedSearch(error, cwd);
    throw error;
  }
  if (paths.length > 0) return { type: 'files', paths: paths.sort(), whole: false };
  return noInput(pattern, 'input.missing', 'no manifest matches', 'Check the pattern.');
}

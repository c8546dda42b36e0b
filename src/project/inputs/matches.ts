import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SearchBudget } from './bounds.ts';

/** The paths that a glob pattern names; without what begins with a dot, and `node_modules`. Errors: `SearchStopped`. */
export function matches(pattern: string, cwd: string, budget: SearchBudget): AsyncIterable<string> {
  const exclude = (path: string): boolean => {
    budget.entries(1, resolve(cwd, path));
    return /(?:^|[\\/])(?:\.[^./\\]|node_modules(?:[\\/]|$))/.test(path);
  };
  return glob(pattern, { cwd, exclude });
}

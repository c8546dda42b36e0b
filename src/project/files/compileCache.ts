import type { Stats } from 'node:fs';
import type { Environment } from '../session/session.ts';
import { makeFolders } from './writeWhole.ts';

/** Not imported: the module `node:fs` takes 3 ms, because it evaluates all its exports. */
const builtIn = {
  fs: () => process.getBuiltinModule('node:fs'),
  path: () => process.getBuiltinModule('node:path'),
};

const writableByOthers = 0o022;
const anyAccessOfOthers = 0o077;
const stickyBit = 0o1000;

/**
 * Caches Gantry's compiled code between runs in a folder without access for other users, because its content runs here.
 * Caches nothing if there is no such folder. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE are left to Node.
 */
export function enableCompileCache(environment: NodeJS.ProcessEnv): void {
  const module = process.getBuiltinModule('node:module');
  if (environment['NODE_DISABLE_COMPILE_CACHE'] !== undefined || module.enableCompileCache === undefined) return;
  if (environment['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = privateFolder(environment, 'compiled');
  if (folder !== undefined) module.enableCompileCache(folder);
}

/** A folder for Gantry's executable code that no other user can access; undefined if there is none. */
export function privateFolder(environment: NodeJS.ProcessEnv, name: 'compiled' | 'programs'): string | undefined {
  const { lstatSync, realpathSync } = builtIn.fs();
  const { dirname, join } = builtIn.path();
  const user = process.getuid?.();
  const base = userCache(environment);
  if (user === undefined || base === undefined) return undefined;
  try {
    makeFolders(base);
    const folder = join(realpathSync(base), 'gantry', name);
    makeFolders(folder);
    const found = lstatSync(folder);
    const ours = found.isDirectory() && found.uid === user && (found.mode & anyAccessOfOthers) === 0;
    return ours && isReplaceableOnlyBy(dirname(folder), user) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether each folder of the path is owned by this user or the system, and no other user can replace it. */
function isReplaceableOnlyBy(path: string, user: number): boolean {
  const found = builtIn.fs().lstatSync(path);
  if (!found.isDirectory() || !isSafe(found, user)) return false;
  const above = builtIn.path().dirname(path);
  return above === path || isReplaceableOnlyBy(above, user);
}

function isSafe({ uid, mode }: Stats, user: number): boolean {
  return (uid === user || uid === 0) && ((mode & writableByOthers) === 0 || (mode & stickyBit) !== 0);
}

/** The cache folder of this user; undefined if there is none. `node:path` is not imported: see `compileCache.ts`. */
export function userCache(environment: Environment): string | undefined {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const [cache, home] = [environment['XDG_CACHE_HOME'], environment['HOME']];
  if (cache !== undefined && isAbsolute(cache)) return cache;
  return home !== undefined && isAbsolute(home) ? join(home, '.cache') : undefined;
}

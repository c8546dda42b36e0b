import type { Stats } from 'node:fs';
import type { Environment } from '../session/session.ts';
import { makeFolders } from './writeWhole.ts';

/** Not imported: as a module `node:fs` takes 3 ms, because all that it exports is evaluated. */
const builtIn = {
  fs: () => process.getBuiltinModule('node:fs'),
  path: () => process.getBuiltinModule('node:path'),
};

const writableByOthers = 0o022;
const anyAccessOfOthers = 0o077;
const sticky = 0o1000;

/**
 * Keeps what Node compiles of Gantry between runs, where nobody else can read or write: whoever can write there decides
 * what runs here. Where there is no such folder, nothing is kept. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE
 * are left to Node.
 */
export function enableCompileCache(environment: NodeJS.ProcessEnv): void {
  const module = process.getBuiltinModule('node:module');
  if (environment['NODE_DISABLE_COMPILE_CACHE'] !== undefined || module.enableCompileCache === undefined) return;
  if (environment['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = privateFolder(environment, 'compiled');
  if (folder !== undefined) module.enableCompileCache(folder);
}

/** A folder of Gantry for code that runs here, to which nobody else can write; undefined: there is none. */
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
    return ours && nobodyElseReplaces(dirname(folder), user) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Each folder on the way down is of this user or of the system, and nobody else can put another one in its place. */
function nobodyElseReplaces(path: string, user: number): boolean {
  const found = builtIn.fs().lstatSync(path);
  if (!found.isDirectory() || !isSafe(found, user)) return false;
  const above = builtIn.path().dirname(path);
  return above === path || nobodyElseReplaces(above, user);
}

function isSafe({ uid, mode }: Stats, user: number): boolean {
  return (uid === user || uid === 0) && ((mode & writableByOthers) === 0 || (mode & sticky) !== 0);
}

/** Where the caches of this user are; undefined: there is no such folder. `node:path` is not imported: see `compileCache.ts`. */
export function userCache(environment: Environment): string | undefined {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const [cache, home] = [environment['XDG_CACHE_HOME'], environment['HOME']];
  if (cache !== undefined && isAbsolute(cache)) return cache;
  return home !== undefined && isAbsolute(home) ? join(home, '.cache') : undefined;
}

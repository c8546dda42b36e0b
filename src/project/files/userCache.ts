import type { Environment } from '../session/session.ts';

/** Where the caches of this user are; undefined: there is no such folder. `node:path` is not imported: see `compileCache.ts`. */
export function userCache(environment: Environment): string | undefined {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const [cache, home] = [environment['XDG_CACHE_HOME'], environment['HOME']];
  if (cache !== undefined && isAbsolute(cache)) return cache;
  return home !== undefined && isAbsolute(home) ? join(home, '.cache') : undefined;
}

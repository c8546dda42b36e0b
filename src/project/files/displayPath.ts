import { isAbsolute, relative, resolve } from 'node:path';

/** A path as people want to see it: relative to where they are, unless that leads out of there. */
export function displayPath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? resolve(cwd, path) : inside;
}

import type { Renaming, Way } from '../words/renaming.ts';

/** What a query compares: `name`, `spec.sidecar.proxy.http`, `tags.scheme/protected` (platform/query). */
export function propertyPaths(keys: Renaming, tags: Renaming): Renaming {
  const roots = { toWire: 'tags.', toNeutral: `${keys.toWire('tags')}.` };
  function rename(path: string, way: Way): string {
    const root = roots[way];
    if (path.startsWith(root)) return `${keys[way](root.slice(0, -1))}.${tags[way](path.slice(root.length))}`;
    return path.split('.').map(keys[way]).join('.');
  }
  return { toWire: (path) => rename(path, 'toWire'), toNeutral: (path) => rename(path, 'toNeutral') };
}

import { existsSync } from 'node:fs';

/**
 * The file of a thread, of which a bundle is built under this name: beside the bundle that starts it, or one folder up
 * where that is a chunk. `source`: the same as it is written, for programs that run from their sources.
 */
export function workerFile(name: string, source: URL): URL {
  const bundled = [`./${name}.js`, `./${name}.mjs`, `../${name}.js`].map((place) => new URL(place, import.meta.url));
  const found = [source, ...bundled].find((url) => existsSync(url));
  if (found === undefined) throw new Error(`the file of the thread ${name} is missing`);
  return found;
}

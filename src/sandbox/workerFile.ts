import { existsSync } from 'node:fs';

/**
 * The file of a thread, which is bundled under this name: beside the bundle that starts it, or one folder up if that is
 * a chunk. `source`: its source file, for programs that run from their sources.
 */
export function workerFile(name: string, source: URL): URL {
  const bundled = [`./${name}.js`, `./${name}.mjs`, `../${name}.js`].map((place) => new URL(place, import.meta.url));
  const found = [source, ...bundled].find((url) => existsSync(url));
  if (found === undefined) throw new Error(`the file of the thread ${name} is missing`);
  return found;
}

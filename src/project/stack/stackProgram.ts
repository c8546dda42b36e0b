import { existsSync } from 'node:fs';

/** Next to this source file, or next to its bundle: the entry or a chunk. */
const places = ['./child.ts', './stackChild.js', '../stackChild.js'];

/** The program that runs stacks. */
export function stackProgram(): URL {
  const file = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined) throw new Error('the program that runs stacks is not where it should be');
  return file;
}

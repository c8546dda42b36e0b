import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../process/version.ts';

/** What a new project installs Gantry from: the version, or the folder of a clone, which no registry has. */
export function gantrySource(): string {
  const root = dirname(fileURLToPath(import.meta.resolve('gantry/package.json')));
  return root.split(sep).includes('node_modules') ? version : `file:${root}`;
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside the bundle (`dist/chunks/..`, `dist/`), and in the source tree. */
const folders = ['../templates/', './templates/', '../../../templates/'];

/** Where the templates of this installation are. */
export function templateFolder(): string {
  const found = folders.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error('the templates are missing from this installation');
  return found;
}

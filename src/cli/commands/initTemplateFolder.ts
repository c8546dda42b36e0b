import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Next to the bundle (`dist/chunks/..`, `dist/`), and in the source tree. */
const folders = ['../templates/', './templates/', '../../../templates/'];

/** The folder of templates in this installation. */
export function templateFolder(): string {
  const found = folders.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error('the templates are missing from this installation');
  return found;
}

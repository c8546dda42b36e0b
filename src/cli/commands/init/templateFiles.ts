import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Template } from './templates.ts';

/** Beside the bundle (`dist/chunks/..`, `dist/`), and in the source tree. */
const folders = ['../templates/', './templates/', '../../../../templates/'];

/** The name that the files of every template use for what the project is called. */
const sample = /sample/gi;

/** Where the templates of this installation are. */
export function templateFolder(): string {
  const found = folders.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error('the templates are missing from this installation');
  return found;
}

/** The files of a new project by path, but for `package.json` and `.gitignore`. */
export async function templateFiles(template: Template, name: string): Promise<ReadonlyMap<string, string>> {
  const folder = templateFolder();
  const sources = template === 'yaml' ? [template] : ['typescript', template];
  const files = new Map<string, string>();
  for (const source of sources) {
    const from = join(folder, source);
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(relative(from, path), named(await readFile(path, 'utf8'), name));
    }
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `sample-web` becomes `orders-web`, and `SAMPLE_DB` `ORDERS_DB`. */
function named(text: string, name: string): string {
  return text.replace(sample, (word) => (word === word.toUpperCase() ? name.toUpperCase().replaceAll('-', '_') : name));
}

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { templateFolder } from '../../newFiles/templateFolder.ts';
import type { Template } from './templates.ts';

/** The name that the files of every template use for what the project is called. */
const sample = /sample/gi;

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

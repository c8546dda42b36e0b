import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Entries of a project that are looked at; one with more is not read as a whole. */
const mostEntries = 20_000;

/** What is installed in the folder itself comes from its package manager, and `.git` holds no links of a branch. */
const trusted = new Set(['node_modules', '.git']);

/**
 * Whether nothing below a folder leads out of it by a link. Node checks `link/../name` as text, and the system follows
 * the link first: so a link to a folder must lead into the folder, and not less deep than the link itself is.
 */
export async function leadsNowhereElse(root: string): Promise<boolean> {
  let entries = 0;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entries += found.length;
    if (entries > mostEntries) return false;
    for (const entry of found) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink() && !(await isHarmless(path, root))) return false;
      if (entry.isDirectory() && !(folder === root && trusted.has(entry.name))) folders.push(path);
    }
  }
  return true;
}

/** One that leads to nothing may lead to something later. */
async function isHarmless(link: string, root: string): Promise<boolean> {
  const target = await realpath(link).catch(() => undefined);
  if (target === undefined) return false;
  const inside = relative(root, target).split(sep);
  if (inside[0] === '..' || target === root) return false;
  return (await stat(target)).isFile() || inside.length >= relative(root, link).split(sep).length;
}

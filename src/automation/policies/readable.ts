import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyProgram } from './policyProgram.ts';

const packages = 'node_modules';
const description = 'package.json';

/**
 * What the process of policies may read: the folder of the project and those of the policies, what is installed for
 * them, the `package.json` above them, and Gantry itself. A folder with a link that leads elsewhere is not among them:
 * Node follows links wherever they lead, also to `/proc` and so to the environment of this process.
 */
export async function readableBy(folder: string, files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return ownFolders();
  const folders = await Promise.all([...new Set([folder, ...files.map(dirname)])].map((each) => realpath(each)));
  const above = [...new Set(folders.flatMap(ancestors))];
  const [clean, installed, descriptions, own] = await Promise.all([
    Promise.all(folders.map(async (each) => ((await leadsNowhereElse(each)) ? [each] : []))),
    Promise.all(above.map((each) => packagesIn(join(each, packages)))),
    Promise.all(above.map(descriptionIn)),
    ownFolders(),
  ]);
  return [...new Set([...clean, ...installed, ...descriptions, own].flat())];
}

/** The folder itself, and those above it. */
function ancestors(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

/** What is installed: the folder, and the packages elsewhere that links in it name, as workspaces are. */
async function packagesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.length === 0) return [];
  const scopes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('@'));
  const scoped = await Promise.all(scopes.map(({ name }) => readdir(join(folder, name), { withFileTypes: true })));
  const links = [...entries, ...scoped.flat()].filter((entry) => entry.isSymbolicLink());
  const linked = await Promise.all(links.map((link) => packageAt(join(link.parentPath, link.name))));
  return [folder, ...linked.flat()];
}

async function packageAt(link: string): Promise<readonly string[]> {
  const target = await realpath(link).catch(() => undefined);
  return target !== undefined && (await isFile(join(target, description))) ? [target] : [];
}

async function descriptionIn(folder: string): Promise<readonly string[]> {
  const file = join(folder, description);
  return (await isFile(file)) ? [file] : [];
}

async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true;
}

/** What the program is made of: the built one of its folder, the sources of what is installed for them as well. */
async function ownFolders(): Promise<readonly string[]> {
  const program = await realpath(fileURLToPath(policyProgram()));
  const above = ancestors(dirname(program));
  const roots = await Promise.all(above.map((each) => isFile(join(each, description))));
  const root = above[roots.indexOf(true)] ?? dirname(program);
  return program.endsWith('.js') ? [join(root, 'dist'), join(root, description)] : [root];
}

/** Entries of a project that are looked at; one with more is not read as a whole. */
const mostEntries = 20_000;

/** What is installed in the folder itself comes from its package manager, and `.git` holds no links of a branch. */
const trusted = new Set(['node_modules', '.git']);

/**
 * Whether nothing below a folder leads out of it by a link. Node checks `link/../name` as text, and the system follows
 * the link first: so a link to a folder must lead into the folder, and not less deep than the link itself is.
 */
async function leadsNowhereElse(root: string): Promise<boolean> {
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

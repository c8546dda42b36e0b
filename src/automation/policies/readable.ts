import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leadsNowhereElse } from './links.ts';
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

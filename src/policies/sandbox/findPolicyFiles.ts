import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { compareText } from '../../base/text/compareText.ts';

/** The folder of the project whose files are loaded where no others are named. */
export const usualFolder = 'policies';

/** TypeScript and JavaScript; not declarations, not tests. */
const codeName = /(?<!\.d|\.test|\.spec)\.[cm]?[jt]s$/;

/** The policies as code in the usual folder of a project; undefined: there is no such code. */
export async function usualPolicyFiles(project: string): Promise<readonly string[] | undefined> {
  const files = await filesIn(join(project, usualFolder)).catch(() => []);
  return files.length === 0 ? undefined : files;
}

export interface FoundFiles {
  /** Absolute. */
  readonly files: readonly string[];
  /** Paths that were named and are not there, with the reason. */
  readonly missing: readonly { readonly path: string; readonly why: string }[];
}

/** The files that paths name: a file itself, and of a folder those with code in it. */
export async function policyFilesAt(paths: readonly string[], folder: string): Promise<FoundFiles> {
  const found = await Promise.all(paths.map((path) => filesAt(resolve(folder, path))));
  const missing = paths.flatMap((path, index) => {
    const at = found[index];
    return typeof at === 'string' ? [{ path, why: at }] : [];
  });
  const files = found.flatMap((each) => (typeof each === 'string' || each === undefined ? [] : each));
  return { files: [...new Set(files)], missing };
}

/** Or why there are none. */
async function filesAt(path: string): Promise<readonly string[] | string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'there is no such file or folder';
  if (found.isFile()) return codeName.test(basename(path)) ? [path] : 'it is neither TypeScript nor JavaScript';
  if (!found.isDirectory()) return 'it is neither a file nor a folder';
  const files = await filesIn(path);
  return files.length === 0 ? 'no file in it is TypeScript or JavaScript' : files;
}

/** A text that may name a module by its path. */
const pathInCode = /(['"`])((?:\.{1,2}\/|\/|file:)[^'"`\n]+)\1/g;
/** Far more than policies have. */
const mostFiles = 2_000;
const mostBytes = 16 * 2 ** 20;

/**
 * These files and the modules that they name by a path, as far as they are below the folders: their real
 * paths, in order. No folder is searched. A package that is installed is not among them.
 */
export async function modulesOf(files: readonly string[], folders: readonly string[]): Promise<readonly string[]> {
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  const found = new Set<string>();
  const open = [...files];
  for (let path = open.pop(); path !== undefined && found.size < mostFiles; path = open.pop()) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || found.has(real) || !roots.some((root) => real.startsWith(`${root}${sep}`))) continue;
    const { size = 0, isFile = false } = await kindOf(real);
    if (!isFile || size > mostBytes) continue;
    found.add(real);
    if (!moduleName.test(real) || real.endsWith('.json')) continue;
    const text = await readFile(real, 'utf8').catch(() => '');
    for (const [, , named = ''] of text.matchAll(pathInCode)) {
      const at = named.startsWith('file:') ? (URL.parse(named)?.pathname ?? '') : resolve(dirname(real), named);
      // `require` may leave out an extension.
      open.push(
        ...['', '.js', '.json', `${sep}index.js`].map((end) => at + end).filter((each) => moduleName.test(each)),
      );
    }
  }
  return [...found].sort(compareText);
}

const moduleName = /\.(?:[cm]?[jt]s|json)$/;

async function kindOf(path: string): Promise<{ readonly size?: number; readonly isFile?: boolean }> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? {} : { size: found.size, isFile: found.isFile() };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => codeName.test(name) && !name.startsWith('.'));
  return names.toSorted(compareText).map((name) => join(folder, name));
}

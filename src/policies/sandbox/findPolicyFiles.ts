import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { compareText } from '../../base/text/compareText.ts';

/** The default folder of a project's policies. */
export const usualFolder = 'policies';

/** TypeScript and JavaScript, without declarations and tests. */
const codeName = /(?<!\.d|\.test|\.spec)\.[cm]?[jt]s$/;

/** The policies as code in the default folder of a project; undefined if there are none. */
export async function usualPolicyFiles(project: string): Promise<readonly string[] | undefined> {
  const files = await filesIn(join(project, usualFolder)).catch(() => []);
  return files.length === 0 ? undefined : files;
}

export interface FoundFiles {
  /** Absolute. */
  readonly files: readonly string[];
  /** Paths that do not exist, with the reason. */
  readonly missing: readonly { readonly path: string; readonly why: string }[];
}

/** The files at paths: a file itself, and for a folder those with code in it. */
export async function policyFilesAt(paths: readonly string[], folder: string): Promise<FoundFiles> {
  const found = await Promise.all(paths.map((path) => filesAt(resolve(folder, path))));
  const missing = paths.flatMap((path, index) => {
    const at = found[index];
    return typeof at === 'string' ? [{ path, why: at }] : [];
  });
  const files = found.flatMap((each) => (typeof each === 'string' || each === undefined ? [] : each));
  return { files: [...new Set(files)], missing };
}

/** The files, or why there are none. */
async function filesAt(path: string): Promise<readonly string[] | string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'there is no such file or folder';
  if (found.isFile()) return codeName.test(basename(path)) ? [path] : 'it is neither TypeScript nor JavaScript';
  if (!found.isDirectory()) return 'it is neither a file nor a folder';
  const files = await filesIn(path);
  return files.length === 0 ? 'no file in it is TypeScript or JavaScript' : files;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => codeName.test(name) && !name.startsWith('.'));
  return names.toSorted(compareText).map((name) => join(folder, name));
}

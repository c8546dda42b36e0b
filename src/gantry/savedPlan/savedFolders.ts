import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { exists } from '../../project/files/exists.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { splitSelector } from '../../project/inputs/stackSelector.ts';
import { projectFolderOf } from '../../project/settings/project.ts';

/** Absolute. */
export interface SavedFolders {
  /** The inputs are found from here. */
  readonly cwd: string;
  /** That of the settings. */
  readonly folder: string;
}

/** The inputs of a saved plan are found from the working folder, or else from that of the file. */
export async function savedFolders(here: string, file: string, paths: readonly string[]): Promise<SavedFolders> {
  const folders = [here, dirname(resolve(here, file))];
  const found = await Promise.all(folders.map((folder) => holdsInputs(folder, paths)));
  const cwd = folders[found.indexOf(true)] ?? here;
  return { cwd, folder: await projectFolderOf(paths, cwd) };
}

async function holdsInputs(folder: string, paths: readonly string[]): Promise<boolean> {
  const split = await Promise.all(paths.map((path) => splitSelector(path, folder)));
  const found = await Promise.all(split.map(({ path }) => stat(resolve(folder, path)).catch(() => undefined)));
  return found.every((each) => each !== undefined);
}

/** Paths of a plan are what its file says: they must not lead past the settings of the folder where it is applied. */
export async function hasOtherSettings(here: string, folder: string): Promise<boolean> {
  return (await exists(join(here, settingsFileName))) && !(await isSame(here, folder));
}

/**
 * A folder in which the plan can be applied, and where its inputs are found from there: the working folder where that
 * is one, else the one where the plan was made, else that of its settings. `from`: where `paths` begin.
 */
export async function folderToApplyIn(
  { here, from, paths }: { readonly here: string; readonly from: string; readonly paths: readonly string[] },
  file: string,
): Promise<SavedFolders> {
  const settings = await projectFolderOf(paths, from);
  for (const folder of [here, from, settings]) {
    const found = await savedFolders(folder, file, paths);
    if (!(await isSame(found.folder, settings)) || (await hasOtherSettings(folder, settings))) continue;
    return { cwd: found.cwd, folder };
  }
  return { cwd: here, folder: here };
}

async function isSame(one: string, other: string): Promise<boolean> {
  return (await realpath(one)) === (await realpath(other));
}

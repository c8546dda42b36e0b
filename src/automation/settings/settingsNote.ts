import { lstat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { settingsFileName } from '../files/projectFiles.ts';

interface Named {
  /** The first PATH, without a stack behind it. */
  readonly path: string;
  readonly cwd: string;
  /** Absolute: that of the settings. */
  readonly folder: string;
}

/**
 * Which settings count, where somebody may take others for these: `gantry.yaml` of the current folder does not count for a
 * PATH elsewhere, and for a file it is that of the file's folder. Undefined where it is plain: the PATH is a project folder.
 */
export async function settingsNote({ path, cwd, folder }: Named): Promise<string | undefined> {
  if (folder === resolve(cwd)) return undefined;
  const [isHere, isThere] = await Promise.all([hasSettings(cwd), hasSettings(folder)]);
  const rule = 'settings are those of the folder of the first PATH';
  if (!isThere) return isHere ? `note: ${settingsFileName} of the current folder does not count: ${rule}` : undefined;
  const way = relative(cwd, folder);
  const isProject = resolve(cwd, path) === folder;
  if (isProject || (!isHere && !way.startsWith('..'))) return undefined;
  const other = isHere ? ', and not those of the current folder' : '';
  return `note: settings are those of ${join(way, settingsFileName)}, beside the first PATH${other}`;
}

function hasSettings(folder: string): Promise<boolean> {
  return lstat(join(folder, settingsFileName)).then(
    () => true,
    () => false,
  );
}

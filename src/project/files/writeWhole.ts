import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file atomically, even if the process is killed: to a temporary file next to it, which is then renamed.
 * Synchronous, so it also works while the process exits. An existing file keeps its permissions, unless `mode` has none
 * for group and others: such a file is always private. Errors: those of the system.
 */
export function writeWhole(path: string, text: string, mode: number): void {
  const isPrivate = (mode & 0o077) === 0;
  const there = isPrivate ? undefined : statSync(path, { throwIfNoEntry: false });
  const temporaryFile = join(dirname(path), `.gantry-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = openSync(temporaryFile, 'wx', mode);
    try {
      if (there?.isFile() === true) fchmodSync(file, there.mode & 0o777);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporaryFile, path);
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw error;
  }
}

/**
 * Writes a file of the user as `writeWhole` does. Links are followed; pipes and devices are written into. Errors: those
 * of the system.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isFile() === true) writeWhole(await realpath(path), text, 0o666);
  else if (there === undefined) writeWhole(path, text, 0o666);
  else await writeFile(path, text);
}

/** Writes a file that must not exist, and leaves no part of it if that fails. Errors: those of the system. */
export async function writeNewFile(path: string, text: string, mode = 0o666): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode });
  } catch (error) {
    const isOfOthers = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isOfOthers) await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Creates a folder and its missing parents, only for their owner. Returns the topmost created one; undefined if all
 * existed. `mkdir` with `recursive` is not used: if a file system refuses new names with "not found" (`/proc`, homes
 * mounted on demand), Node retries forever.
 */
export function makeFolders(path: string): string | undefined {
  const { mkdirSync, statSync } = process.getBuiltinModule('node:fs');
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return undefined;
  const above = process.getBuiltinModule('node:path').dirname(path);
  const made = above === path ? undefined : makeFolders(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isThere()) throw error; // else another process was faster
  }
  return made ?? path;
}

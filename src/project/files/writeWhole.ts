import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all, whatever ends the process: beside it first, then in its place. At once, so that it
 * can be done while the process ends. Errors: those of the system.
 */
export function writeWhole(path: string, text: string, mode: number): void {
  const beside = join(dirname(path), `.gantry-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = openSync(beside, 'wx', mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Makes a folder and those above it that are missing, for their owner only. Returns the highest that it made; undefined:
 * all were there. `mkdir` with `recursive` is not used: where a file system takes no new names and says that nothing is
 * there (`/proc`, homes that are mounted on demand), Node tries again without end.
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
    if (!isThere()) throw error; // else another process was first
  }
  return made ?? path;
}

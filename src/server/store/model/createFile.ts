import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';

/**
 * Creates a file for its owner only; false if one of this name exists. The file appears under its name when it is
 * complete and on disk: of two processes that start together one creates it, and the other never reads half of it. A
 * killed process leaves at most a file `<name>.<random>.tmp`, which is never read.
 *
 * Errors: those of the file system, as Node reports them.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  if (existsSync(path)) return false; // also in a folder that cannot be written
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path); // unlike rename, this fails where the file exists
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';

/**
 * Creates a file that only its owner can access; false if the name exists. The name appears when the file is complete
 * and on disk: if two processes start together, one creates it and the other never reads a part of it. A killed process
 * leaves at most a file `<name>.<random>.tmp`, which is never read.
 *
 * Errors: those of the file system, as Node reports them.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  if (existsSync(path)) return false; // works in a read-only folder too
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path); // unlike rename, this fails if the file exists
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

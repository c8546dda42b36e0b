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

import { constants } from 'node:fs';
import { open, realpath, stat, writeFile } from 'node:fs/promises';
import { ToolError } from '../../base/toolError.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';
import { isSavedPlanFile } from './isSavedPlanFile.ts';

const onlyOwner = 0o600;

/**
 * Writes a plan: whole or not at all, and for nobody else to read. Only an empty file or another plan is overwritten; a
 * link is followed; into what is no file (a pipe, a device) it is written, which stays what it is.
 *
 * Errors: `saved.unwritable`.
 */
export async function writePlanFile(path: string, text: string): Promise<void> {
  try {
    const there = await stat(path).catch(() => undefined);
    if (there === undefined || there.isDirectory()) return writeWhole(path, text, onlyOwner);
    if (there.isFIFO()) return await writePipe(path, text);
    if (!there.isFile()) return await writeFile(path, text);
    if (there.size > 0 && !(await isSavedPlanFile(path))) {
      throw unwritable(path, 'it exists and is not a plan', 'Give --out another file, or remove this one.');
    }
    writeWhole(await realpath(path), text, onlyOwner);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const denied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    const why = denied ? 'you are not permitted to write it' : systemReason(error);
    throw unwritable(path, why, 'Give --out a file in an existing folder that you can write to.');
  }
}

/** Only where somebody reads: else the process would wait for a reader in silence. */
async function writePipe(path: string, text: string): Promise<void> {
  const first = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENXIO') throw error;
    throw unwritable(path, 'it is a pipe that nobody reads', 'Give --out a file, or start the reader first.');
  });
  try {
    await writeFile(path, text);
  } finally {
    await first.close();
  }
}

function unwritable(path: string, why: string, hint: string): ToolError {
  return new ToolError({ code: 'saved.unwritable', message: `the plan could not be saved to ${path}: ${why}`, hint });
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '../../base/toolError.ts';

/** The maximum wait for another command of Terraform on the same folder. */
const patienceMs = 60_000;
const pauseMs = 50;

/** An empty database beside that of the platform. */
export const lockFile = 'provider.lock';

const busy = 5; // SQLITE_BUSY

/**
 * Waits until no other process has the folder, and locks it; the result unlocks it. SQLite locks an empty database, and
 * the system releases the lock when a process ends in any way, so there is never a stale one to detect and remove. The
 * file stays.
 */
export async function lockFolder(folder: string, patience = patienceMs): Promise<() => void> {
  const path = join(folder, lockFile);
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const unlock = tryLock(path);
    if (unlock !== undefined) return unlock;
    if (waitedMs >= patience) {
      throw new ToolError({
        code: 'provider.embedded-busy',
        message: `the embedded platform in ${folder} is used by another process`,
        hint: 'Wait until the other command ends, or use another folder. For several at once: gantry serve, and endpoint.',
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Undefined if another process has it. */
function tryLock(path: string): (() => void) | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined;
    throw error;
  }
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '../../base/toolError.ts';

/**
 * Holds a folder for this process: a lock of the operating system, which ends with the process however that ends. Errors:
 * `reconcile.locked`.
 */
export function lockFolder(folder: string): () => void {
  const database = new DatabaseSync(join(folder, 'lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (by); COMMIT');
  } catch (cause) {
    database.close();
    throw new ToolError({
      code: 'reconcile.locked',
      message: `another process uses the store in ${folder}`,
      hint: 'One worker at a time has the store in a folder. For several workers give --store postgres://….',
      cause,
    });
  }
  return () => database.close();
}

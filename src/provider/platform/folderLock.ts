import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../errors/toolError.ts';
import { createFile } from '../../server/sealing/createFile.ts';

/** As long as another command of Terraform on the same folder may take before this one gives up. */
const patienceMs = 60_000;
const pauseMs = 50;

/**
 * Waits until no other process has the folder, and takes it; the answer gives it back. A lock whose process is gone
 * counts for nothing.
 */
export async function lockFolder(
  folder: string,
  { pid, patience = patienceMs }: { readonly pid: number; readonly patience?: number },
): Promise<() => Promise<void>> {
  const path = join(folder, 'provider.lock');
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    if (await createFile(path, `${pid}\n`)) return () => rm(path, { force: true });
    const owner = Number((await readFile(path, 'utf8').catch(() => '')).trim());
    if (!isAlive(owner)) await rm(path, { force: true });
    else if (waitedMs >= patience) {
      throw new ToolError({
        code: 'provider.embedded-busy',
        message: `the embedded platform in ${folder} is used by another process (${owner})`,
        hint: 'Wait until the other command ends, or use another folder. For several at once: gantry serve, and endpoint.',
      });
    } else await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

import { chmod, lstat, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { causeText } from '../../base/thrown.ts';
import { ToolError } from '../../base/toolError.ts';
import { makeFolders } from '../files/writeWhole.ts';

/** The files of the platform in its folder. */
const secretFiles = ['platform.db', 'platform.db-wal', 'platform.db-shm', 'platform.db.key', 'token'] as const;
/** `provider.lock` is empty: the provider of Terraform locks it (src/provider/platform/folderLock.ts). */
const ownFiles: ReadonlySet<string> = new Set([...secretFiles, '.gitignore', 'provider.lock', 'platform.json']);

/** The permissions of group and others. */
const accessByOthers = 0o077;
const writableByOthers = 0o022;

/**
 * Prepares the data folder of a platform: only for its owner, because the database contains secrets, and excluded from
 * git. Removes other access, and reports that. Errors: `data.unusable`.
 */
export async function openDataFolder(folder: string, tell: (text: string) => void): Promise<void> {
  try {
    if (makeFolders(folder) !== undefined) await writeFile(join(folder, '.gitignore'), '*\n');
    else if (process.platform !== 'win32') await restrictFolder(folder, tell);
  } catch (error) {
    throw unusableFolder(folder, error);
  }
}

export function unusableFolder(folder: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'data.unusable',
    message: `the folder ${folder} cannot be used: ${causeText(cause)}`,
    hint: 'Choose another folder with --data DIR.',
    cause,
  });
}

async function restrictFolder(folder: string, tell: (text: string) => void): Promise<void> {
  const { mode, uid } = await stat(folder);
  const isOurs = uid === process.getuid?.();
  if ((mode & accessByOthers) !== 0) {
    const shared = (await readdir(folder)).some((name) => !ownFiles.has(name));
    if (isOurs && !shared) {
      await chmod(folder, 0o700);
      tell(`the folder ${folder} was open to other users (${octal(mode)}); its permissions are now 700`);
    } else if ((mode & writableByOthers) !== 0) {
      tell(
        `warning: other users may replace what is in ${folder} (${octal(mode)}): use a separate folder with --data DIR`,
      );
    }
  }
  for (const name of secretFiles) await restrictFile(join(folder, name), tell);
}

async function restrictFile(path: string, tell: (text: string) => void): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || !found.isFile() || (found.mode & accessByOthers) === 0) return;
  if (found.uid === process.getuid?.()) {
    await chmod(path, 0o600);
    tell(`${path} was open to other users (${octal(found.mode)}); its permissions are now 600`);
  } else tell(`warning: ${path} belongs to another user, and is open to others (${octal(found.mode)})`);
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}

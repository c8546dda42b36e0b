import { randomBytes } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../errors.ts';
import { FileRefusal } from './files/fileRefusal.ts';
import { readBytes } from './files/readBytes.ts';
import { fileSizes } from './files/sizes.ts';

export interface KeptToken {
  readonly token: string;
  /** True when this call made it. */
  readonly fresh: boolean;
}

/** The token of the platform in this folder, made on first use and readable by its owner only. */
export async function keepToken(folder: string): Promise<KeptToken> {
  const path = join(folder, 'token');
  await makeFolder(folder);
  try {
    const token = randomBytes(24).toString('base64url');
    // 'wx' fails where the file exists: two processes that start together agree on one token.
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${token}\n`);
    } finally {
      await file.close();
    }
    return { token, fresh: true };
  } catch (error) {
    if (!isExisting(error)) throw unusable(folder, error);
  }
  const kept = await readBytes(path, { most: fileSizes.settings }).catch((error: unknown) => {
    throw unusable(folder, error instanceof FileRefusal ? new Error(`${path}: ${error.message}`) : error);
  });
  const token = kept.toString('utf8').trim();
  if (token === '') throw unusable(folder, new Error(`${path} is empty`));
  return { token, fresh: false };
}

/**
 * The folder for the data of a platform: for its owner only, because the database holds secrets, and kept out of git.
 * Errors: `data.unusable`.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await writeFile(join(folder, '.gitignore'), '*\n');
  } catch (error) {
    throw unusable(folder, error);
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function unusable(folder: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'data.unusable',
    message: `the folder ${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: 'Give another one with --data DIR.',
    cause,
  });
}

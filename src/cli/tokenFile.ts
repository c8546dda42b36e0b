import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { unusableFolder } from './dataFolder.ts';
import { FileRefusal } from './files/fileRefusal.ts';
import { readBytes } from './files/readBytes.ts';
import { fileSizes } from './files/sizes.ts';

export interface KeptToken {
  readonly token: string;
  /** True when this call made it. */
  readonly fresh: boolean;
}

/** The token of the platform in this folder, which is there; made on first use and readable by its owner only. */
export async function keepToken(folder: string): Promise<KeptToken> {
  const path = join(folder, 'token');
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
    if (!isExisting(error)) throw unusableFolder(folder, error);
  }
  const kept = await readBytes(path, { most: fileSizes.settings }).catch((error: unknown) => {
    throw unusableFolder(folder, error instanceof FileRefusal ? new Error(`${path}: ${error.message}`) : error);
  });
  const token = kept.toString('utf8').trim();
  if (token === '') throw unusableFolder(folder, new Error(`${path} is empty`));
  return { token, fresh: false };
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

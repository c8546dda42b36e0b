import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createFile } from '../../server/sealing/createFile.ts';
import { FileRefusal } from '../files/fileRefusal.ts';
import { readBytes } from '../files/readBytes.ts';
import { fileSizes } from '../files/sizes.ts';
import { unusableFolder } from './dataFolder.ts';

export interface FolderToken {
  readonly token: string;
  /** True when this call made it. */
  readonly fresh: boolean;
}

export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The token of the platform in this folder, which is there; made on first use and readable by its owner only. */
export async function tokenOfFolder(folder: string): Promise<FolderToken> {
  const path = join(folder, 'token');
  const made = newToken();
  const fresh = await createFile(path, `${made}\n`).catch((error: unknown) => {
    throw unusableFolder(folder, error);
  });
  if (fresh) return { token: made, fresh };
  const bytes = await readBytes(path, { most: fileSizes.settings }).catch((error: unknown) => {
    throw unusableFolder(folder, error instanceof FileRefusal ? new Error(`${path}: ${error.message}`) : error);
  });
  const token = bytes.toString('utf8').trim();
  if (token === '') throw unusableFolder(folder, new Error(`${path} is empty`));
  return { token, fresh: false };
}

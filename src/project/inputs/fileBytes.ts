import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { systemReason } from '../files/fileRefusal.ts';
import type { Surroundings } from '../session/session.ts';

/** Limit in bytes per value: more than any secret may have. */
export const longestValue = 1_048_576;

/**
 * The content of a regular file in the project, or in a place that `gantry.yaml` permits. Links are resolved first: a
 * foreign manifest must not bring `/etc/shadow` into a secret.
 */
export async function fileBytes(
  path: string,
  options: Pick<OutsideOptions, 'folder' | 'files' | 'closed'>,
): Promise<Buffer | Unreadable> {
  let file: FileHandle | undefined;
  try {
    const real = await realpath(path);
    const [allowed, closed] = await Promise.all([
      realPaths([options.folder, ...options.files]),
      realPaths(options.closed),
    ]);
    if (!allowed.some((folder) => isIn(real, folder))) return outOfBounds;
    if (closed.some((folder) => isIn(real, folder))) return ourOwn;
    // Non-blocking, so as not to wait for a pipe without a writer; without following, because links are already
    // resolved.
    file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const found = await file.stat();
    if (!found.isFile()) return unreadable('it is not a regular file');
    if (found.size > longestValue) return unreadable('it has more than 1 MiB');
    return await firstBytes(file);
  } catch (error) {
    return unreadable(systemReason(error));
  } finally {
    await file?.close();
  }
}

/** Limited by the bytes read, not by the reported size. */
async function firstBytes(file: FileHandle): Promise<Buffer | Unreadable> {
  const buffer = Buffer.alloc(longestValue + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return unreadable('it has more than 1 MiB');
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return real.filter((path) => path !== undefined);
}

export function isIn(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (!/^\.\.(?:[\\/]|$)/.test(inside) && !isAbsolute(inside));
}

function unreadable(reason: string): Unreadable {
  return { rule: 'value.file', message: `the file cannot be read: ${reason}`, hint: 'Check the path.' };
}

const outOfBounds: Unreadable = {
  rule: 'value.file',
  message: 'the file is outside of the project folder',
  hint: 'Move it there, or name its folder in gantry.yaml: `secrets: {files: [PATH]}`.',
};

const ourOwn: Unreadable = {
  rule: 'value.file',
  message: 'this file belongs to Gantry; manifests cannot read it',
  hint: 'Choose another file.',
};

/** The problem of a source; never contains a value. */
export interface Unreadable {
  readonly rule: 'value.env' | 'value.file' | 'value.command' | 'value.encoding' | 'value.empty';
  readonly message: string;
  readonly hint: string;
}

export interface OutsideOptions extends Pick<Surroundings, 'cwd' | 'environment' | 'interruptible'> {
  /** The project folder: files must be in it, commands run in it. */
  readonly folder: string;
  /** Further permitted folders and files; absolute. */
  readonly files: readonly string[];
  /** Files that are never readable: the data of the embedded platform, the settings. */
  readonly closed: readonly string[];
  /** `foreign`: commands of foreign manifests, which can never be permitted. */
  readonly commands: boolean | 'foreign';
  /** False: values are not needed, so nothing is read. */
  readonly wanted: boolean;
}

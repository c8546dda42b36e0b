import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { FileRefusal, inBytes, tooLarge } from './fileRefusal.ts';

export interface ReadOptions {
  /** Limit in bytes, checked before reading. */
  readonly most: number;
  /** Whether pipes (`<(command)`) are permitted, because the user named this path. */
  readonly pipes?: boolean;
  /** The limit for all files that are read together. */
  readonly total?: TotalSize;
}

export class TotalTooLarge extends FileRefusal {}

/** Limits the total content of several files. */
export class TotalSize {
  readonly #most: number;
  #sum = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isOver(): boolean {
    return this.#sum > this.#most;
  }

  /** Throws `TotalTooLarge` above the limit. */
  add(size: number): void {
    this.#sum += size;
    if (this.isOver) throw new TotalTooLarge(`with it, all files together are larger than ${inBytes(this.#most)}`);
  }
}

/**
 * The content of a regular file; others are refused because reading may block or never end. Errors: those of the
 * system, and `FileRefusal`.
 */
export async function readBytes(path: string, options: ReadOptions): Promise<Buffer> {
  if (options.pipes === true && (await stat(path)).isFIFO()) {
    const { readPipe } = await import('./readPipe.ts');
    return readPipe(path, options.most);
  }
  const { file, size } = await openRegular(path);
  try {
    if (size > options.most) throw tooLarge(options.most);
    options.total?.add(size);
    return await readAll(file, size, options.most);
  } finally {
    await file.close();
  }
}

/** Opens without waiting for a writer, and checks the opened file: the name may refer to another file by now. */
export async function openRegular(path: string): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile()) return { file, size: found.size };
  await file.close();
  throw new FileRefusal(`it is ${kindOf(found)}, not a file`);
}

export function kindOf(found: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

async function readAll(file: FileHandle, size: number, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let total = 0; ; ) {
    // Some system files report the size 0.
    const chunk = Buffer.allocUnsafe(total < size ? size - total : 65_536);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    total += bytesRead;
    if (total > most) throw tooLarge(most);
    const read = chunk.subarray(0, bytesRead);
    if (chunks.length === 0 && total === size) return read;
    chunks.push(read);
    if (bytesRead === 0 || total === size) return Buffer.concat(chunks);
  }
}

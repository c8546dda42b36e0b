import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { unpack } from './pack.ts';

/** The content of an executable. */
export interface Carried {
  /** Of this version for this platform, of no other: the folder to unpack into. */
  readonly name: string;
  /** See `pack`. */
  readonly files: Uint8Array;
  /** Node with this program in it. */
  readonly executable: string;
}

export function nodeName(platform: string): string {
  return platform === 'win32' ? 'node.exe' : 'node';
}

const unusedMs = 30 * 24 * 3_600_000;

/** The folder of the program below `parent`, unpacked if it is not there. What was not used for a month is removed. */
export function unpacked(parent: string, { name, files, executable }: Carried): string {
  const folder = join(parent, name);
  const now = new Date();
  if (existsSync(folder)) {
    utimesSync(folder, now, now);
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true }); // of an earlier process of this number
  for (const { path, content } of unpack(files)) {
    const file = join(unfinished, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  writeFileSync(join(unfinished, nodeName(process.platform)), plainNode(readFileSync(executable)), { mode: 0o755 });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was first.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  for (const other of readdirSync(parent)) {
    const path = join(parent, other);
    const used = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now.getTime() - used > unusedMs) rmSync(path, { recursive: true, force: true });
  }
  return folder;
}

/** In pieces: Node refuses to run where the text is found twice. */
const fuse = ['NODE_SEA', 'FUSE', 'fce680ab2cc467b6e072b8b5df1996b2:'].join('_');

/** Node as it was before a program was put into it: the digit after this text says whether there is one. */
export function plainNode(executable: Buffer): Buffer {
  const at = executable.indexOf(fuse);
  if (at === -1) throw new Error('this executable has no program');
  executable.write('0', at + fuse.length);
  return executable;
}

/** The program of the executable: unpacks its files, once per user, and runs Gantry from there. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getAsset } from 'node:sea';
import { privateFolder } from '../../project/files/compileCache.ts';
import { unpack } from './pack.ts';

const local = process.env['LOCALAPPDATA'];
const permanentFolder =
  process.platform === 'win32' && local !== undefined
    ? join(local, 'gantry', 'programs') // only for this user
    : privateFolder(process.env, 'programs');
// Without a safe permanent folder, the files last for this run only.
const folder = permanentFolder ?? mkdtempSync(join(tmpdir(), 'gantry-program-'));

const unusedMs = 30 * 24 * 3_600_000;

/** Split, because Node refuses to run if it finds the text twice. */
const fuse = ['NODE_SEA', 'FUSE', 'fce680ab2cc467b6e072b8b5df1996b2:'].join('_');

const program = unpacked(folder, {
  name: getAsset('name', 'utf8'),
  files: Buffer.from(getAsset('files')),
  executable: process.execPath,
});
const command = [join(program, 'node_modules/gantry/dist/cli.js'), ...process.argv.slice(2)];
const node = join(program, nodeName(process.platform));

if (permanentFolder !== undefined && process.platform !== 'win32' && process.execve !== undefined) {
  process.execve(node, [node, ...command], process.env);
}
process.on('SIGINT', () => {}); // the terminal sends it to both
const { status, signal, error } = spawnSync(node, command, { stdio: 'inherit' });
if (permanentFolder === undefined) rmSync(folder, { recursive: true, force: true });
if (error !== undefined) process.stderr.write(`error cli.executable: ${node} cannot be started: ${error.message}\n`);
process.exitCode = status ?? (signal === null ? 1 : 128 + constants.signals[signal]);

/** The content of an executable. */
interface Carried {
  /** The folder to unpack into, unique to this version and platform. */
  readonly name: string;
  /** See `pack`. */
  readonly files: Uint8Array;
  /** Node that contains this program. */
  readonly executable: string;
}

function nodeName(platform: string): string {
  return platform === 'win32' ? 'node.exe' : 'node';
}

/** The folder of the program below `parent`, unpacked if missing. Folders unused for a month are removed. */
function unpacked(parent: string, { name, files, executable }: Carried): string {
  const folder = join(parent, name);
  const now = new Date();
  if (existsSync(folder)) {
    utimesSync(folder, now, now);
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true }); // from an earlier process with this id
  for (const { path, content } of unpack(files)) {
    const file = join(unfinished, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  writeFileSync(join(unfinished, nodeName(process.platform)), plainNode(readFileSync(executable)), { mode: 0o755 });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was faster.
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

/** Node before a program was put into it: the digit after this text tells whether there is one. */
function plainNode(executable: Buffer): Buffer {
  const at = executable.indexOf(fuse);
  if (at === -1) throw new Error('this executable has no program');
  executable.write('0', at + fuse.length);
  return executable;
}

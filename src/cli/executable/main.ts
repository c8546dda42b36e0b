/** The program of the executable: unpacks what it carries, once for this user, and runs Gantry there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAsset } from 'node:sea';
import { privateFolder } from '../../project/files/compileCache.ts';
import { nodeName, unpacked } from './unpack.ts';

const local = process.env['LOCALAPPDATA'];
const kept =
  process.platform === 'win32' && local !== undefined
    ? join(local, 'gantry', 'programs') // of this user alone
    : privateFolder(process.env, 'programs');
// Where nothing can be kept safely, it lasts for this run.
const folder = kept ?? mkdtempSync(join(tmpdir(), 'gantry-program-'));
const program = unpacked(folder, {
  name: getAsset('name', 'utf8'),
  files: Buffer.from(getAsset('files')),
  executable: process.execPath,
});
const command = [join(program, 'node_modules/gantry/dist/cli.js'), ...process.argv.slice(2)];
const node = join(program, nodeName(process.platform));

if (kept !== undefined && process.platform !== 'win32' && process.execve !== undefined) {
  process.execve(node, [node, ...command], process.env);
}
process.on('SIGINT', () => {}); // the terminal sends it to both
const { status, signal, error } = spawnSync(node, command, { stdio: 'inherit' });
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
if (error !== undefined) process.stderr.write(`error cli.executable: ${node} cannot be started: ${error.message}\n`);
process.exitCode = status ?? (signal === null ? 1 : 128 + constants.signals[signal]);

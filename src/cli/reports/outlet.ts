import { accessSync, closeSync, constants, openSync, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemReason } from '../../automation/files/fileRefusal.ts';
import { writeWhole } from '../../automation/files/writeWhole.ts';
import { ToolError } from '../../errors/toolError.ts';
import type { Report } from '../../report/model/report.ts';
import { UsageError } from '../line/usageError.ts';
import { isReportFile } from './isReport.ts';
import { parseTarget, type Target } from './target.ts';

/** A report that can be written: its form is loaded, and its file was tried. */
export interface Outlet extends Target {
  /** Absolute, links followed. */
  readonly path: string;
  readonly render: (report: Report) => string;
}

/**
 * Everything that can be wrong with reports is found before the command begins. `taken`: another file that the command
 * writes. Errors: `cli.usage`, `report.unwritable`.
 */
export async function openOutlets(
  targets: readonly string[],
  { cwd, taken }: { readonly cwd: string; readonly taken: string | undefined },
): Promise<readonly Outlet[]> {
  const parsed = targets.map(parseTarget).map((target) => ({ ...target, path: realPath(resolve(cwd, target.file)) }));
  const used = new Map(taken === undefined ? [] : [[realPath(resolve(cwd, taken)), `--out ${taken}`]]);
  for (const { file, path } of parsed) {
    const other = used.get(path);
    if (other !== undefined) {
      throw new UsageError(`--report ${file} and ${other} are the same file`, 'Give each of them a file of its own.');
    }
    used.set(path, `--report ${file}`);
  }
  for (const { file, path } of parsed) tryFile(file, path);
  return Promise.all(parsed.map(async (target) => ({ ...target, render: await target.form.load() })));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path)); // it is not there yet
    } catch {
      return path; // nor is its folder, which is told when it is tried
    }
  }
}

function tryFile(file: string, path: string): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) throw unwritable(file, 'it is a folder');
    if (there !== undefined) accessSync(path, constants.W_OK);
    if (!isReplaced(there)) return;
    if (there !== undefined && !isReportFile(path)) throw unwritable(file, 'it exists, and is no report');
    const folder = dirname(path);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw unwritable(file, noFolder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof ToolError ? error : unwritable(file, whyNot(error));
  }
}

/** A pipe and a device stay what they are, and are written into. */
function isReplaced(there: Stats | undefined): boolean {
  return there === undefined || there.isFile();
}

/** Whole or not at all. Errors: `report.unwritable`. */
export function writeReport({ file, path }: Outlet, text: string): void {
  try {
    if (isReplaced(statSync(path, { throwIfNoEntry: false }))) writeWhole(path, text, 0o666);
    else writeInto(path, text);
  } catch (error) {
    throw unwritable(file, whyNot(error));
  }
}

/** Of a pipe that nobody reads that is an error, where else it would wait for a reader in silence. */
function writeInto(path: string, text: string): void {
  const first = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    writeFileSync(path, text);
  } finally {
    closeSync(first);
  }
}

const noFolder = 'its folder is not there';

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return noFolder;
  if (code === 'ENXIO') return 'it is a pipe that nobody reads';
  return code === 'EACCES' || code === 'EPERM' ? 'it may not be written' : systemReason(error);
}

function unwritable(file: string, why: string): ToolError {
  return new ToolError({
    code: 'report.unwritable',
    message: `the report ${file} cannot be written: ${why}`,
    hint: 'Give --report a new file, or an earlier report, in a folder that is there and may be written.',
    place: { file },
  });
}

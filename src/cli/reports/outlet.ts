import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';
import { formNamed, formOfFile, type ReportForm, reportForms } from '../../report/forms.ts';
import type { Report } from '../../report/model/report.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { isReportFile } from './isReport.ts';
import { noReport, unwritable, unwritableBy } from './unwritable.ts';

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
    if (there?.isDirectory() === true || file.endsWith(sep)) throw unwritable('EISDIR', file);
    if (there !== undefined) accessSync(path, constants.W_OK);
    if (!isReplaced(there)) return;
    if (there !== undefined && !isReportFile(path)) throw noReport(file);
    tryFolder(dirname(path));
  } catch (error) {
    throw error instanceof ToolError ? error : unwritableBy(error, file);
  }
}

/** What cannot be seen by looking is found too: a full disk, a quota, a file system that only reads. */
function tryFolder(folder: string): void {
  const trial = join(folder, `.gantry-${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(trial, ' '.repeat(trialBytes), { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(trial, { force: true });
  }
}

/** As a small report needs. */
const trialBytes = 64 * 1024;

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
    throw unwritableBy(error, file);
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

/** Where one report goes, and how it is told. */
interface Target {
  readonly form: ReportForm;
  /** As it was given. */
  readonly file: string;
}

/** `FILE`, or `FORMAT:FILE`. Errors: `cli.usage`. */
export function parseTarget(text: string): Target {
  const [, prefix, rest = ''] = /^([A-Za-z][\w-]+):(.*)$/s.exec(text) ?? [];
  const file = prefix === undefined ? text : rest;
  if (file === '' || file === '-') throw new UsageError(`--report ${text} names no file`, 'Give it as --report FILE.');
  if (prefix === undefined) return { form: formOfFile(file) ?? unknownEnding(file), file };
  return { form: formNamed(prefix) ?? unknownForm(prefix, text), file };
}

function unknownEnding(file: string): never {
  const endings = reportForms.flatMap((form) => form.endings).join(', ');
  throw new UsageError(
    `--report ${file}: its name does not tell the format of the report`,
    `Use one of the extensions ${endings}, or name the format, as in --report ${reportForms[0]?.name}:${file}.`,
  );
}

function unknownForm(prefix: string, text: string): never {
  throw new UsageError(
    `--report ${text}: there is no format ${prefix}`,
    `The formats are ${reportForms.map(({ name }) => name).join(', ')}. A file with a colon in its name: --report ./${text}.`,
  );
}

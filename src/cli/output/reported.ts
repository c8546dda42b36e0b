import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isArray, isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { ToolError } from '../../base/toolError.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';
import { formNamed, formOfFile, type ReportForm, reportForms } from '../../report/forms.ts';
import { githubAnnotations } from '../../report/githubAnnotations.ts';
import type { Report } from '../../report/report.ts';
import type { CommandContext } from '../../terminal/context.ts';
import { cutShort, type Ending } from '../../terminal/ending.ts';
import { renderError } from '../../terminal/errorText.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { version } from '../../terminal/version.ts';
import { annotates } from './annotates.ts';
import { Collected } from './collected.ts';
import { makeReport } from './makeReport.ts';
import type { ReportWish } from './reportOption.ts';

/**
 * Runs a command and writes its reports in any case, even if a signal ends the process. A report that finally cannot be
 * written is reported as an error. It turns success into failure, but changes no other exit code.
 */
export async function runReported<O extends OutputOptions & { readonly out?: string }>(
  { command, targets }: ReportWish,
  context: CommandContext<O>,
  run: (context: CommandContext<O>) => Promise<Ending>,
): Promise<Ending> {
  const { cwd, options } = context;
  const outlets = await openOutlets(targets, { cwd, outFile: options.out });
  const { collected, observed } = await Collected.listen(
    context,
    outlets.some(({ form }) => form.proofs),
  );
  const write = (ended: unknown): readonly string[] => {
    const report = makeReport(command, collected, ended, context.environment);
    // To standard error, which GitHub also reads: standard output may contain a document.
    if (annotates(context)) for (const line of githubAnnotations(report)) context.terminal.draw(`${line}\n`);
    return writeAll(outlets, report, context);
  };
  const onExit = (code: number): void => void write(cutShort(code));
  process.once('exit', onExit);
  const settled = await run(observed).then(
    (ending) => ({ ending }),
    (error: unknown) => ({ error }),
  );
  process.off('exit', onExit);
  if ('error' in settled) {
    write(settled.error);
    throw settled.error;
  }
  const unwrittenFiles = write(settled.ending);
  return unwrittenFiles.length === 0 || typeof settled.ending !== 'number'
    ? settled.ending
    : unwrittenError(unwrittenFiles);
}

/** The files that could not be written, after reporting each error. */
function writeAll(
  outlets: readonly Outlet[],
  report: Report,
  { terminal }: Pick<CommandContext, 'terminal'>,
): readonly string[] {
  return outlets.flatMap((outlet) => {
    try {
      writeReport(outlet, outlet.render(report));
      return [];
    } catch (error) {
      terminal.message(renderError(error, { gantry: version, node: process.version }, terminal.messagePalette));
      return [outlet.file];
    }
  });
}

function unwrittenError(files: readonly string[]): ToolError {
  return new ToolError({
    code: 'report.unwritten',
    message: `the command succeeded, but not every report could be written: ${files.join(', ')}`,
    hint: 'What the command did remains in effect; for a plan that was saved, gantry show FILE --report writes them again.',
  });
}

/** A report that can be written: its form is loaded, and its file was tested. */
interface Outlet extends Target {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly render: (report: Report) => string;
}

/**
 * Finds all errors of reports before the command begins. `outFile`: another file that the command writes. Errors:
 * `cli.usage`, `report.unwritable`.
 */
export async function openOutlets(
  targets: readonly string[],
  { cwd, outFile }: { readonly cwd: string; readonly outFile: string | undefined },
): Promise<readonly Outlet[]> {
  const parsed = targets.map(parseTarget).map((target) => ({ ...target, path: realPath(resolve(cwd, target.file)) }));
  const usedFiles = new Map(outFile === undefined ? [] : [[realPath(resolve(cwd, outFile)), `--out ${outFile}`]]);
  for (const { file, path } of parsed) {
    const other = usedFiles.get(path);
    if (other !== undefined) {
      throw new UsageError(`--report ${file} and ${other} are the same file`, 'Give each of them a file of its own.');
    }
    usedFiles.set(path, `--report ${file}`);
  }
  for (const { file, path } of parsed) tryFile(file, path);
  return Promise.all(parsed.map(async (target) => ({ ...target, render: await target.form.load() })));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path)); // it does not exist yet
    } catch {
      return path; // its folder is missing too; `tryFile` reports that
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

/** Also finds invisible causes: a full disk, a quota, a read-only file system. */
function tryFolder(folder: string): void {
  const trial = join(folder, `.gantry-${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(trial, ' '.repeat(trialBytes), { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(trial, { force: true });
  }
}

/** The size of a small report. */
const trialBytes = 64 * 1024;

/** Whether the file is replaced: pipes and devices are written into instead. */
function isReplaced(there: Stats | undefined): boolean {
  return there === undefined || there.isFile();
}

/** Atomic. Errors: `report.unwritable`. */
export function writeReport({ file, path }: Outlet, text: string): void {
  try {
    if (isReplaced(statSync(path, { throwIfNoEntry: false }))) writeWhole(path, text, 0o666);
    else writeInto(path, text);
  } catch (error) {
    throw unwritableBy(error, file);
  }
}

/** Fails for a pipe without a reader, instead of silently waiting for one. */
function writeInto(path: string, text: string): void {
  const first = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    writeFileSync(path, text);
  } finally {
    closeSync(first);
  }
}

/** The destination of one report. */
interface Target {
  readonly form: ReportForm;
  /** As given. */
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

interface Reason {
  readonly why: string;
  readonly fix: string;
}

const freeSpaceHint = 'Free some space, or give --report a file on another disk.';

/** By system error code. */
const reasons = {
  ENOENT: {
    why: 'its folder does not exist',
    fix: 'Create the folder first, or give --report a file in an existing folder.',
  },
  ENOTDIR: { why: 'a part of its path is a file', fix: 'Give --report a path that leads through folders only.' },
  EISDIR: { why: 'it is a folder', fix: 'Give --report the name of a file in that folder.' },
  EACCES: { why: 'you are not permitted to write it', fix: 'Give --report a file in a folder that you can write to.' },
  EPERM: { why: 'you are not permitted to write it', fix: 'Give --report a file in a folder that you can write to.' },
  EROFS: { why: 'its file system is read-only', fix: 'Give --report a file in another folder.' },
  ENOSPC: { why: 'no space is left on its disk', fix: freeSpaceHint },
  EDQUOT: { why: 'the quota of its disk is used up', fix: freeSpaceHint },
  ENAMETOOLONG: { why: 'its name is too long', fix: 'Give --report a shorter name.' },
  ELOOP: { why: 'its links lead in a circle', fix: 'Give --report a path without that link.' },
  ENXIO: { why: 'it is a pipe that nobody reads', fix: 'Start the reader of the pipe first, or give --report a file.' },
  EMFILE: { why: 'this process has too many open files', fix: 'Raise the limit of open files: ulimit -n.' },
} as const satisfies Readonly<Record<string, Reason>>;

type Code = keyof typeof reasons;

/** The error for a report that the system refused to write. `file`: as given. */
export function unwritableBy(error: unknown, file: string): ToolError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isKnown(code)) return unwritable(code, file);
  return errorOf(file, { why: systemReason(error), fix: 'Give --report another file.' });
}

function unwritable(code: Code, file: string): ToolError {
  return errorOf(file, reasons[code]);
}

/** A file that is not a report must not be replaced. */
function noReport(file: string): ToolError {
  return errorOf(file, {
    why: 'it exists and is not a report',
    fix: 'Give --report a new file, or an earlier report.',
  });
}

function isKnown(code: unknown): code is Code {
  return typeof code === 'string' && Object.hasOwn(reasons, code);
}

function errorOf(file: string, { why, fix }: Reason): ToolError {
  return new ToolError({
    code: 'report.unwritable',
    message: `the report ${file} cannot be written: ${why}`,
    hint: fix,
    place: { file },
  });
}

/** Larger files are not reports: no tool could read them. */
const mostBytes = 2 ** 28;

/** Whether the file is empty or a report of an earlier run, in any form. Errors: those of the system. */
function isReportFile(path: string): boolean {
  return statSync(path).size <= mostBytes && isReport(readFileSync(path, 'utf8'));
}

/** Whether the whole text has marks of a report that no other tool writes: files of others are never replaced. */
function isReport(text: string): boolean {
  return text.trim() === '' || texts.some((isForm) => isForm(text)) || isDocument(jsonIn(text));
}

const texts: readonly ((text: string) => boolean)[] = [
  // HTML
  (text) =>
    /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="content-security-policy"/.test(
      text,
    ) &&
    text.includes('<div id="page" aria-busy="true"></div>') &&
    text.includes('<script type="application/json" id="report">'),
  // Markdown
  (text) => /^<!-- gantry report stack=\S+ env=\S+ -->\s/.test(text),
  // JUnit
  (text) =>
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*<testsuites name="gantry" [^>]*>\s*<testsuite name="gantry [^>]*>/.test(
      text,
    ),
];

function isDocument(value: unknown): boolean {
  if (isArray(value)) return value.every((issue) => stringOf(issue, 'engine_name') === 'gantry');
  if (!isObject(value)) return false;
  return isSarif(value) || isError(value) || isResult(value) || areStacks(value);
}

function stringOf(value: unknown, key: string): string | undefined {
  return isObject(value) ? stringAt(value, key) : undefined;
}

function isSarif(value: JsonObject): boolean {
  const runs = own(value, 'runs');
  if (!isArray(runs) || runs.length !== 1 || stringAt(value, '$schema')?.includes('sarif') !== true) return false;
  return runs.every((run) => isObject(run) && stringAt(objectAt(objectAt(run, 'tool'), 'driver'), 'name') === 'gantry');
}

type Test = (value: unknown) => boolean;
const text: Test = (value) => typeof value === 'string';
const count: Test = (value) => typeof value === 'number';
const flag: Test = (value) => typeof value === 'boolean';
const plan = { formatVersion: count, org: text, stack: text };

/** The members that each command's document always has; it may have more. */
const results: readonly Readonly<Record<string, Test>>[] = [
  {
    ...plan,
    refused: flag,
    changes: isArray,
    refusals: isArray,
    notes: isArray,
    requests: isObject,
    summary: isObject,
  },
  { ...plan, drifted: flag, declarationsKnown: flag, resources: isArray, requests: count, summary: isObject },
  { ...plan, resource: text, action: text, reason: text, requests: isArray, choices: isArray, fields: isArray },
  { valid: flag, resources: count, problems: isArray },
];

/** Whether it is a result. With `gantry` it is a saved plan, or another file that names its own type. */
function isResult(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'gantry')) return false;
  return results.some((members) => Object.entries(members).every(([key, is]) => is(own(value, key))));
}

/** Whether it has the results of several stacks, perhaps incomplete. */
function areStacks(value: JsonObject): boolean {
  const stacks = own(value, 'stacks');
  if (!isArray(stacks) || !hasOnly(value, ['stacks', 'error'])) return false;
  return stacks.every((each) => isObject(each) && (isResult(each) || isError(each)));
}

/** Whether it is a failure without a result. */
function isError(value: JsonObject): boolean {
  const error = objectAt(value, 'error');
  const isCode = /^[a-z]+(?:\.[a-z-]+)*$/.test(stringAt(error, 'code') ?? '');
  return hasOnly(value, ['error']) && isCode && text(own(error, 'message')) && text(own(error, 'retry'));
}

function hasOnly(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

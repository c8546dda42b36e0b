import { ToolError } from '../../base/toolError.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';

interface Reason {
  readonly why: string;
  readonly fix: string;
}

const full = 'Free some space, or give --report a file on another disk.';

/** By the code of the system. */
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
  ENOSPC: { why: 'no space is left on its disk', fix: full },
  EDQUOT: { why: 'the quota of its disk is used up', fix: full },
  ENAMETOOLONG: { why: 'its name is too long', fix: 'Give --report a shorter name.' },
  ELOOP: { why: 'its links lead in a circle', fix: 'Give --report a path without that link.' },
  ENXIO: { why: 'it is a pipe that nobody reads', fix: 'Start the reader of the pipe first, or give --report a file.' },
  EMFILE: { why: 'this process has too many open files', fix: 'Raise the limit of open files: ulimit -n.' },
} as const satisfies Readonly<Record<string, Reason>>;

type Code = keyof typeof reasons;

/** Of a report that the system refused to write. `file`: as it was given. */
export function unwritableBy(error: unknown, file: string): ToolError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isKnown(code)) return unwritable(code, file);
  return errorOf(file, { why: systemReason(error), fix: 'Give --report another file.' });
}

export function unwritable(code: Code, file: string): ToolError {
  return errorOf(file, reasons[code]);
}

/** What is there is not ours to replace. */
export function noReport(file: string): ToolError {
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

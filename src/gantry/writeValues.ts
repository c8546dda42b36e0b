import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../base/toolError.ts';
import { systemReason } from '../project/files/fileRefusal.ts';
import { settingsFileName } from '../project/files/projectFiles.ts';
import { writeWhole } from '../project/files/writeWhole.ts';
import { editValues } from './editValues.ts';

export interface ValuesToWrite {
  readonly from: string;
  readonly to: string;
  /** Below `values` of both environments. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * Writes values of one environment into another, in `gantry.yaml` of the folder: whole or not at all, with everything else
 * of the file as it is. Errors: `promote.unwritable`.
 */
export async function writeValues(folder: string, { from, to, paths }: ValuesToWrite): Promise<void> {
  const path = join(folder, settingsFileName);
  const { file, text, mode } = await read(path);
  const carries = paths.map((value) => ({
    from: ['environments', from, 'values', ...value],
    to: ['environments', to, 'values', ...value],
  }));
  const edited = editValues(text, carries);
  if (edited === undefined) {
    const names = paths.map((value) => `values.${value.join('.')}`).join(', ');
    throw unwritable(path, `${names} of ${to} cannot be changed without rewriting other lines`);
  }
  if ((await read(path)).text !== text) throw unwritable(path, 'somebody else has changed it meanwhile');
  try {
    writeWhole(file, edited, mode);
  } catch (error) {
    throw refused(path, error);
  }
}

interface Found {
  /** Where links lead. */
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

async function read(path: string): Promise<Found> {
  try {
    const file = await realpath(path);
    const { mode } = await stat(file);
    return { file, text: await readFile(file, 'utf8'), mode: mode & 0o777 };
  } catch (error) {
    throw refused(path, error);
  }
}

function refused(path: string, cause: unknown): ToolError {
  const hint = 'Correct that, and try again; gantry promote without --write lists the values.';
  return unwritable(path, systemReason(cause), { hint, cause });
}

function unwritable(
  file: string,
  why: string,
  {
    hint = 'Change these values by hand; gantry promote without --write lists them.',
    cause,
  }: { readonly hint?: string; readonly cause?: unknown } = {},
): ToolError {
  return new ToolError({
    code: 'promote.unwritable',
    message: `${file} was not changed: ${why}`,
    hint,
    place: { file },
    ...(cause === undefined ? {} : { cause }),
  });
}

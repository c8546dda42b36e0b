import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { replaceFile, writeNewFile } from '../../project/files/writeWhole.ts';

/** A file that a command creates or extends. */
export interface ProjectFile {
  /** Relative to the folder of the project. */
  readonly path: string;
  readonly text: string;
  /** The present text of the file; undefined if it does not exist. */
  readonly before: string | undefined;
  readonly isExecutable?: boolean;
}

export interface WrittenFile {
  readonly path: string;
  readonly change: 'created' | 'extended' | 'unchanged';
}

export function writtenFiles(files: readonly ProjectFile[]): readonly WrittenFile[] {
  return files.map(({ path, text, before }) => ({
    path,
    change: before === undefined ? 'created' : text === before ? 'unchanged' : 'extended',
  }));
}

export function writtenLine({ path, change }: WrittenFile): string {
  return `  ${change.padEnd('unchanged'.length)}  ${path}`;
}

/** The text of a file; undefined if it does not exist. Errors: `init.files`. */
export async function textOf(folder: string, path: string): Promise<string | undefined> {
  const file = join(folder, path);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable(file, 'read', error);
  }
}

async function write(folder: string, { path, text, before, isExecutable = false }: ProjectFile): Promise<void> {
  const file = join(folder, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    if (before === undefined) await writeNewFile(file, text, isExecutable ? 0o755 : 0o644);
    else await replaceFile(file, text);
  } catch (error) {
    throw unusable(file, 'written', error);
  }
}

function unusable(file: string, verb: 'read' | 'written', cause: unknown): ToolError {
  return new ToolError({
    code: 'init.files',
    message: `${file} cannot be ${verb}: ${systemReason(cause)}`,
    hint: 'Choose another --dir, or correct the permissions of this one. A second run goes on where this one ended.',
    cause,
  });
}

interface Overwriting {
  /** Files whose new text includes the old one. */
  readonly extended?: ReadonlySet<string>;
  readonly hint?: string;
}

/** Writes changed files. A file with other content is never overwritten. Errors: `init.exists`, `init.files`. */
export async function writeProject(
  folder: string,
  files: readonly ProjectFile[],
  { extended = new Set(), hint = 'Choose another --dir, or move them away.' }: Overwriting = {},
): Promise<void> {
  const taken = files.filter(
    ({ path, text, before }) => before !== undefined && before !== text && !extended.has(path),
  );
  if (taken.length > 0) {
    throw new ToolError({
      code: 'init.exists',
      message: ['these files exist already; nothing was written:', ...taken.map(({ path }) => path)].join('\n'),
      hint,
    });
  }
  for (const file of files) if (file.text !== file.before) await write(folder, file);
}

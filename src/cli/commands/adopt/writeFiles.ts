import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { ToolError } from '../../../base/toolError.ts';
import type { AdoptionFile, AdoptionLayout } from '../../../gantry/adopting/adoptionFiles.ts';
import { stackNameOf } from '../../../project/settings/settings.ts';
import { ask } from '../../../terminal/ask.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';

import type { AdoptOptions } from './options.ts';

/** What is written, and where to. */
export interface WrittenLayout extends AdoptionLayout {
  /** Absolute. Undefined: standard output. */
  readonly out: { readonly path: string; readonly folder: boolean } | undefined;
}

/** A file, as it is written. */
interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Where `--out` leads: a folder if it is one, ends with a slash, or has no ending of a file. Code of a stack that no
 * setting names has the name of the folder that it is in.
 */
export async function layoutOf(
  { options, cwd }: CommandContext<AdoptOptions>,
  named: string | undefined,
): Promise<WrittenLayout> {
  const { format, out } = options;
  const stackIn = (folder: string) => named ?? stackNameOf(basename(folder));
  if (out === undefined) return { format, out, stack: stackIn(cwd), split: false };
  const path = resolve(cwd, out);
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() ?? (out.endsWith('/') || !/\.[cm]?(?:ya?ml|ts)$/.test(out));
  return { format, out: { path, folder }, stack: stackIn(folder ? path : dirname(path)), split: folder };
}

/** The files where they are to be written. */
export function pathsOf(
  files: readonly AdoptionFile[],
  out: NonNullable<WrittenLayout['out']>,
): readonly WrittenFile[] {
  return files.map(({ name, text }) => ({ path: out.folder ? `${out.path}/${name}` : out.path, text }));
}

/**
 * Writes the files, none of them if one is there already and nobody wants it overwritten.
 *
 * Errors: `adopt.exists`.
 */
export async function writeFiles(files: readonly WrittenFile[], context: CommandContext<AdoptOptions>): Promise<void> {
  const there = await Promise.all(
    files.map(({ path }) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  const existing = there.flat();
  const overwrite = existing.length === 0 || (await mayOverwrite(existing, context));
  if (!overwrite) {
    throw new ToolError({
      code: 'adopt.exists',
      message: ['these files exist already; nothing was written:', ...existing].join('\n'),
      hint: 'Choose another --out, or add --yes to overwrite them.',
    });
  }
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: existing.includes(path) ? 'w' : 'wx' });
  }
}

async function mayOverwrite(
  existing: readonly string[],
  { options, terminal }: CommandContext<AdoptOptions>,
): Promise<boolean> {
  if (options.yes) return true;
  if (!terminal.canAsk) return false;
  return ask(`Overwrite ${existing.join(', ')}? (yes/no) `);
}

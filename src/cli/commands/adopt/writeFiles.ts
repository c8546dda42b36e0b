import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ToolError } from '../../../errors/toolError.ts';
import type { CommandContext } from '../../line/context.ts';
import { ask } from '../../terminal/ask.ts';
import type { AdoptFile, AdoptLayout } from './adoptFiles.ts';
import type { AdoptOptions } from './options.ts';

/** Where `--out` leads: a folder if it is one, ends with a slash, or has no ending of a file. */
export async function layoutOf({ options, cwd }: CommandContext<AdoptOptions>, stack: string): Promise<AdoptLayout> {
  const { format, out } = options;
  if (out === undefined) return { format, out, stack };
  const path = resolve(cwd, out);
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() ?? (out.endsWith('/') || !/\.[cm]?(?:ya?ml|ts)$/.test(out));
  return { format, out: { path, folder }, stack };
}

/**
 * Writes the files, none of them if one is there already and nobody wants it overwritten.
 *
 * Errors: `adopt.exists`.
 */
export async function writeFiles(files: readonly AdoptFile[], context: CommandContext<AdoptOptions>): Promise<void> {
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
  if (!options.input || !terminal.canAsk) return false;
  return ask(`Overwrite ${existing.join(', ')}? (yes/no) `);
}

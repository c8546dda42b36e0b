import { resolve } from 'node:path';
import { counted } from '../../../base/text/counted.ts';
import { migrateFolder, writeMigration } from '../../../gantry/terraform/migrateFolder.ts';
import { type Migration, movesFileName } from '../../../hcl/migration/migrate.ts';
import { lineDiff } from '../../../report/lineDiff.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { shellWord } from '../../../terminal/nextCommand.ts';
import { printable } from '../../../terminal/printable.ts';
import { show } from '../../../terminal/show.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import { version } from '../../../terminal/version.ts';
import { migrationForm } from '../../schemas/terraform.ts';
import type { MigrateOptions } from './options.ts';

/** Rewrites a configuration of another provider for this one; without `--write` it shows what would change. */
export async function runMigrate(context: CommandContext<MigrateOptions>, folder: string): Promise<Ending> {
  const { options, cwd } = context;
  const { names, prefix } = options;
  if ((names === undefined) === (prefix === undefined)) {
    throw new UsageError(
      'say how the other provider calls things, in one way',
      'Give a table with --names FILE, or the beginning of its types with --prefix NAME: acme for acme_app.',
    );
  }
  const root = resolve(cwd, folder);
  const migration = await migrateFolder({
    folder: root,
    names: names === undefined ? { prefix: prefix ?? '' } : { file: resolve(cwd, names) },
    version,
    project: cwd,
  });
  if (options.write) writeMigration(root, migration);
  const { files, resources, undone, lines } = migration;
  await show(context, {
    document: () =>
      migrationForm.write({
        written: options.write,
        files: files.map(({ path, before, after }) => ({ path, isNew: before === undefined, text: after })),
        resources,
        undone,
        lines,
      }),
    text: () => migrationText(migration, { isWritten: options.write, folder }),
  });
  return exitCode.ok;
}

function migrationText(
  { files, resources, undone, lines }: Migration,
  { isWritten, folder }: { readonly isWritten: boolean; readonly folder: string },
): string {
  const changes = files.flatMap(({ path, before = '', after }) => [
    `${before === '' ? '+' : '~'} ${path}`,
    ...(isWritten
      ? []
      : lineDiff(before, after).map(
          ({ sign, text }) => `${sign === '@' ? '' : sign}${sign === '@' ? `@${text}` : text}`,
        )),
  ]);
  const open = undone.map(({ file, line, what }) => `${file}:${line}: ${what}`);
  const plural = `${counted(resources.length, 'resource')} in ${counted(files.length, 'file')}`;
  return [
    ...changes,
    ...(files.length === 0
      ? ['nothing changes']
      : ['', isWritten ? `written: ${plural}` : `would change: ${plural}`, linesText(lines)]),
    ...(open.length === 0 ? [] : ['', `To do by hand (${open.length}):`, ...open]),
    ...(files.length === 0 ? [] : ['', ...nextSteps(isWritten, folder)]),
  ]
    .map(printable)
    .join('\n');
}

function linesText({ all, same, renamed }: Migration['lines']): string {
  const share = (part: number): string => `${all === 0 ? 100 : Math.floor((100 * part) / all)} %`;
  return `of ${counted(all, 'line')} ${same} stay as they are (${share(same)}), ${renamed} with other names (together ${share(same + renamed)})`;
}

function nextSteps(isWritten: boolean, folder: string): readonly string[] {
  if (!isWritten) return ['Next: the same command with --write'];
  return [
    `Next: terraform -chdir=${shellWord(folder)} init, then plan: it imports, forgets, and changes nothing`,
    `After the apply, delete ${movesFileName} in each folder, and the provider block and the requirement of the other provider`,
  ];
}

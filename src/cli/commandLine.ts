import type { Command } from 'commander';
import type { Ending } from './answer/ending.ts';
import type { CommandContext } from './context.ts';
import type { GlobalOptions } from './options.ts';

/** Runs a command with the options that were parsed for it. */
export type Launch = <O extends GlobalOptions>(
  options: O,
  run: (context: CommandContext<O>) => Promise<Ending>,
) => Promise<void>;

/** What most commands read. */
export const paths = '[path...]';
export const pathsHelp =
  'manifest files, folders, globs, a TypeScript stack file, or - for standard input (default: .)';

/** Lines of the form `$ command  # why` below the help of a command. */
export function examples(command: Command, lines: readonly (readonly [string, string])[]): void {
  const width = Math.max(...lines.map(([line]) => line.length));
  const text = lines.map(([line, why]) => `  $ ${line.padEnd(width)}  # ${why}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${text}`);
}

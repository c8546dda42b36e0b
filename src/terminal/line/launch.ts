import type { Ending } from '../answer/ending.ts';
import type { CommandContext } from './context.ts';
import type { OutputOptions } from './options.ts';

/** Runs a command with the options that were parsed for it. */
export type Launch = <O extends OutputOptions>(
  options: O,
  run: (context: CommandContext<O>) => Promise<Ending>,
) => Promise<void>;

/** The argument of most commands. */
export const paths = '[path...]';
export const pathsHelp =
  'manifest files, folders, globs, a TypeScript stack file, one stack of its app (APP/STACK), ' +
  'or - for standard input (default: .)';

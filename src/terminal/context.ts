import type { Surroundings } from '../project/session/session.ts';
import type { Answer } from './answer.ts';
import type { Ending } from './ending.ts';
import type { GlobalOptions, OutputOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** The environment of a command: effects arrive as arguments, the result is an `Ending`. */
export interface CommandContext<O extends OutputOptions = GlobalOptions> extends Surroundings {
  readonly options: O;
  readonly terminal: Terminal;
  readonly answer: Answer;
}

/** Runs a command with its parsed options. */
export type Launch = <O extends OutputOptions>(
  options: O,
  run: (context: CommandContext<O>) => Promise<Ending>,
) => Promise<void>;

/** The argument of most commands. */
export const paths = '[path...]';
export const pathsHelp =
  'manifest files, folders, globs, a TypeScript stack file, one stack of its app (APP/STACK), ' +
  'or - for standard input (default: .)';

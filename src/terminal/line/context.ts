import type { Surroundings } from '../../project/session/session.ts';
import type { Answer } from '../answer/answer.ts';
import type { Terminal } from '../terminal.ts';
import type { GlobalOptions, OutputOptions } from './options.ts';

/** The surroundings of a command: effects arrive as arguments, the result is an `Ending`. */
export interface CommandContext<O extends OutputOptions = GlobalOptions> extends Surroundings {
  readonly options: O;
  readonly terminal: Terminal;
  readonly answer: Answer;
}

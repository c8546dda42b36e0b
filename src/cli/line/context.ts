import type { Answer } from '../answer/answer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { GlobalOptions, OutputOptions } from './options.ts';

/** What a command works with: effects arrive as arguments, the result is an `Ending`. */
export interface CommandContext<O extends OutputOptions = GlobalOptions> {
  readonly options: O;
  readonly terminal: Terminal;
  readonly answer: Answer;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** For the PATH `-`. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Milliseconds, for durations only. */
  readonly now: () => number;
}

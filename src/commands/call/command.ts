import type { CommandWords } from '../../kinds/common/client.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { Noun } from '../../terminal/line/nouns.ts';
import type { GlobalOptions } from '../../terminal/line/options.ts';
import type { Api } from './api.ts';
import type { ClientFormat, TimeForm, Wording } from './format.ts';
import type { Given } from './given.ts';

/** One command, as data: help, completions and the reference are made of it. */
export interface CommandRow extends CommandWords {
  readonly load: () => Promise<Run>;
}

/** The options that all commands share. */
export interface ClientOptions extends GlobalOptions {
  readonly form: ClientFormat;
  /** `-o wide`: a table with all its columns. */
  readonly isWide: boolean;
  readonly ts: TimeForm;
  readonly words: Wording;
  /** Below 1: all. */
  readonly max: number;
  readonly verbose?: boolean;
  readonly debug?: boolean;
}

/** One call of a command. */
export interface Call {
  readonly noun: Noun;
  readonly row: CommandRow;
  readonly context: CommandContext<ClientOptions>;
  readonly args: readonly string[];
  readonly given: Given;
  /** Connects to the platform at the first call. Errors: `cli.usage` where the command line names other records. */
  readonly open: () => Promise<Api>;
}

export type Run = (call: Call) => Promise<Ending>;

import type { RefScope } from '../../kinds/readRef.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { Noun } from '../../terminal/line/nouns.ts';
import type { GlobalOptions } from '../../terminal/line/options.ts';
import type { Api } from './api.ts';
import type { ClientFormat, ResultForm, TimeForm, Wording } from './format.ts';
import type { Given } from './given.ts';

/** The records that the value of an option names. */
export interface NamedRecords {
  /** A bare name is of the first. `--target-kind`: they are of the kind that this option says. */
  readonly kinds: RefScope['kinds'] | '--target-kind';
  /** Links to other GVCs than that of the profile are legal: the record that is written belongs to the org. */
  readonly inAnyGvc?: true;
  /** The REF in the value, where the value has other parts; undefined: the value names no record. */
  readonly refIn?: (value: string) => string | undefined;
}

/** One option of a command, as data. */
export interface OptionRow {
  /** `--name <name>`; without a value it is a switch. */
  readonly flags: string;
  readonly about: string;
  /** It may be given several times. */
  readonly many?: true;
  readonly required?: true;
  /** A switch without which it has no effect, or an option that has to have a value. */
  readonly needs?: string;
  /** With `--file` the record is all in the file. */
  readonly notWithFile?: true;
  readonly names?: NamedRecords;
  /** The values that a shell offers, from the record that the command is about or from its kind. */
  readonly completes?: 'tags' | 'keys' | 'paths' | 'permissions';
  readonly choices?: readonly string[];
  readonly usual?: string;
  /** The value of the text; throws commander's `InvalidArgumentError`. */
  readonly parse?: (text: string) => number;
}

/** One command, as data: help, completions and the reference are made of it. */
export interface CommandRow {
  /** Several words where it is one of a group: `snapshot create`. */
  readonly verb: string;
  readonly about: string;
  /** `<ref>`, `[ref...]`. */
  readonly args?: readonly string[];
  readonly options?: readonly OptionRow[];
  /** The form of its result, which decides on its formats. @default 'records' */
  readonly result?: ResultForm;
  /** The requests behind it, for the reference. */
  readonly calls?: string;
  /** The words after the name of the program, and the reason for them. */
  readonly examples?: readonly (readonly [string, string])[];
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

import type { JsonObject } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';

/** The form of the result of a command, which decides on its formats. */
export type ResultForm = 'records' | 'items' | 'document';

/** The records that the value of an option names. */
export interface NamedRecords {
  /** A bare name is of the first. `--target-kind`: they are of the kind that this option says. */
  readonly kinds: readonly [Kind, ...Kind[]] | '--target-kind';
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
  /** The form of its value, where that is no text: a number of any kind, a whole one from 0 on, a limit, a time to wait. */
  readonly is?: 'number' | 'count' | 'max' | 'waitTimeout';
}

/** The words about a command in help, completions and the reference. */
export interface CommandWords {
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
}

/** The values of the options of a command line, by their camel-case names. */
export interface OptionValues {
  text(name: string): string | undefined;
  /** Of an option that may be given several times. */
  list(name: string): readonly string[];
  count(name: string): number | undefined;
  flag(name: string): boolean;
  /** Was it given, whatever its default is? */
  isWritten(name: string): boolean;
}

/** The records that the options of a command line name. */
export interface OptionLinks {
  /** The full links to those of one option, each once. */
  of(option: string): readonly string[];
  /** One for each of its values. */
  each(option: string): readonly string[];
  /** The query of the options `--query-…`, about this kind where they name none; undefined: none is given. */
  query(kind: Kind): JsonObject | undefined;
}

/** The patch of a record, made of the record as it is. Errors: `cli.usage`. */
export type Change = (record: JsonObject, options: OptionValues, links: OptionLinks) => JsonObject;

/** A command that only one kind has (platform/clients.kinds). */
export type Verb = CommandWords & {
  /** It deletes what others may need: the options of every deletion are added. */
  readonly deletes?: true;
} & (
    | {
        readonly change: Change;
      }
    | {
        /** The name of what it does, in `commands/run/runs.ts`. */
        readonly run: string;
      }
  );

/** One column of a table. Those with the rank 5 go first where the terminal is narrow, those without a rank never. */
export interface Column {
  readonly title: string;
  /** A title for tables that are too wide with this one. */
  readonly short?: string;
  readonly rank?: number;
  /** Prose: it may be cut. Cells of other columns stay whole. */
  readonly isProse?: true;
  readonly of: (record: JsonObject) => string;
  /** The value for `-o wide`. */
  readonly wide?: (record: JsonObject) => string;
  /** It holds a time, in ISO 8601. */
  readonly isTime?: true;
}

/**
 * The columns that several kinds have, or that tell how ready something is: in how many of its locations (`ready`), or in
 * one of them, in words (`readiness`).
 */
export type SharedColumn = 'name' | 'description' | 'created' | 'gvc' | 'origin' | 'tags' | 'ready' | 'readiness';

/** The facts of a kind that only `gantry KIND VERB` needs. No plan loads them. */
export interface ClientFacts {
  /** The columns of its table (platform/clients.columns). @default the name, the description, the time and the tags */
  readonly columns?: readonly (SharedColumn | Column)[];
  /** The options of `create` beside the name, the description, tags and a file (platform/clients.kinds). */
  readonly createOptions?: readonly OptionRow[];
  /** The body that these come to, without what all kinds have. Errors: `cli.usage`. @default an empty one */
  readonly create?: (options: OptionValues, links: OptionLinks) => JsonObject;
  /** The commands of this kind alone. */
  readonly verbs?: readonly Verb[];
}

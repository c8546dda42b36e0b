import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { UsageError } from '../../base/usageError.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { lastSegment } from '../../schema/record/ref.ts';

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

export function member(title: string, ...path: readonly string[]): Column {
  return { title, rank: 2, of: (record) => at(record, ...path) };
}

export function time(title: string, key: string): Column {
  return { title, rank: 1, of: (record) => stringAt(record, key) ?? '', isTime: true };
}

/** The names at the ends of links. */
export function lastNames(title: string, list: (record: JsonObject) => readonly JsonValue[]): Column {
  return {
    title,
    rank: 3,
    of: (record) =>
      list(record)
        .map((each) => lastSegment(plain(each)))
        .join(' '),
  };
}

/** The value at a path, as text. */
export function at(record: JsonObject, ...path: readonly string[]): string {
  let value: JsonValue | undefined = record;
  for (const key of path) value = fieldIn(value, key);
  return plain(value);
}

export function plain(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
}

/** An option for a number of any kind. */
export function numberOption(flags: string, about: string, more: Partial<OptionRow>): OptionRow {
  return { flags, about, is: 'number', ...more };
}

/** An option for a whole number, 0 or more. */
export function countOption(flags: string, about: string, more: Partial<OptionRow> = {}): OptionRow {
  return { flags, about, is: 'count', ...more };
}

/** The same option, which cannot be left out. */
export function required(option: OptionRow): OptionRow {
  return { ...option, required: true };
}

/** The same option of a creation: help says that it is needed where no file has it. */
export function unlessFile(option: OptionRow): OptionRow {
  return { ...option, about: `${option.about} (required without --file)` };
}

export const nameOption: OptionRow = { flags: '--name <name>', about: 'name of the record' };
export const descriptionOption: OptionRow = { flags: '--description <text>', about: 'description of the record' };
export const tagOption: OptionRow = {
  flags: '--tag <key=value>',
  about: 'a tag; KEY:VALUE is always text',
  many: true,
};
export const bodyFileOption: OptionRow = {
  flags: '-f, --file <path>',
  about: 'the record as YAML or JSON; - is standard input',
};
/** With `=` it is a variable, as in the platform's own client; no environment has such a name. */
export const envOption: OptionRow = {
  flags: '--env <key=value>',
  about: 'an environment variable; without =, an environment of gantry.yaml',
  many: true,
};
const locationNames: NamedRecords = { kinds: ['location'] };
export const locationsOption: OptionRow = {
  flags: '--location <name>',
  about: 'a location',
  many: true,
  names: locationNames,
};
export const oneLocation: OptionRow = {
  flags: '--location <name>',
  about: 'only in this location',
  names: locationNames,
};
/** The image of a container is often not a record: only a link is one. */
export const imageNames: NamedRecords = {
  kinds: ['image'],
  refIn: (value) => (value.startsWith('/') ? value : undefined),
};
export const askOptions: readonly OptionRow[] = [{ flags: '-y, --yes', about: 'do not ask' }];
export const waitOptions: readonly OptionRow[] = [
  { flags: '--wait', about: 'follow the command to its end' },
  {
    flags: '--wait-timeout <duration>',
    about: 'stop following after 30s, 5m, 1h',
    is: 'waitTimeout',
    needs: '--wait',
  },
];

/** The options of a query; `prefix` for one that is stored in a record. */
export function queryOptions(prefix = ''): readonly OptionRow[] {
  return [
    {
      flags: `--${prefix}match <how>`,
      about: 'which terms a record must match',
      choices: ['all', 'any', 'none'],
      usual: 'all',
    },
    {
      flags: `--${prefix}property <term>`,
      about: 'a property: NAME=VALUE (or != > >= < <= ~), NAME if it is set, NAME! if not, ~TEXT for text in any',
      many: true,
    },
    { flags: `--${prefix}tag <term>`, about: 'the same for a tag', many: true },
    { flags: `--${prefix}rel <term>`, about: 'the same for the name of a linked record', many: true },
  ];
}

/** `KEY=VALUE`; undefined where there is no `=`, or no key. */
export function pairOf(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

/** `KEY=VALUE` as environment variables. Errors: `cli.usage`. */
export function envOf(given: readonly string[]): readonly JsonObject[] {
  return given.map((text) => {
    const pair = pairOf(text);
    if (pair === undefined) throw new UsageError(`--env ${text} has no value`, 'Write --env KEY=VALUE.');
    const [name, value] = pair;
    return { name, value };
  });
}

/** An option that a creation of this form does not use would be lost without a word. Errors: `cli.usage`. */
export function requireUnwritten(options: OptionValues, names: readonly string[], where: string): void {
  const lost = names.find((name) => options.isWritten(name));
  if (lost === undefined) return;
  const flag = `--${lost === 'finalSnapshot' ? 'no-final-snapshot' : lost.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UsageError(`${flag} has no effect ${where}`, `Leave out ${flag}.`);
}

/** The names of locations by their links. Errors: `cli.usage` where one is not among those that are there. */
export function locationsThere(links: readonly string[], there: readonly string[]): ReadonlySet<string> {
  const names = links.map(lastSegment);
  const missing = names.find((name) => !there.includes(name));
  if (missing === undefined) return new Set(names);
  throw new UsageError(`the location ${missing} is not in the list`, available(there));
}

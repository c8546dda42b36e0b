import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { UsageError } from '../../base/usageError.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { lastSegment } from '../../schema/record/ref.ts';

/** The form of a command's result, which determines its formats. */
export type ResultForm = 'records' | 'items' | 'document';

/** The records that an option value refers to. */
export interface NamedRecords {
  /** A bare name is of the first kind. `--target-kind`: the kind is the value of this option. */
  readonly kinds: readonly [Kind, ...Kind[]] | '--target-kind';
  /** Links to GVCs other than the profile's are allowed: the written record belongs to the org. */
  readonly inAnyGvc?: true;
  /** The REF in the value, if the value has other parts; undefined if the value names no record. */
  readonly refIn?: (value: string) => string | undefined;
}

/** One option of a command. */
export interface OptionRow {
  /** `--name <name>`; without a value it is a switch. */
  readonly flags: string;
  readonly about: string;
  /** Whether it may be given several times. */
  readonly isRepeatable?: true;
  readonly required?: true;
  /** A switch without which it has no effect, or an option that must have a value. */
  readonly needs?: string;
  /** Not allowed with `--file`, because the file contains the whole record. */
  readonly notWithFile?: true;
  readonly names?: NamedRecords;
  /** The values for shell completion, from the record of the command or from its kind. */
  readonly completes?: 'tags' | 'keys' | 'paths' | 'permissions';
  readonly choices?: readonly string[];
  readonly defaultText?: string;
  /** The type of its value if it is not text: any number, a whole number from 0, a limit, a time to wait. */
  readonly valueType?: 'number' | 'count' | 'max' | 'waitTimeout';
}

/** The description of a command in help, completions and the reference. */
export interface CommandWords {
  /** Several words if it is in a group: `snapshot create`. */
  readonly verb: string;
  readonly about: string;
  /** For example `<ref>`, `[ref...]`. */
  readonly args?: readonly string[];
  readonly options?: readonly OptionRow[];
  /** The form of its result, which determines its formats. @default 'records' */
  readonly result?: ResultForm;
  /** The requests that it sends, for the reference. */
  readonly calls?: string;
  /** Arguments after the program name, with an explanation. */
  readonly examples?: readonly (readonly [string, string])[];
}

/** The values of command-line options, by camel-case name. */
export interface OptionValues {
  text(name: string): string | undefined;
  /** The values of an option that may be repeated. */
  list(name: string): readonly string[];
  count(name: string): number | undefined;
  flag(name: string): boolean;
  /** Whether it was given, regardless of its default. */
  isWritten(name: string): boolean;
}

/** The records that command-line options refer to. */
export interface OptionLinks {
  /** The unique full links in one option. */
  of(option: string): readonly string[];
  /** One full link for each value. */
  each(option: string): readonly string[];
  /** The query of the options `--query-…`, about this kind if they name none; undefined without such options. */
  query(kind: Kind): JsonObject | undefined;
}

/** Makes the patch of a record from the current record. Errors: `cli.usage`. */
export type Change = (record: JsonObject, options: OptionValues, links: OptionLinks) => JsonObject;

/** A command of only one kind (platform/clients.kinds). */
export type Verb = CommandWords & {
  /** Whether it deletes something that may be needed elsewhere: the options of every deletion are added. */
  readonly deletes?: true;
} & (
    | {
        readonly change: Change;
      }
    | {
        /** The name of its implementation in `commands/run/runs.ts`. */
        readonly run: string;
      }
  );

/** A table column. Columns of rank 5 are dropped first on narrow terminals, columns without a rank never. */
export interface Column {
  readonly title: string;
  /** A shorter title, used if the table would be too wide. */
  readonly shortTitle?: string;
  readonly rank?: number;
  /** Whether the text may be cut. Cells of other columns stay whole. */
  readonly isProse?: true;
  readonly of: (record: JsonObject) => string;
  /** The value for `-o wide`. */
  readonly wideValue?: (record: JsonObject) => string;
  /** Whether it contains a time, in ISO 8601. */
  readonly isTime?: true;
}

/**
 * The columns of several kinds, and those for readiness: in how many of its locations a record is ready (`ready`), or
 * whether it is in one of them, in words (`readiness`).
 */
export type SharedColumn = 'name' | 'description' | 'created' | 'gvc' | 'origin' | 'tags' | 'ready' | 'readiness';

/** The facts of a kind that only `gantry KIND VERB` needs. Plans do not load them. */
export interface ClientFacts {
  /** The columns of its table (platform/clients.columns). @default the name, the description, the time and the tags */
  readonly columns?: readonly (SharedColumn | Column)[];
  /** The options of `create` besides the name, description, tags and file (platform/clients.kinds). */
  readonly createOptions?: readonly OptionRow[];
  /** The body made from these options, without the fields of all kinds. Errors: `cli.usage`. @default an empty one */
  readonly create?: (options: OptionValues, links: OptionLinks) => JsonObject;
  /** The commands that only this kind has. */
  readonly verbs?: readonly Verb[];
}

export function member(title: string, ...path: readonly string[]): Column {
  return { title, rank: 2, of: (record) => at(record, ...path) };
}

export function time(title: string, key: string): Column {
  return { title, rank: 1, of: (record) => stringAt(record, key) ?? '', isTime: true };
}

/** A column with the last segments of links. */
export function lastNames(title: string, list: (record: JsonObject) => readonly JsonValue[]): Column {
  return {
    title,
    rank: 3,
    of: (record) =>
      list(record)
        .map((each) => lastSegment(cellText(each)))
        .join(' '),
  };
}

/** The value at a path, as text. */
export function at(record: JsonObject, ...path: readonly string[]): string {
  let value: JsonValue | undefined = record;
  for (const key of path) value = fieldIn(value, key);
  return cellText(value);
}

export function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
}

/** An option for any number. */
export function numberOption(flags: string, about: string, more: Partial<OptionRow>): OptionRow {
  return { flags, about, valueType: 'number', ...more };
}

/** An option for a whole number, 0 or more. */
export function countOption(flags: string, about: string, more: Partial<OptionRow> = {}): OptionRow {
  return { flags, about, valueType: 'count', ...more };
}

/** Makes an option required. */
export function required(option: OptionRow): OptionRow {
  return { ...option, required: true };
}

/** The same option for a creation; its help says that it is required without a file. */
export function unlessFile(option: OptionRow): OptionRow {
  return { ...option, about: `${option.about} (required without --file)` };
}

export const nameOption: OptionRow = { flags: '--name <name>', about: 'name of the record' };
export const descriptionOption: OptionRow = { flags: '--description <text>', about: 'description of the record' };
export const tagOption: OptionRow = {
  flags: '--tag <key=value>',
  about: 'a tag; KEY:VALUE is always text',
  isRepeatable: true,
};
export const bodyFileOption: OptionRow = {
  flags: '-f, --file <path>',
  about: 'the record as YAML or JSON; - is standard input',
};
/**
 * A value with `=` is a variable, as in the platform's own client; environments of gantry.yaml have no `=` in their
 * name.
 */
export const envOption: OptionRow = {
  flags: '--env <key=value>',
  about: 'an environment variable; without =, an environment of gantry.yaml',
  isRepeatable: true,
};
const locationNames: NamedRecords = { kinds: ['location'] };
export const locationsOption: OptionRow = {
  flags: '--location <name>',
  about: 'a location',
  isRepeatable: true,
  names: locationNames,
};
export const oneLocation: OptionRow = {
  flags: '--location <name>',
  about: 'only in this location',
  names: locationNames,
};
/** The image of a container is often not a record; only a link refers to one. */
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
    valueType: 'waitTimeout',
    needs: '--wait',
  },
];

/** The options of a query; with `prefix` for a stored query. */
export function queryOptions(prefix = ''): readonly OptionRow[] {
  return [
    {
      flags: `--${prefix}match <how>`,
      about: 'which terms a record must match',
      choices: ['all', 'any', 'none'],
      defaultText: 'all',
    },
    {
      flags: `--${prefix}property <term>`,
      about: 'a property: NAME=VALUE (or != > >= < <= ~), NAME if it is set, NAME! if not, ~TEXT for text in any',
      isRepeatable: true,
    },
    { flags: `--${prefix}tag <term>`, about: 'the same for a tag', isRepeatable: true },
    { flags: `--${prefix}rel <term>`, about: 'the same for the name of a linked record', isRepeatable: true },
  ];
}

/** Splits `KEY=VALUE`; undefined without `=`, or without a key. */
export function pairOf(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

/** Parses `KEY=VALUE` as environment variables. Errors: `cli.usage`. */
export function envOf(given: readonly string[]): readonly JsonObject[] {
  return given.map((text) => {
    const pair = pairOf(text);
    if (pair === undefined) throw new UsageError(`--env ${text} has no value`, 'Write --env KEY=VALUE.');
    const [name, value] = pair;
    return { name, value };
  });
}

/** Refuses options that this form of creation would silently ignore. Errors: `cli.usage`. */
export function requireUnwritten(options: OptionValues, names: readonly string[], where: string): void {
  const lost = names.find((name) => options.isWritten(name));
  if (lost === undefined) return;
  const flag = `--${lost === 'finalSnapshot' ? 'no-final-snapshot' : lost.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UsageError(`${flag} has no effect ${where}`, `Leave out ${flag}.`);
}

/** The names of linked locations. Errors: `cli.usage` if one is not in the list `there`. */
export function locationsThere(links: readonly string[], there: readonly string[]): ReadonlySet<string> {
  const names = links.map(lastSegment);
  const missing = names.find((name) => !there.includes(name));
  if (missing === undefined) return new Set(names);
  throw new UsageError(`the location ${missing} is not in the list`, available(there));
}

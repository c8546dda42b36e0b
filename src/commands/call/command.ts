import { isArray } from '../../base/json/json.ts';
import type { CommandWords, OptionValues, ResultForm } from '../../kinds/common/client.ts';
import type { OutputFormat } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import type { Noun } from '../../terminal/nouns.ts';
import type { GlobalOptions } from '../../terminal/options.ts';
import type { Api } from './api.ts';

/** One command, as data, from which help, completions and the reference are made. */
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
  /** All if below 1. */
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
  /** Connects to the platform at the first call. Errors: `cli.usage` if the command line names other records. */
  readonly open: () => Promise<Api>;
}

export type Run = (call: Call) => Promise<Ending>;

/** The options of a command line, by their camel-case names. */
export class Given implements OptionValues {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #isWritten: (name: string) => boolean;

  /** `isWritten`: whether the option is on the command line, so its value is not a default. */
  constructor(values: Readonly<Record<string, unknown>>, isWritten: (name: string) => boolean) {
    this.#values = values;
    this.#isWritten = isWritten;
  }

  /** Whether the option was given, regardless of its default. */
  isWritten(name: string): boolean {
    return this.#isWritten(name);
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** The values of a repeatable option. */
  list(name: string): readonly string[] {
    const value = this.#values[name];
    return isArray(value) ? value.map(String) : [];
  }

  count(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === 'number' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Whether the option was given or has a default. */
  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }
}

/** The formats of results of commands on single resources. */
export const clientFormats = ['text', 'json', 'yaml', 'json-slim', 'yaml-slim', 'tf', 'crd', 'names'] as const;
export type ClientFormat = (typeof clientFormats)[number];

/** The formats of `-o`: `wide` is text with all columns of its tables. */
export const writtenFormats = [...clientFormats, 'wide'] as const;

const documents = ['text', 'json', 'yaml', 'json-slim', 'yaml-slim'] as const;

/** The formats of a result, by what it contains. */
export const formatsOfResult = {
  /** Records of the platform, which its exporters can write. */
  records: clientFormats,
  /** Named items that the command composes, or the effect on them. */
  items: [...documents, 'names'],
  /** Anything else. */
  document: documents,
} as const satisfies Readonly<Record<ResultForm, readonly ClientFormat[]>>;

/** The vocabulary in which records are printed. */
export const wordings = ['neutral', 'platform'] as const;
type Wording = (typeof wordings)[number];

/** The formats available in the platform's vocabulary: those that its other clients read. */
export const wordedFormats: readonly ClientFormat[] = ['json', 'yaml', 'json-slim', 'yaml-slim', 'crd'];

/** How times are shown in tables. */
export const timeForms = ['iso', 'local', 'age'] as const;
export type TimeForm = (typeof timeForms)[number];

/** The document language of a format; `text` if it is not a document. */
export function documentFormat(format: ClientFormat): OutputFormat {
  if (format === 'json' || format === 'json-slim') return 'json';
  return format === 'yaml' || format === 'yaml-slim' ? 'yaml' : 'text';
}

export function isSlim(format: ClientFormat): boolean {
  return format === 'json-slim' || format === 'yaml-slim';
}

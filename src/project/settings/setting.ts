import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { type Place, ToolError } from '../../base/toolError.ts';
import type { Locate, Written } from '../../manifest/model/manifest.ts';

/** One setting of `gantry.yaml`: how it is read, and its JSON Schema. */
export interface Setting<T> {
  readonly schema: JsonObject;
  /** Throws what `at` makes of it where it cannot be read. Null is for `object` to leave out. */
  read(value: JsonValue, at: SettingAt): T;
}

/** The type of what a setting reads. */
export type SettingOf<S> = S extends Setting<infer T> ? T : never;

/** A text file of settings. */
export interface SettingsSource {
  /** As it is shown. */
  readonly file: string;
  /** Absolute: relative paths in the file start here. */
  readonly folder: string;
  /** The text of a value as it stands in the file, so that `1.10` stays what it is. */
  readonly written: Written;
  /** Undefined: the text of the settings is not known. */
  readonly locate?: Locate;
}

/** A place in `gantry.yaml`. */
export class SettingAt {
  readonly #source: SettingsSource;
  readonly #pointer: Pointer;

  constructor(source: SettingsSource, pointer: Pointer = []) {
    this.#source = source;
    this.#pointer = pointer;
  }

  key(name: string | number): SettingAt {
    return new SettingAt(this.#source, [...this.#pointer, name]);
  }

  /** As people name it: `environments.prod.limits`; empty for the whole file. */
  get path(): string {
    return this.#pointer.join('.');
  }

  /** Empty for the whole file. */
  get pointer(): Pointer {
    return this.#pointer;
  }

  get source(): SettingsSource {
    return this.#source;
  }

  /** The text as it stands in the file; undefined for what is quoted. */
  get written(): string | undefined {
    return this.#source.written(this.#pointer);
  }

  /** `message` goes on with the path: `must be a text`. */
  bad(message: string): ToolError {
    return badSettings(this, this.path === '' ? message : `${this.path} ${message}`);
  }
}

const hint = 'Correct gantry.yaml; gantry schema settings prints what it may hold.';

/** One thing that is wrong in `gantry.yaml`. */
export interface SettingsProblem {
  readonly message: string;
  readonly place: Place;
}

/** The error `settings.file`, with everything that one reading of the file found. */
export class SettingsError extends ToolError {
  /** In the order of the file. */
  readonly problems: readonly SettingsProblem[];

  constructor(found: readonly [SettingsProblem, ...SettingsProblem[]]) {
    const [first] = found;
    const { file } = first.place;
    const problems = found.toSorted(({ place: a }, { place: b }) => lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b));
    const isOne = found.length === 1;
    super({
      code: 'settings.file',
      message: isOne ? said(first) : [`${found.length} problems in ${file}`, ...problems.map(said)].join('\n'),
      hint,
      place: isOne ? first.place : { file },
      causes: isOne ? [] : problems.map(({ message, place }) => ({ code: 'settings.file', message, place })),
    });
    this.problems = problems;
  }
}

const lineOf = ({ line = 0 }: Place): number => line;
const columnOf = ({ column = 0 }: Place): number => column;

function said({ message, place: { file, line, column } }: SettingsProblem): string {
  return `${line === undefined ? file : `${file}:${line}:${column}`}: ${message}`;
}

/** The error `settings.file`, at a place. */
export function badSettings({ source: { file, locate }, pointer }: SettingAt, message: string): SettingsError {
  const { line, column } = locate?.(pointer) ?? {};
  const place = line === undefined || column === undefined ? { file } : { file, line, column };
  return new SettingsError([{ message, place }]);
}

/** Reads several values that are independent of each other. Errors: one `settings.file` for all that is wrong in them. */
export function readEach<T>(reads: readonly (() => T)[]): readonly T[] {
  const problems: SettingsProblem[] = [];
  const values: T[] = [];
  for (const read of reads) {
    try {
      values.push(read());
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems);
    }
  }
  const [first, ...others] = problems;
  if (first !== undefined) throw new SettingsError([first, ...others]);
  return values;
}

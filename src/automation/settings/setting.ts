import { ToolError } from '../../errors/toolError.ts';
import type { Locate, Written } from '../../manifest/model/manifest.ts';
import type { JsonObject, JsonValue } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';

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

/** The error `settings.file`, at a place. */
export function badSettings({ source: { file, locate }, pointer }: SettingAt, message: string): ToolError {
  const { line, column } = locate?.(pointer) ?? {};
  const place = line === undefined || column === undefined ? { file } : { file, line, column };
  const where = line === undefined ? file : `${file}:${line}:${column}`;
  return new ToolError({ code: 'settings.file', message: `${where}: ${message}`, hint, place });
}

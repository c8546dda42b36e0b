import { resolve } from 'node:path';
import * as read from '../../base/form/read.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { durationPattern, durationWithUnitMs } from '../../base/text/duration.ts';
import { type Place, ToolError } from '../../base/toolError.ts';
import { isSetting, settingDescription } from './settingsTable.ts';

/** A text. A number is taken as it is written. */
export const text: read.Reader<string> = {
  schema: { type: ['string', 'number'] },
  read: (value, at) => (typeof value === 'number' ? (at.written ?? String(value)) : read.text.read(value, at)),
};

/** A path, relative to the folder of the file; read as an absolute one. */
export const path = read.map(text, (value, at) => resolve(at.source.folder ?? '', value));

/** `30s`, `5m`, `1h30m`; in milliseconds. */
export const duration = read.converted(
  (value) => (typeof value === 'string' ? durationWithUnitMs(value) : undefined),
  'a duration with a unit, such as 30s, 5m or 1h',
  { type: 'string', pattern: durationPattern },
);

type Members = Readonly<Record<string, read.Reader<unknown>>>;

/** The value of an object of these members: a member that is absent, null or an empty text is undefined. */
export type MembersOf<M extends Members> = { readonly [K in keyof M]?: read.Of<M[K]> };

/** An object with these members and no others, all of which may be absent. `example`: as it is written. `isStrict`: none may be empty. */
export function object<M extends Members>(members: M, example: string, isStrict?: boolean): read.Reader<MembersOf<M>>;
export function object(members: Members, example: string, isStrict = false): read.Reader<unknown> {
  const form = read.object(read.optionals(members), { expected: `an object such as \`${example}\``, isStrict });
  return { ...form, schema: { ...form.schema, type: ['object', 'null'] } };
}

/** Settings with the descriptions of the table. */
export function worded<M extends Members>(members: M): M;
export function worded(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, setting]) => [
      name,
      isSetting(name) ? read.described(settingDescription(name), setting) : setting,
    ]),
  );
}

/** A text file of settings, as it is shown. */
export interface SettingsSource extends read.Source {
  readonly file: string;
}

/** Which file it is: the error about it. */
export interface SettingsErrorWords {
  readonly code: string;
  readonly hint: string;
}

const ofProject: SettingsErrorWords = {
  code: 'settings.file',
  hint: 'Correct gantry.yaml; gantry schema settings prints what it may hold.',
};

/** Reads one. Errors: the code of `words`. */
export function readSettings<T>(
  reader: read.Reader<T>,
  value: JsonValue,
  source: SettingsSource,
  words: SettingsErrorWords = ofProject,
): T {
  const result = read.tryRead(() => reader.read(value, new read.At({ ...source, isEmptyAbsent: true })));
  if ('value' in result) return result.value;
  throw new SettingsError(
    result.problems.map((problem) => {
      const { line, column } = source.locate?.(problem.pointer) ?? {};
      const place = { file: source.file, ...(line === undefined || column === undefined ? {} : { line, column }) };
      return { message: read.adviceOf(problem, 'setting'), place };
    }),
    words,
  );
}

/** One thing that is wrong in it. */
export interface SettingsProblem {
  readonly message: string;
  readonly place: Place;
}

/** With everything that one reading of the file found. */
export class SettingsError extends ToolError {
  /** In the order of the file. */
  readonly problems: readonly SettingsProblem[];

  constructor(found: readonly SettingsProblem[], { code, hint }: SettingsErrorWords = ofProject) {
    const problems = found.toSorted(({ place: a }, { place: b }) => lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b));
    const [first, ...others] = problems;
    const isOne = others.length === 0;
    const file = first?.place.file ?? '';
    super({
      code,
      message: isOne
        ? problems.map(said).join('')
        : [`${found.length} problems in ${file}`, ...problems.map(said)].join('\n'),
      hint,
      place: isOne ? first?.place : { file },
      causes: isOne ? [] : problems.map(({ message, place }) => ({ code, message, place })),
    });
    this.problems = problems;
  }
}

const lineOf = ({ line = 0 }: Place): number => line;
const columnOf = ({ column = 0 }: Place): number => column;

function said({ message, place: { file, line, column } }: SettingsProblem): string {
  return `${line === undefined ? file : `${file}:${line}:${column}`}: ${message}`;
}

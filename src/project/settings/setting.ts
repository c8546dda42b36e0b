import { resolve } from 'node:path';
import * as read from '../../base/form/read.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { durationPattern, durationWithUnitMs } from '../../base/text/duration.ts';
import { type Place, ToolError } from '../../base/toolError.ts';
import { isSetting, settingDescription } from './settingsTable.ts';

/** A text; for a number, its text in the file. */
export const text: read.Reader<string> = {
  schema: { type: ['string', 'number'] },
  read: (value, at) => (typeof value === 'number' ? (at.written ?? String(value)) : read.text.read(value, at)),
};

const stackName = /^[A-Za-z0-9][\w-]{0,63}$/;

/** Whether a text can be the name of a stack or a project: a part of the owner tag. */
export const isStackName = (name: string): boolean => stackName.test(name);

/** The name of a stack or a project. */
export const name: read.Reader<string> = read.map(text, (value, at) => {
  if (isStackName(value)) return value;
  throw at.bad('must be at most 64 letters, digits, hyphens and underscores, and begin with a letter or digit');
});

/** A path relative to the folder of the file, returned as absolute. */
export const path = read.map(text, (value, at) => resolve(at.source.folder ?? '', value));

/** `30s`, `5m`, `1h30m`, as milliseconds. */
export const duration = read.converted(
  (value) => (typeof value === 'string' ? durationWithUnitMs(value) : undefined),
  'a duration with a unit, such as 30s, 5m or 1h',
  { type: 'string', pattern: durationPattern },
);

type Members = Readonly<Record<string, read.Reader<unknown>>>;

/** The value of an object with these members: absent, null and empty ones are undefined. */
export type MembersOf<M extends Members> = { readonly [K in keyof M]?: read.Of<M[K]> };

/** An object with only these members, all optional. `example`: as written in a file. `isStrict`: none may be empty. */
export function object<M extends Members>(members: M, example: string, isStrict?: boolean): read.Reader<MembersOf<M>>;
export function object(members: Members, example: string, isStrict = false): read.Reader<unknown> {
  const form = read.object(read.optionals(members), { expected: `an object such as \`${example}\``, isStrict });
  return { ...form, schema: { ...form.schema, type: ['object', 'null'] } };
}

/** Settings with the descriptions of `settingsTable`. */
export function withDescriptions<M extends Members>(members: M): M;
export function withDescriptions(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, setting]) => [
      name,
      isSetting(name) ? read.described(settingDescription(name), setting) : setting,
    ]),
  );
}

/** A text file of settings, with its displayed name. */
export interface SettingsSource extends read.Source {
  readonly file: string;
}

/** The code and words of errors about the file. */
export interface SettingsErrorWords {
  readonly code: string;
  readonly hint: string;
}

const projectFileError: SettingsErrorWords = {
  code: 'settings.file',
  hint: 'Correct gantry.yaml; gantry schema settings prints what it may hold.',
};

/** Reads a settings file. Errors: the code of `words`. */
export function readSettings<T>(
  reader: read.Reader<T>,
  value: JsonValue,
  source: SettingsSource,
  words: SettingsErrorWords = projectFileError,
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

export interface SettingsProblem {
  readonly message: string;
  readonly place: Place;
}

/** All problems found in one reading of the file. */
export class SettingsError extends ToolError {
  /** In the order of the file. */
  readonly problems: readonly SettingsProblem[];

  constructor(found: readonly SettingsProblem[], { code, hint }: SettingsErrorWords = projectFileError) {
    const problems = found.toSorted(({ place: a }, { place: b }) => lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b));
    const [first, ...others] = problems;
    const isOne = others.length === 0;
    const file = first?.place.file ?? '';
    super({
      code,
      message: isOne
        ? problems.map(problemText).join('')
        : [`${found.length} problems in ${file}`, ...problems.map(problemText)].join('\n'),
      hint,
      place: isOne ? first?.place : { file },
      causes: isOne ? [] : problems.map(({ message, place }) => ({ code, message, place })),
    });
    this.problems = problems;
  }
}

const lineOf = ({ line = 0 }: Place): number => line;
const columnOf = ({ column = 0 }: Place): number => column;

function problemText({ message, place: { file, line, column } }: SettingsProblem): string {
  return `${line === undefined ? file : `${file}:${line}:${column}`}: ${message}`;
}

import { resolve } from 'node:path';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { durationPattern, durationWithUnitMs } from '../../base/text/duration.ts';
import { inWords } from '../../base/text/inWords.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { badSettings, readEach, type Setting, type SettingAt, type SettingOf } from './setting.ts';
import { isSetting, settingDescription } from './settingsTable.ts';

/** A text. A number is taken as it is written. */
export const text: Setting<string> = {
  schema: { type: ['string', 'number'] },
  read(value, at) {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return at.written ?? String(value);
    throw at.bad('must be a text');
  },
};

/** A path, relative to the folder of the file; read as an absolute one. */
export const path: Setting<string> = {
  schema: text.schema,
  read: (value, at) => resolve(at.source.folder, text.read(value, at)),
};

export const flag: Setting<boolean> = {
  schema: { type: 'boolean' },
  read(value, at) {
    if (typeof value === 'boolean') return value;
    throw at.bad('must be true or false');
  },
};

/** A whole number, 0 or more. */
export const count: Setting<number> = {
  schema: { type: 'integer', minimum: 0 },
  read(value, at) {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw at.bad('must be a whole number, 0 or more');
  },
};

/** `30s`, `5m`, `1h30m`; in milliseconds. */
export const duration: Setting<number> = {
  schema: { type: 'string', pattern: durationPattern },
  read(value, at) {
    const ms = typeof value === 'string' ? durationWithUnitMs(value) : undefined;
    if (ms !== undefined) return ms;
    throw at.bad('must be a duration with a unit, such as 30s, 5m or 1h');
  },
};

/** One of a few texts. */
export function choice<const T extends string>(...values: readonly T[]): Setting<T> {
  return {
    schema: values.length === 1 ? { const: values[0] ?? '' } : { enum: values },
    read(value, at) {
      const found = values.find((each) => each === value);
      if (found !== undefined) return found;
      const meant = typeof value === 'string' ? suggest(value, values) : undefined;
      throw at.bad(`must be ${inWords(values, 'or')}${meant === undefined ? '' : `. Did you mean "${meant}"?`}`);
    },
  };
}

/** A list of values of one form. `example`: as it is written. */
export function list<T>(item: Setting<T>, example: string): Setting<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    read(value, at) {
      if (!isArray(value)) throw at.bad(`must be a list such as \`${example}\``);
      return readEach(value.map((each, index) => () => item.read(each, at.key(index))));
    },
  };
}

/** Names of the file's own, with values of one form. */
export function named<T>(
  setting: Setting<T>,
  { name, what, example }: { readonly name: RegExp; readonly what: string; readonly example: string },
): Setting<ReadonlyMap<string, T>> {
  return {
    schema: {
      type: 'object',
      additionalProperties: false,
      patternProperties: { [name.source]: setting.schema },
    },
    read(value, at) {
      if (!isObject(value)) throw at.bad(`must be an object such as \`${example}\``);
      const reads = Object.entries(value).map(([key, each]) => () => {
        if (!name.test(key)) throw badSettings(at.key(key), `${at.path}: ${shown(key) ?? 'a line'} cannot be ${what}`);
        return [key, setting.read(each, at.key(key))] as const;
      });
      return new Map(readEach(reads));
    },
  };
}

/** Members of an object, by the names that they have in the file. */
export type Members = Readonly<Record<string, Setting<unknown>>>;

/** What an object of these members reads: what is absent, null or an empty text is undefined. */
export type MembersOf<M extends Members> = { readonly [K in keyof M]?: SettingOf<M[K]> };

/** An object with these members and no others, all of which may be absent. `example`: as it is written. */
export function object<M extends Members>(members: M, example: string): Setting<MembersOf<M>> {
  return {
    schema: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(members).map(([key, { schema }]) => [key, schema])),
    },
    read(value, at) {
      if (!isObject(value)) throw at.bad(`must be an object such as \`${example}\``);
      return readMembers(members, value, at);
    },
  };
}

function readMembers<M extends Members>(members: M, value: JsonObject, at: SettingAt): MembersOf<M>;
function readMembers(members: Members, value: JsonObject, at: SettingAt): Readonly<Record<string, unknown>> {
  const known = Object.keys(members);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const reads = Object.entries(members).flatMap(([key, setting]) => {
    const member = own(value, key);
    return isAbsent(member) ? [] : [() => [key, setting.read(member, at.key(key))] as const];
  });
  return Object.fromEntries(readEach([...unknown.map((key) => () => refuseUnknown(key, known, at)), ...reads]));
}

function isAbsent(value: JsonValue | undefined): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** A line that lost its colon may be a secret: such keys are not repeated. */
function shown(key: string): string | undefined {
  return /^[\w.-]{1,64}$/.test(key) ? `"${key}"` : undefined;
}

function refuseUnknown(key: string, known: readonly string[], at: SettingAt): never {
  const name = shown(key);
  const here = at.path === '' ? 'there is' : `${at.path} has`;
  const what = name === undefined ? 'a line that is not a setting' : `no setting ${name}`;
  const meant = name === undefined ? [] : [suggestion(key, known) ?? []].flat();
  throw badSettings(at.key(key), [`${here} ${what}.`, ...meant, available(known)].join(' '));
}

/** The same setting, with words for the reader of the schema. */
export function described<T>(description: string, setting: Setting<T>): Setting<T> {
  return { ...setting, schema: { ...setting.schema, description } };
}

/** Settings with the descriptions of the table. */
export function worded<M extends Members>(members: M): M;
export function worded(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, setting]) => [
      name,
      isSetting(name) ? described(settingDescription(name), setting) : setting,
    ]),
  );
}

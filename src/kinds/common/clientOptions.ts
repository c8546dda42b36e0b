import type { JsonObject } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { UsageError } from '../../base/usageError.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { NamedRecords, OptionRow, OptionValues } from './client.ts';

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

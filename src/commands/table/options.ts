import { InvalidArgumentError } from 'commander';
import { permits } from '../../plan/model/permits.ts';
import { type SettingName, type SettingRow, settingsTable } from '../../project/settings/settingsTable.ts';
import { parseCount, parseWaitTimeout } from '../../terminal/line/optionValues.ts';
import { sharedOptions } from '../../terminal/line/sharedOptions.ts';
import type { NamedRecords, OptionRow } from '../call/command.ts';
import { timeForms, wordings, writtenFormats } from '../call/format.ts';

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number.');
}

function parseMax(text: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number; 0 for all.');
}

/** An option for a number of any kind. */
export function numberOption(flags: string, about: string, more: Partial<OptionRow> = {}): OptionRow {
  return { flags, about, parse: parseNumber, ...more };
}

/** An option for a whole number, 0 or more. */
export function countOption(flags: string, about: string, more: Partial<OptionRow> = {}): OptionRow {
  return { flags, about, parse: parseCount, ...more };
}

/** The option of a setting, in other words where they are given. */
function settingOption(name: SettingName, words?: string): OptionRow {
  const { flags = '', variable, about, usual }: SettingRow = settingsTable[name];
  const others = [...(variable === undefined ? [] : [variable]), ...(usual === undefined ? [] : [`or ${usual}`])];
  return { flags, about: `${words ?? about}${others.length === 0 ? '' : ` (else ${others.join(', ')})`}` };
}

/** The options of every command on single resources; the first line of the table in `docs/client.md`. */
export const commonOptions: readonly OptionRow[] = [
  settingOption('profile', 'the profile to use'),
  settingOption('org'),
  settingOption('env', 'one of the environments of gantry.yaml'),
  settingOption('gvc', 'the GVC to work in'),
  settingOption('endpoint', 'address of the platform'),
  settingOption('token'),
  settingOption('token-file', 'file with the token'),
  { ...settingOption('insecure'), flags: '-k, --insecure' },
  { flags: '--embedded', about: 'use a platform on this machine, started for this command' },
  settingOption('data'),
  settingOption('dialect'),
  { flags: '-o, --output <format>', about: 'format of the result', choices: writtenFormats, usual: 'text' },
  {
    flags: '--words <whose>',
    about: 'vocabulary of records: neutral, or that of the platform',
    choices: wordings,
    usual: 'neutral',
  },
  { flags: '--ts <form>', about: 'how tables show times', choices: timeForms, usual: 'age' },
  { flags: '--max <n>', about: 'show at most so many records of a list; 0 for all', parse: parseMax, usual: '50' },
  { flags: '--color', about: 'use colors, even if the output is not a terminal' },
  { flags: '--no-color', about: 'use no colors (else NO_COLOR)' },
  { flags: '--no-input', about: 'never ask; without --yes nothing is changed' },
  { flags: '--no-pager', about: sharedOptions['no-pager'].description },
  { flags: '-v, --verbose', about: 'print each request on standard error' },
  { flags: '-d, --debug', about: 'print requests and answers with their bodies on standard error' },
];

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
export const askOptions: readonly OptionRow[] = [{ flags: '-y, --yes', about: 'do not ask' }];
/** For what others may need without that the platform keeps it: its deletion leaves them without. */
export const danglingOption: OptionRow = countOption('--allow-dangling <n>', permits.allowDangling.help);
export const waitOptions: readonly OptionRow[] = [
  { flags: '--wait', about: 'follow the command to its end' },
  {
    flags: '--wait-timeout <duration>',
    about: 'stop following after 30s, 5m, 1h',
    parse: parseWaitTimeout,
    needs: '--wait',
  },
];
export const watchOptions: readonly OptionRow[] = [
  { flags: '-w, --watch', about: 'keep running and print what changes; Ctrl-C ends it' },
  {
    flags: '--wait-timeout <duration>',
    about: 'stop watching after 30s, 5m, 1h',
    parse: parseWaitTimeout,
    needs: '--watch',
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

/** The image of a container is often not a record: only a link is one. */
export const imageNames: NamedRecords = {
  kinds: ['image'],
  refIn: (value) => (value.startsWith('/') ? value : undefined),
};

/** The same option, which cannot be left out. */
export const required = (option: OptionRow): OptionRow => ({ ...option, required: true });

export const oneLocation: OptionRow = {
  flags: '--location <name>',
  about: 'only in this location',
  names: locationNames,
};
export const members: readonly OptionRow[] = [
  { flags: '--email <address>', about: 'a user', many: true, names: { kinds: ['user'] } },
  { flags: '--serviceaccount <name>', about: 'a service account', many: true, names: { kinds: ['serviceaccount'] } },
];
export const ipSetLocations: OptionRow = {
  flags: '--location <name[,retention]>',
  about: 'a location, and whether its address is kept (the default) or free when it goes: NAME,keep or NAME,free',
  many: true,
  names: { kinds: ['location'], refIn: (value) => value.split(',')[0] },
};

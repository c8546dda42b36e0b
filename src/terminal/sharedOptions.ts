import { type Command, Option } from 'commander';
import { type SettingName, type SettingRow, settingsTable } from '../project/settings/settingsTable.ts';

export interface SharedOption {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: boolean | string;
  /** Other sources; the flag takes precedence, then the environment, then `gantry.yaml`. */
  readonly environment?: string | undefined;
  readonly setting?: string | undefined;
  readonly otherwise?: string | undefined;
}

type OptionSetting = {
  [N in SettingName]: (typeof settingsTable)[N] extends { flags: string } ? N : never;
}[SettingName];

function settingOption(name: OptionSetting): SharedOption {
  const { variable, isKey, usual, about }: SettingRow = settingsTable[name];
  return {
    flags: settingsTable[name].flags,
    description: about,
    environment: variable,
    setting: isKey === true ? name : undefined,
    otherwise: usual,
  };
}

/** Options with the same meaning for several commands. Their help is shown by `gantry help options`. */
export const sharedOptions = {
  org: settingOption('org'),
  gvc: settingOption('gvc'),
  endpoint: settingOption('endpoint'),
  token: settingOption('token'),
  'token-file': settingOption('token-file'),
  profile: settingOption('profile'),
  insecure: settingOption('insecure'),
  stack: settingOption('stack'),
  env: settingOption('env'),
  embedded: {
    flags: '--embedded',
    description: 'use a platform on this machine, started for this command',
    default: false,
  },
  data: settingOption('data'),
  dialect: settingOption('dialect'),
  output: {
    flags: '-o, --output <format>',
    description: 'format of the result',
    choices: ['text', 'json', 'yaml'],
    default: 'text',
  },
  color: {
    flags: '--color',
    description: 'use colors, even if the output is not a terminal',
    environment: 'FORCE_COLOR',
  },
  'no-color': { flags: '--no-color', description: 'use no colors', environment: 'NO_COLOR' },
  'no-input': { flags: '--no-input', description: 'never ask; without --yes nothing is changed' },
  'no-pager': {
    flags: '--no-pager',
    description: 'use no pager for long output (else GANTRY_PAGER, PAGER, less)',
  },
} satisfies Readonly<Record<string, SharedOption>>;

export type SharedName = keyof typeof sharedOptions;

/** Every command has these, so that scripts can always pass them. */
const ofAll = ['color', 'no-color', 'no-input', 'no-pager'] as const;

/** The options for a project and its platform. */
export const platformOptions = [
  'org',
  'gvc',
  'endpoint',
  'token',
  'token-file',
  'profile',
  'insecure',
  'stack',
  'env',
  'embedded',
  'data',
  'dialect',
] as const;

/** Adds a command with the shared options that it uses. */
export function addCommand(program: Command, name: string, names: readonly SharedName[]): Command {
  return addShared(program.command(name), [...names, 'output']);
}

/** The same for a command without a document for programs. */
export function addShared(command: Command, names: readonly SharedName[]): Command {
  for (const each of [...names, ...ofAll]) command.addOption(sharedOption(sharedOptions[each]));
  return command;
}

function sharedOption({ flags, description, choices, default: value }: SharedOption): Option {
  const option = new Option(flags, description).hideHelp();
  if (choices !== undefined) option.choices(choices);
  return value === undefined ? option : option.default(value);
}

/** The shared options of a command, as flags. */
export function sharedFlagsOf({ options }: Command): readonly string[] {
  const shared: ReadonlySet<string> = new Set(Object.values(sharedOptions).map(({ flags }) => flags));
  return options.filter(({ flags }) => shared.has(flags)).map(({ short, long }) => short ?? long ?? '');
}

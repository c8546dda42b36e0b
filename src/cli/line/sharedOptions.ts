import { type Command, Option } from 'commander';

export interface SharedOption {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: boolean | string;
  /** Where else it is said; the flag wins, then the environment, then `gantry.yaml`. */
  readonly environment?: string;
  readonly setting?: string;
  readonly otherwise?: string;
}

/** Options that mean the same for several commands. Their help is that of `gantry help options`. */
export const sharedOptions = {
  org: { flags: '--org <name>', description: 'the org', environment: 'GANTRY_ORG', setting: 'org' },
  gvc: {
    flags: '--gvc <name>',
    description: 'the GVC for manifests that name none',
    environment: 'GANTRY_GVC',
    setting: 'gvc',
  },
  endpoint: {
    flags: '--endpoint <url>',
    description: 'address of the platform, or several addresses of the same platform, separated by commas',
    environment: 'GANTRY_ENDPOINT',
    setting: 'endpoint',
  },
  token: {
    flags: '--token <token>',
    description: 'token for the platform',
    environment: 'GANTRY_TOKEN',
    setting: 'token',
  },
  'token-file': { flags: '--token-file <path>', description: 'the file with the token for the platform' },
  profile: {
    flags: '--profile <name>',
    description: 'the profile to use (gantry profile --help)',
    environment: 'GANTRY_PROFILE',
    otherwise: 'the default profile',
  },
  insecure: { flags: '--insecure', description: 'accept any certificate of the platform' },
  stack: { flags: '--stack <name>', description: 'name of the stack', environment: 'GANTRY_STACK', setting: 'stack' },
  env: {
    flags: '--env <name>',
    description: 'the environment: one of those in gantry.yaml, or of a TypeScript stack',
    environment: 'GANTRY_ENV',
    setting: 'env',
  },
  embedded: {
    flags: '--embedded',
    description: 'use a platform on this machine, started for this command',
    default: false,
  },
  data: {
    flags: '--data <dir>',
    description: 'data folder of the platform on this machine',
    environment: 'GANTRY_DATA',
    setting: 'data',
    otherwise: '.gantry',
  },
  dialect: {
    flags: '--dialect <file>',
    description: "file that maps the platform's own vocabulary",
    environment: 'GANTRY_DIALECT',
    setting: 'dialect',
  },
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
} as const satisfies Readonly<Record<string, SharedOption>>;

export type SharedName = keyof typeof sharedOptions;

/** Every command has these, so that a script may pass them to each. */
const ofAll = ['color', 'no-color', 'no-input'] as const;

/** What names a project and its platform. */
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

/** Adds a command with those of the shared options that it uses. */
export function addCommand(program: Command, name: string, names: readonly SharedName[]): Command {
  return addShared(program.command(name), [...names, 'output']);
}

/** The same for a command that has no document for programs. */
export function addShared(command: Command, names: readonly SharedName[]): Command {
  for (const each of [...names, ...ofAll]) command.addOption(sharedOption(sharedOptions[each]));
  return command;
}

function sharedOption({ flags, description, choices, default: value }: SharedOption): Option {
  const option = new Option(flags, description).hideHelp();
  if (choices !== undefined) option.choices(choices);
  return value === undefined ? option : option.default(value);
}

/** The shared options of a command, as they are written. */
export function sharedFlagsOf({ options }: Command): readonly string[] {
  const shared: ReadonlySet<string> = new Set(Object.values(sharedOptions).map(({ flags }) => flags));
  return options.filter(({ flags }) => shared.has(flags)).map(({ short, long }) => short ?? long ?? '');
}

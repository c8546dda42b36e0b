import { compact } from '../../base/json/present.ts';
/**
 * A setting with all its sources. `resolveSettings` defines their precedence; the options of commands, the descriptions
 * in the JSON Schema of `gantry.yaml` and the table in `docs/settings.md` are derived from this table.
 */
export interface SettingRow {
  /** The option, with its argument. */
  readonly flags?: string;
  readonly variable?: `GANTRY_${string}`;
  /** Whether `gantry.yaml` has a key of this name. */
  readonly isKey?: true;
  /** Whether `environments` in `gantry.yaml` have it too. */
  readonly isOfEnvironments?: true;
  /** Whether profiles have it too. */
  readonly isOfProfiles?: true;
  /** Its name in Terraform's provider block, if any. */
  readonly attribute?: string;
  /** A phrase, as for options. */
  readonly about: string;
  /** An addition in Markdown for the documentation only. */
  readonly more?: string;
  /** The default value, described in words. */
  readonly usual?: string;
}

export const settingsTable = {
  stack: {
    flags: '--stack <name>',
    variable: 'GANTRY_STACK',
    isKey: true,
    isOfEnvironments: true,
    about: 'name of the stack',
    more: '; what it owns carries it in the tag `gantry/stack`',
  },
  project: { isKey: true, about: 'an id that makes the name of the stack unique', more: ' (below)' },
  main: { isKey: true, about: 'the TypeScript stack file, if it is not stack.ts' },
  env: {
    flags: '--env <name>',
    variable: 'GANTRY_ENV',
    isKey: true,
    about: 'the environment: one of those in gantry.yaml, or of a TypeScript stack',
  },
  environments: { isKey: true, about: 'settings, values and limits of each environment', more: ' (below)' },
  org: {
    flags: '--org <name>',
    variable: 'GANTRY_ORG',
    isKey: true,
    isOfEnvironments: true,
    isOfProfiles: true,
    attribute: 'org',
    about: 'the org',
  },
  gvc: {
    flags: '--gvc <name>',
    variable: 'GANTRY_GVC',
    isKey: true,
    isOfEnvironments: true,
    attribute: 'gvc',
    about: 'the GVC for manifests that name none',
    more: '; the same code in two GVCs is two stacks',
  },
  endpoint: {
    flags: '--endpoint <url>',
    variable: 'GANTRY_ENDPOINT',
    isKey: true,
    isOfEnvironments: true,
    isOfProfiles: true,
    attribute: 'endpoint',
    about: 'address of the platform, or several addresses of the same platform, separated by commas',
  },
  token: {
    flags: '--token <token>',
    variable: 'GANTRY_TOKEN',
    isKey: true,
    isOfProfiles: true,
    attribute: 'token',
    about: 'token for the platform',
    more: '; the variable and profiles keep it out of files that others read',
  },
  'token-file': {
    flags: '--token-file <path>',
    attribute: 'token_file',
    about: 'the file with the token for the platform',
  },
  profile: {
    flags: '--profile <name>',
    variable: 'GANTRY_PROFILE',
    isOfEnvironments: true,
    attribute: 'profile',
    about: 'the profile to use (gantry profile --help)',
    usual: 'the default profile',
  },
  insecure: {
    flags: '--insecure',
    isOfProfiles: true,
    attribute: 'insecure',
    about: 'accept any certificate of the platform',
  },
  'ca-file': {
    attribute: 'ca_file',
    about: 'file with certificates (PEM) of authorities that are trusted beside those of the system',
    more: '; elsewhere the variable `NODE_EXTRA_CA_CERTS` names it',
  },
  data: {
    flags: '--data <dir>',
    variable: 'GANTRY_DATA',
    isKey: true,
    about: 'data folder of the platform on this machine',
    more: ', or `:memory:`',
    usual: '.gantry',
  },
  dialect: {
    flags: '--dialect <file>',
    variable: 'GANTRY_DIALECT',
    isKey: true,
    isOfEnvironments: true,
    attribute: 'dialect',
    about: "file that maps the platform's own vocabulary",
    more: ' ([the platform](platform.md))',
  },
  platform: {
    isKey: true,
    about: 'file with what gantry doctor found of the platform',
    usual: 'gantry.platform.json beside gantry.yaml',
  },
  'consistency-timeout': {
    flags: '--consistency-timeout <duration>',
    variable: 'GANTRY_CONSISTENCY_TIMEOUT',
    isKey: true,
    isOfEnvironments: true,
    attribute: 'consistency_timeout',
    about: 'how long to repeat reads that are older than a write, and a deletion of what is in use',
    usual: '10s',
  },
  directives: {
    isKey: true,
    about: 'whether list directives are used although the platform does not announce them: all, or stated',
  },
  price: {
    isKey: true,
    isOfEnvironments: true,
    about: 'what storage costs',
    more: ': `{storageGbMonth: 0.12, currency: EUR}`',
  },
  signers: {
    isKey: true,
    isOfEnvironments: true,
    about: 'files with the public keys whose signatures of saved plans count',
    more: ': `{plan: FILE, approval: FILE}`',
  },
  secrets: {
    isKey: true,
    about: 'where manifests may read values from',
    more: ': `{commands: true, files: [PATH]}`',
  },
  kinds: { isKey: true, about: 'kinds that Gantry does not know, by name: `{widget: {scope: gvc}}`', more: ' (below)' },
  policies: {
    variable: 'GANTRY_POLICIES',
    isKey: true,
    about: 'the rules that every stack of the project must satisfy',
    more: ' ([policies as code](policies.md); the variable adds files that hold for every project)',
  },
  promotion: {
    isKey: true,
    about: 'what gantry promote compares and carries over',
    more: ' ([environments](environments.md))',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingName = keyof typeof settingsTable;

type Rows = typeof settingsTable;
/** The settings with keys in `gantry.yaml`. */
export type KeySetting = { [N in SettingName]: Rows[N] extends { readonly isKey: true } ? N : never }[SettingName];
/** The settings that `environments` can have. */
export type EnvironmentSetting = {
  [N in SettingName]: Rows[N] extends { readonly isOfEnvironments: true } ? N : never;
}[SettingName];

export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}

const variables: ReadonlyMap<string, string> = new Map(
  compact(Object.values(settingsTable), ({ attribute, variable }: SettingRow) =>
    attribute === undefined || variable === undefined ? undefined : [attribute, variable],
  ),
);

/** The variable used for an attribute that the provider block omits; undefined if there is none. */
export function variableOfAttribute(attribute: string): string | undefined {
  return variables.get(attribute);
}

/** A sentence for the JSON Schema. */
export function settingDescription(name: SettingName): string {
  const { about, more = '', usual }: SettingRow = settingsTable[name];
  const text = `${about}${more.startsWith(' (') ? '' : more}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${usual === undefined ? '' : `. Default: ${usual}`}.`;
}

/** The user's setting for this command: the flag, else the variable. An empty variable counts as unset. */
export function settingByUser<const N extends SettingName>(
  name: N,
  flags: { readonly [K in N]?: string },
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { variable }: SettingRow = settingsTable[name];
  return flags[name] ?? ((variable === undefined ? undefined : environment[variable]) || undefined);
}

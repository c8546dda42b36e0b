import { isDefined } from '../../base/json/present.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { ToolError } from '../../base/toolError.ts';
import type { PromotionRules } from '../../change/promotion.ts';
import { readRef } from '../../kinds/readRef.ts';
import type { Limits } from '../../plan/model/limits.ts';
import type { StoragePrice } from '../../plan/model/storageUse.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import { unsafeName } from '../../schema/record/unsafeName.ts';
import type { ChosenEnvironment, Environments } from './environment.ts';
import type { NamedProfile, Profile } from './profile.ts';
import type { SecretSettings } from './secrets.ts';
import { isStackName } from './setting.ts';
import type { SettingsFile, UnparsedPolicies } from './settingsFile.ts';
import { settingByUser, settingsTable } from './settingsTable.ts';
import type { Signers } from './signers.ts';
import type { TokenTarget } from './tokenTarget.ts';

/** The sources of settings; earlier ones take precedence. */
export interface SettingsSources {
  readonly flags: {
    readonly org?: string;
    readonly gvc?: string;
    readonly endpoint?: string;
    readonly token?: string;
    readonly insecure?: boolean;
    readonly stack?: string;
    readonly env?: string;
    readonly data?: string;
    readonly dialect?: string;
    readonly embedded?: boolean;
  };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The chosen environment, which overrides the rest of the file. */
  readonly chosen?: ChosenEnvironment | undefined;
  readonly file: SettingsFile;
  /** Its precedence depends on who named it. */
  readonly profile?: NamedProfile | undefined;
  /** The profiles that environments of the file name, by name. */
  readonly profiles?: ReadonlyMap<string, Profile> | undefined;
}

export interface Settings {
  readonly org: string | undefined;
  /** For manifests that name no GVC. */
  readonly gvc: string | undefined;
  readonly endpoint: string | undefined;
  readonly token: string | undefined;
  /** Undefined if the token does not come from the user, or the endpoint does not come from the project. */
  readonly tokenTarget: TokenTarget | undefined;
  /** Whether any certificate of the platform is accepted. */
  readonly insecure: boolean;
  /** The stack's name, without project and GVC. */
  readonly stack: string | undefined;
  /** The same from a flag or the environment only: it selects one of several stacks, which `gantry.yaml` cannot. */
  readonly chosenStack: string | undefined;
  /** The chosen name; if `gantry.yaml` has environments, one of these. */
  readonly env: string | undefined;
  /** The same with its values and limits; undefined if `gantry.yaml` has no environments. */
  readonly environment: ChosenEnvironment | undefined;
  /** All reachable ones: on the embedded platform only the chosen one. */
  readonly environments: readonly DeclaredEnvironment[];
  readonly project: string | undefined;
  /** The folder of the embedded platform. */
  readonly data: string;
  /** The file of the platform's own words. */
  readonly dialect: string | undefined;
  /** The file of findings about the platform: the named one, or the one next to `gantry.yaml`. */
  readonly platform: string | undefined;
  /** The default of `--consistency-timeout`. */
  readonly consistencyTimeoutMs: number | undefined;
  /** Overrides `/discovery`. */
  readonly directives: 'all' | 'stated' | undefined;
  /** The price of storage; undefined: plans only count GB. */
  readonly price: StoragePrice | undefined;
  /** The trusted signatures for saved plans. */
  readonly signers: Signers | undefined;
  /** The sources of values in manifests, besides the project folder and the environment. */
  readonly secrets: SecretSettings;
  /** Kinds that the schema does not know. */
  readonly kinds: CustomKinds;
  /** Undefined if they are not set. */
  readonly policies: UnparsedPolicies | undefined;
  readonly promotion: PromotionRules;
}

export const defaultData = '.gantry';

const noSecrets: SecretSettings = { commands: false, files: [] };

/**
 * Precedence: flags, variables, a profile named by the user, the chosen environment of `gantry.yaml`, the profile that
 * this names, the rest of `gantry.yaml`, the default profile. An empty variable counts as unset. A profile's token is
 * only sent to that profile's endpoint: a foreign `gantry.yaml` must not redirect it.
 */
export function resolveSettings(sources: SettingsSources): Settings {
  const { flags, environment, chosen, file } = sources;
  const { settings: environmentSettings = {} } = chosen ?? {};
  const { named, ofEnvironment, usual } = profilesByPrecedence(sources.profile);
  const userSetting = (name: TextSetting) => settingByUser(name, flags, environment);
  const firstSetting = (name: TextSetting) =>
    userSetting(name) ??
    [named, environmentSettings, ofEnvironment, file, usual].map((place: Texts) => place[name]).find(isDefined);
  const endpoint = firstSetting('endpoint');
  const userEndpoint = userSetting('endpoint') ?? named.endpoint;
  const projectEndpoint =
    environmentSettings.endpoint ?? (ofEnvironment.endpoint === undefined ? file.endpoint : undefined);
  const { profile = {} } = sources.profile ?? {};
  const isOwnEndpoint = sources.profile !== undefined && endpoint === profile.endpoint;
  const tokenOf = (source: Profile) => (isOwnEndpoint ? source.token : undefined);
  const org = checkedName('org', firstSetting('org'));
  return {
    org,
    gvc: checkedGvc(firstSetting('gvc'), org),
    endpoint,
    tokenTarget: userEndpoint === undefined ? tokenTarget(sources, projectEndpoint) : undefined,
    token: userSetting('token') ?? tokenOf(named) ?? tokenOf(ofEnvironment) ?? file.token ?? tokenOf(usual),
    insecure: flags.insecure ?? (isOwnEndpoint && profile.insecure === true),
    stack: firstSetting('stack'),
    chosenStack: userSetting('stack'),
    env: chosen?.name ?? namedEnvironment(sources),
    environment: chosen,
    environments: declaredEnvironments(file, sources.profiles ?? new Map()).filter(
      ({ name }) => flags.embedded !== true || name === chosen?.name,
    ),
    project: file.project,
    data: firstSetting('data') ?? defaultData,
    dialect: firstSetting('dialect'),
    platform: file.platform,
    consistencyTimeoutMs: timeoutVariableMs(environment) ?? environmentSettings[timeout] ?? file[timeout],
    directives: file.directives,
    price: environmentSettings.price ?? file.price,
    signers: environmentSettings.signers ?? file.signers,
    secrets: file.secrets ?? noSecrets,
    kinds: file.kinds ?? {},
    policies: file.policies,
    promotion: file.promotion ?? { mayDiffer: [], carry: undefined },
  };
}

/**
 * Validates a name, because an invalid one would break every link and request. Errors: `settings.org`, `settings.gvc`.
 */
function checkedName(setting: 'org' | 'gvc', name: string | undefined): string | undefined {
  if (name === undefined || (name !== '' && !unsafeName.test(name))) return name;
  throw invalidName(setting, `${JSON.stringify(name)} cannot be the name of ${setting === 'org' ? 'an org' : 'a GVC'}`);
}

/** A GVC given by name, or by a link within the org. */
function checkedGvc(text: string | undefined, org: string | undefined): string | undefined {
  if (!text?.startsWith('/') || (org === undefined && !text.startsWith('//'))) return checkedName('gvc', text);
  const read = readRef(text, { kinds: ['gvc'], org: org ?? '' });
  if ('wrong' in read) throw invalidName('gvc', read.wrong.message);
  return read.ref.name;
}

function invalidName(setting: 'org' | 'gvc', message: string): ToolError {
  return new ToolError({
    code: `settings.${setting}`,
    message,
    hint: `Correct --${setting}, ${settingsTable[setting].variable}, or ${setting} in gantry.yaml or in the profile.`,
  });
}

const timeout = 'consistency-timeout';

function timeoutVariableMs(environment: SettingsSources['environment']): number | undefined {
  const { variable } = settingsTable[timeout];
  const text = environment[variable];
  if (text === undefined || text === '') return undefined;
  const ms = durationWithUnitMs(text);
  if (ms !== undefined) return ms;
  throw new ToolError({
    code: 'settings.variable',
    message: `${variable} is no duration with a unit: ${JSON.stringify(text)}`,
    hint: 'Set it to a duration such as 30s or 2m, or unset it.',
  });
}

/** The settings of a platform that users give as text. */
type TextSetting = 'org' | 'gvc' | 'endpoint' | 'stack' | 'data' | 'dialect' | 'token';
type Texts = { readonly [N in TextSetting]?: string | undefined };

function tokenTarget({ flags, environment }: SettingsSources, endpoint: string | undefined): TokenTarget | undefined {
  if (endpoint === undefined || flags.embedded === true) return undefined;
  if (flags.token !== undefined) return { token: 'the given token', endpoint };
  return settingByUser('token', flags, environment) === undefined
    ? undefined
    : { token: 'the token of GANTRY_TOKEN', endpoint };
}

/**
 * The profile in its place of precedence; the others are empty. Omits its GVC, which is for commands on single
 * resources.
 */
function profilesByPrecedence(
  chosen: NamedProfile | undefined,
): Readonly<Record<'named' | 'ofEnvironment' | 'usual', Profile>> {
  const { profile = {}, namedBy } = chosen ?? {};
  const { gvc: _, ...settings } = profile;
  const profileIf = (place: NamedProfile['namedBy']) => (namedBy === place ? settings : {});
  return { named: profileIf('user'), ofEnvironment: profileIf('environment'), usual: profileIf('nobody') };
}

/** The name of `--env`, of `GANTRY_ENV`, or of `env` in `gantry.yaml`. */
export function namedEnvironment({
  flags,
  environment,
  file,
}: Pick<SettingsSources, 'flags' | 'environment' | 'file'>) {
  return settingByUser('env', flags, environment) ?? file.env;
}

export interface StackIdentity {
  readonly name: string | undefined;
  readonly project: string | undefined;
  /** The GVC from a setting: the same code in two GVCs is two stacks. */
  readonly gvc: string | undefined;
}

/**
 * The value of `gantry/stack`: `name[.project][@gvc]` (design, "A stack").
 *
 * Errors: `settings.stack` without a name, or with one that could be confused with another stack's.
 */
export function ownerOf({ name, project, gvc }: StackIdentity): string {
  if (name === undefined) {
    throw new ToolError({
      code: 'settings.stack',
      message: 'this stack has no name, so its resources cannot be identified',
      hint:
        'Write `stack: NAME` into gantry.yaml, or give --stack NAME. A TypeScript stack has the id of its ' +
        '`new Stack(app, ID)`.',
    });
  }
  for (const part of [name, project ?? 'x']) {
    if (isStackName(part)) continue;
    throw new ToolError({
      code: 'settings.stack',
      message: `${JSON.stringify(part)} cannot be the name of a stack or project`,
      hint: 'Use at most 64 letters, digits, hyphens and underscores; begin with a letter or digit. In code: new Stack(app, ID, { name }).',
    });
  }
  return `${name}${project === undefined ? '' : `.${project}`}${gvc === undefined ? '' : `@${gvc}`}`;
}

/**
 * A stack name derived from a folder's name, for new code that can be edited before apply. Unnamed stacks get it only
 * on the embedded platform.
 */
export function stackNameOf(folderName: string): string {
  const name = folderName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'stack' : name;
}

/** One of `environments`, merged with its profile and the settings next to the environments. */
export interface DeclaredEnvironment {
  readonly name: string;
  readonly org: string | undefined;
  readonly endpoint: string | undefined;
  readonly gvc: string | undefined;
  readonly stack: string | undefined;
  readonly signers: Signers | undefined;
  readonly limits: Limits | undefined;
}

/** `profiles`: those of this user that environments name. */
function declaredEnvironments(
  file: SettingsFile,
  profiles: ReadonlyMap<string, Profile>,
): readonly DeclaredEnvironment[] {
  const all: Environments = file.environments ?? new Map();
  return [...all].map(([name, { limits, profile, ...block }]) => {
    const environmentProfile = profile === undefined ? undefined : profiles.get(profile);
    return {
      name,
      limits,
      org: block.org ?? environmentProfile?.org ?? file.org,
      endpoint: block.endpoint ?? environmentProfile?.endpoint ?? file.endpoint,
      gvc: block.gvc ?? file.gvc,
      stack: block.stack ?? file.stack,
      signers: block.signers ?? file.signers,
    };
  });
}

import { ToolError } from '../../errors/toolError.ts';
import type { StoragePrice } from '../../plan/model/storagePrice.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import type { NamedProfile } from '../profiles/profile.ts';
import type { SecretSettings } from './secrets.ts';
import type { SettingsFile } from './settingsFile.ts';

/** Where the settings come from; the earlier ones win. */
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
  };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file: SettingsFile;
  /** Before the file where it was named, else after it. */
  readonly profile?: NamedProfile | undefined;
}

export interface Settings {
  readonly org: string | undefined;
  /** For manifests that name no GVC. */
  readonly gvc: string | undefined;
  readonly endpoint: string | undefined;
  readonly token: string | undefined;
  /** Any certificate of the platform is accepted. */
  readonly insecure: boolean;
  /** The stack's name, without project and GVC. */
  readonly stack: string | undefined;
  /** The same of a flag or the environment alone: of several stacks it chooses one, which `gantry.yaml` does not. */
  readonly chosenStack: string | undefined;
  /** The environment of a TypeScript stack. */
  readonly env: string | undefined;
  readonly project: string | undefined;
  /** The folder of the embedded platform. */
  readonly data: string;
  /** The file of the platform's own words. */
  readonly dialect: string | undefined;
  /** Overrides what `/discovery` says. */
  readonly directives: 'all' | 'stated' | undefined;
  /** What storage costs; undefined: plans count GB only. */
  readonly price: StoragePrice | undefined;
  /** What manifests may read values from, beside the project folder and the environment. */
  readonly secrets: SecretSettings;
  /** Kinds that the schema does not know. */
  readonly kinds: CustomKinds;
}

export const defaultData = '.gantry';

const noSecrets: SecretSettings = { commands: false, files: [] };

/**
 * Flags, then the environment, then a profile that was named, then `gantry.yaml`, then the default profile. An empty
 * variable counts as absent. The token of a profile is sent to the endpoint of that profile only: a `gantry.yaml` of
 * somebody else must not get it sent elsewhere.
 */
export function resolveSettings({ flags, environment, file, profile: chosen }: SettingsSources): Settings {
  const variable = (name: string): string | undefined => environment[`GANTRY_${name}`] || undefined;
  const { profile = {}, isNamed = false } = chosen ?? {};
  const [before, after] = isNamed ? [profile, {}] : [{}, profile];
  const endpoint = flags.endpoint ?? variable('ENDPOINT') ?? before.endpoint ?? file.endpoint ?? after.endpoint;
  const isOwnEndpoint = chosen !== undefined && endpoint === profile.endpoint;
  const tokenOf = (source: { readonly token?: string }) => (isOwnEndpoint ? source.token : undefined);
  return {
    org: flags.org ?? variable('ORG') ?? before.org ?? file.org ?? after.org,
    gvc: flags.gvc ?? variable('GVC') ?? file.gvc,
    endpoint,
    token: flags.token ?? variable('TOKEN') ?? tokenOf(before) ?? file.token ?? tokenOf(after),
    insecure: flags.insecure ?? (isOwnEndpoint && profile.insecure === true),
    stack: flags.stack ?? variable('STACK') ?? file.stack,
    chosenStack: flags.stack ?? variable('STACK'),
    env: flags.env ?? variable('ENV') ?? file.env,
    project: file.project,
    data: flags.data ?? variable('DATA') ?? file.data ?? defaultData,
    dialect: flags.dialect ?? variable('DIALECT') ?? file.dialect,
    directives: file.directives,
    price: file.price,
    secrets: file.secrets ?? noSecrets,
    kinds: file.kinds ?? {},
  };
}

export interface StackIdentity {
  readonly name: string | undefined;
  readonly project: string | undefined;
  /** The GVC that comes from a setting: the same code in two GVCs is two stacks. */
  readonly gvc: string | undefined;
}

/**
 * The value of `gantry/stack`: `name[.project][@gvc]` (design, "A stack").
 *
 * Errors: `settings.stack` where there is no name, or one that could be taken for another stack's.
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
    if (/^[A-Za-z0-9][\w-]{0,63}$/.test(part)) continue;
    throw new ToolError({
      code: 'settings.stack',
      message: `${JSON.stringify(part)} cannot be the name of a stack or project`,
      hint: 'Use at most 64 letters, digits, hyphens and underscores; begin with a letter or digit. In code: new Stack(app, ID, { name }).',
    });
  }
  return `${name}${project === undefined ? '' : `.${project}`}${gvc === undefined ? '' : `@${gvc}`}`;
}

/** A stack name made of a folder's name; only the embedded platform may be given a stack that nobody named. */
export function stackNameOf(folderName: string): string {
  const name = folderName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'stack' : name;
}

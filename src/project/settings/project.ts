import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { defineCustomKinds } from '../../schema/record/customKinds.ts';
import { exists } from '../files/exists.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { platformFileIn, settingsFileName } from '../files/projectFiles.ts';
import { splitSelector } from '../inputs/stackSelector.ts';
import type { ProjectNames } from '../session/event.ts';
import type { ProjectOptions, Session } from '../session/session.ts';
import { chooseEnvironment, type Environments } from './environment.ts';
import type { NamedProfile, Profile } from './profile.ts';
import { namedEnvironment, ownerOf, resolveSettings, type Settings, stackNameOf } from './resolveSettings.ts';
import { readSettingsFile } from './settingsFile.ts';
import { settingByUser } from './settingsTable.ts';

/** The project before any manifest is read. */
export interface Project {
  /** Absolute: the folder of the first PATH, else the current folder. */
  readonly folder: string;
  readonly settings: Settings;
  /** Undefined if there is none. */
  readonly profile?: NamedProfile | undefined;
  /** True without a project: then nothing in the folder belongs to it. */
  readonly isNone?: boolean;
}

/**
 * Also registers the kinds that `gantry.yaml` defines in this process. Errors: `settings.file`, `settings.environment`,
 * `settings.profile`, `settings.token-file`.
 */
export async function openProject(session: Session, paths: readonly string[]): Promise<Project> {
  const { options, environment, cwd } = session;
  const path = await firstPath(paths, cwd);
  const folder = await projectFolder(path, cwd);
  const note = path === undefined ? undefined : await settingsNote({ path, cwd, folder });
  if (note !== undefined) await session.tell({ type: 'note', text: note });
  const [file, flags] = await Promise.all([readSettingsFile(folder), withTokenFile(options, cwd)]);
  const chosen = chooseEnvironment(file.environments, namedEnvironment({ flags, environment, file }));
  const profile = await sessionProfile(session, chosen?.settings.profile);
  const profiles = await environmentProfiles(session, file.environments);
  const resolved = resolveSettings({ flags, environment, chosen, file, profile, profiles });
  // A named file must exist, which its reader checks.
  const settings = { ...resolved, platform: resolved.platform ?? (await platformFileIn(folder)) };
  defineCustomKinds(settings.kinds);
  await session.tell({ type: 'project', names: namesOf(settings, options.embedded) });
  return { folder, settings, profile };
}

function namesOf(settings: Settings, embedded: boolean): ProjectNames {
  const endpoint = embedded ? 'embedded' : settings.endpoint;
  const { org, stack: name, project, gvc, env } = settings;
  return {
    ...present({ org, stack: name === undefined ? undefined : ownerOf({ name, project, gvc }) }),
    ...present({ gvc, environment: env, endpoint }),
  };
}

/** None for the platform on this machine. Reports a token that others on the machine can read. */
async function sessionProfile(
  { options, environment, tell }: Session,
  ofEnvironment: string | undefined,
): Promise<NamedProfile | undefined> {
  if (options.embedded || options.offline === true) return undefined;
  const { chosenProfile, ProfileStore } = await import('./profileStore.ts');
  const chosen = await chosenProfile(settingByUser('profile', options, environment), environment, ofEnvironment);
  if (chosen?.profile.token === undefined) return chosen;
  const file = await new ProfileStore(environment).readableByOthers(chosen.name);
  if (file !== undefined) {
    await tell({ type: 'note', text: `note: ${file}: others may read the token in it; chmod 600 ${file}` });
  }
  return chosen;
}

/** The profiles with orgs and endpoints of environments. Profiles that this user lacks are omitted. */
async function environmentProfiles(
  { options, environment }: Session,
  environments: Environments = new Map(),
): Promise<ReadonlyMap<string, Profile>> {
  const named = new Set([...environments.values()].flatMap(({ profile }) => profile ?? []));
  if (named.size === 0 || options.embedded || options.offline === true) return new Map();
  const { ProfileStore } = await import('./profileStore.ts');
  const store = new ProfileStore(environment);
  const there = (await store.names()).filter((name) => named.has(name));
  return new Map(await Promise.all(there.map(async (name) => [name, await store.read(name)] as const)));
}

/** Errors: `settings.token-file`. */
async function withTokenFile(options: ProjectOptions, cwd: string): Promise<ProjectOptions> {
  const { token, tokenFile } = options;
  if (token !== undefined || tokenFile === undefined) return options;
  const { readToken } = await import('../files/readToken.ts');
  const read = await readToken(resolve(cwd, tokenFile)).catch((error: unknown) => {
    throw tokenFileError(tokenFile, systemReason(error));
  });
  return { ...options, token: read };
}

function tokenFileError(file: string, why: string): ToolError {
  return new ToolError({
    code: 'settings.token-file',
    message: `${file}: ${why}`,
    hint: 'Give --token-file a file with the token alone.',
    place: { file },
  });
}

/** The project without `gantry.yaml`. */
export function projectWithoutSettings({ options, environment, cwd }: Session): Project {
  return { isNone: true, folder: cwd, settings: resolveSettings({ flags: options, environment, file: {} }) };
}

/** Absolute: the folder of the settings for these PATHs. */
export async function projectFolderOf(paths: readonly string[], cwd: string): Promise<string> {
  return projectFolder(await firstPath(paths, cwd), cwd);
}

/** The first PATH, without a stack selector. */
async function firstPath([path]: readonly string[], cwd: string): Promise<string | undefined> {
  return path === undefined ? undefined : (await splitSelector(path, cwd)).path;
}

/** The folder itself, or the folder of a file; for standard input, globs and missing paths `cwd`. */
async function projectFolder(path: string | undefined, cwd: string): Promise<string> {
  if (path === undefined || path === '-') return cwd;
  const absolute = resolve(cwd, path);
  const found = await stat(absolute).catch(() => undefined);
  if (found === undefined) return cwd;
  return found.isDirectory() ? absolute : dirname(absolute);
}

/**
 * The owner tag. `nameInCode`: the stack's name in code, used if the settings have none. The folder's name is used for an
 * unnamed stack only on the embedded platform.
 */
export function ownerOfProject(
  { options }: Session,
  { folder, settings }: Project,
  nameInCode: string | undefined = undefined,
): string {
  const name = settings.stack ?? nameInCode ?? (options.embedded ? stackNameOf(basename(folder)) : undefined);
  return ownerOf({ name, project: settings.project, gvc: settings.gvc });
}

interface FirstPath {
  /** The first PATH, without a stack selector. */
  readonly path: string;
  readonly cwd: string;
  /** Absolute: the folder of the settings. */
  readonly folder: string;
}

/**
 * A note about the settings in use, if they are not obvious: for a PATH elsewhere, `gantry.yaml` of the current folder
 * is ignored, and a file uses the one in its folder. Undefined for a project folder.
 */
async function settingsNote({ path, cwd, folder }: FirstPath): Promise<string | undefined> {
  if (folder === resolve(cwd)) return undefined;
  const [isHere, isThere] = await Promise.all([
    exists(join(cwd, settingsFileName)),
    exists(join(folder, settingsFileName)),
  ]);
  const rule = 'settings come from the folder of the first PATH';
  if (!isThere) return isHere ? `note: ${settingsFileName} in the current folder is ignored: ${rule}` : undefined;
  const relativeFolder = relative(cwd, folder);
  const isProject = resolve(cwd, path) === folder;
  if (isProject || (!isHere && !relativeFolder.startsWith('..'))) return undefined;
  const other = isHere ? ', not those in the current folder' : '';
  return `note: using the settings in ${join(relativeFolder, settingsFileName)}, next to the first PATH${other}`;
}

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
import { namedEnvironment, ownerOf, resolveSettings, type Settings, stackNameOf } from './settings.ts';
import { readSettingsFile } from './settingsFile.ts';
import { saidByUser } from './settingsTable.ts';

/** The project, as it is known before any manifest is read. */
export interface Project {
  /** Absolute: the folder of the first PATH, else the current one. */
  readonly folder: string;
  readonly settings: Settings;
  /** Undefined: there is none. */
  readonly profile?: NamedProfile | undefined;
  /** There is no project: nothing of the folder counts for it. */
  readonly isNone?: boolean;
}

/**
 * From here on the process knows the kinds that `gantry.yaml` defines. Errors: `settings.file`, `settings.environment`,
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
  const profile = await profileOf(session, chosen?.settings.profile);
  const profiles = await profilesOf(session, file.environments);
  const resolved = resolveSettings({ flags, environment, chosen, file, profile, profiles });
  // One that is named has to be there: its reader says so.
  const settings = { ...resolved, platform: resolved.platform ?? (await platformFileIn(folder)) };
  defineCustomKinds(settings.kinds);
  await session.tell({ type: 'project', names: namesOf(settings, options.embedded) });
  return { folder, settings, profile };
}

function namesOf(settings: Settings, embedded: boolean): ProjectNames {
  const endpoint = embedded ? 'embedded' : settings.endpoint;
  const { org, stack: name, project, gvc, env } = settings;
  return {
    ...present({ org }),
    ...(name === undefined ? {} : { stack: ownerOf({ name, project, gvc }) }),
    ...present({ gvc, environment: env, endpoint }),
  };
}

/** The platform on this machine needs none. A token that others on the machine can read is told of. */
async function profileOf(
  { options, environment, tell }: Session,
  ofEnvironment: string | undefined,
): Promise<NamedProfile | undefined> {
  if (options.embedded || options.offline === true) return undefined;
  const { chosenProfile, ProfileStore } = await import('./profileStore.ts');
  const chosen = await chosenProfile(saidByUser('profile', options, environment), environment, ofEnvironment);
  if (chosen?.profile.token === undefined) return chosen;
  const file = await new ProfileStore(environment).readableByOthers(chosen.name);
  if (file !== undefined) {
    await tell({ type: 'note', text: `note: ${file}: others may read the token in it; chmod 600 ${file}` });
  }
  return chosen;
}

/**
 * The orgs and endpoints of environments, as far as they are known. A profile that this user does not have says nothing
 * of them.
 */
async function profilesOf(
  { options, environment }: Session,
  environments: Environments = new Map(),
): Promise<ReadonlyMap<string, Profile>> {
  const named = new Set([...environments.values()].flatMap(({ profile }) => (profile === undefined ? [] : [profile])));
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

/** Without `gantry.yaml`. */
export function projectWithout({ options, environment, cwd }: Session): Project {
  return { isNone: true, folder: cwd, settings: resolveSettings({ flags: options, environment, file: {} }) };
}

/** Absolute: where the settings for these PATHs are. */
export async function projectFolderOf(paths: readonly string[], cwd: string): Promise<string> {
  return projectFolder(await firstPath(paths, cwd), cwd);
}

/** Without the stack behind it. */
async function firstPath([path]: readonly string[], cwd: string): Promise<string | undefined> {
  return path === undefined ? undefined : (await splitSelector(path, cwd)).path;
}

/** A folder is itself, a file is in its folder; standard input, globs and what is not there belong to `cwd`. */
async function projectFolder(path: string | undefined, cwd: string): Promise<string> {
  if (path === undefined || path === '-') return cwd;
  const absolute = resolve(cwd, path);
  const found = await stat(absolute).catch(() => undefined);
  if (found === undefined) return cwd;
  return found.isDirectory() ? absolute : dirname(absolute);
}

/**
 * The owner's tag. `inCode`: the name that code gives the stack, which serves where the settings name none. Only on the
 * embedded platform does the folder's name serve for a stack that has no name at all.
 */
export function ownerOfProject(
  { options }: Session,
  { folder, settings }: Project,
  inCode: string | undefined = undefined,
): string {
  const name = settings.stack ?? inCode ?? (options.embedded ? stackNameOf(basename(folder)) : undefined);
  return ownerOf({ name, project: settings.project, gvc: settings.gvc });
}

interface Named {
  /** The first PATH, without a stack behind it. */
  readonly path: string;
  readonly cwd: string;
  /** Absolute: that of the settings. */
  readonly folder: string;
}

/**
 * Which settings apply, where this is not obvious: `gantry.yaml` of the current folder is ignored for a PATH elsewhere, and
 * for a file the one of its folder is read. Undefined where it is obvious: the PATH is a project folder.
 */
async function settingsNote({ path, cwd, folder }: Named): Promise<string | undefined> {
  if (folder === resolve(cwd)) return undefined;
  const [isHere, isThere] = await Promise.all([
    exists(join(cwd, settingsFileName)),
    exists(join(folder, settingsFileName)),
  ]);
  const rule = 'settings come from the folder of the first PATH';
  if (!isThere) return isHere ? `note: ${settingsFileName} in the current folder is ignored: ${rule}` : undefined;
  const way = relative(cwd, folder);
  const isProject = resolve(cwd, path) === folder;
  if (isProject || (!isHere && !way.startsWith('..'))) return undefined;
  const other = isHere ? ', not those in the current folder' : '';
  return `note: using the settings in ${join(way, settingsFileName)}, next to the first PATH${other}`;
}

import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { splitSelector } from '../inputs/stackSelector.ts';
import type { Session } from '../session/session.ts';
import { ownerOf, resolveSettings, type Settings, stackNameOf } from './settings.ts';
import { readSettingsFile } from './settingsFile.ts';

/** What is known before any manifest is read. */
export interface Project {
  /** Absolute: the folder of the first PATH, else the current one. */
  readonly folder: string;
  readonly settings: Settings;
}

export async function openProject(session: Session, paths: readonly string[]): Promise<Project> {
  const { options, environment, cwd } = session;
  const first = paths[0] === undefined ? undefined : (await splitSelector(paths[0], cwd)).path;
  const folder = await projectFolder(first, cwd);
  return { folder, settings: resolveSettings({ flags: options, environment, file: await readSettingsFile(folder) }) };
}

/** Without `gantry.yaml`. */
export function projectWithout({ options, environment, cwd }: Session): Project {
  return { folder: cwd, settings: resolveSettings({ flags: options, environment, file: {} }) };
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

import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isObject, type JsonObject, type JsonValue, own, sameJson } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import { comparePromotion, type PromotionDifference, type Side } from '../change/promotion/comparePromotion.ts';
import type { EnvironmentSide } from '../change/promotion/matchResources.ts';
import { type CarriedValue, carriedPaths, isSecretValue, type Promotion } from '../change/promotion/promotion.ts';
import { displayPath } from '../project/files/displayPath.ts';
import { systemReason } from '../project/files/fileRefusal.ts';
import { settingsFileName } from '../project/files/projectFiles.ts';
import { writeWhole } from '../project/files/writeWhole.ts';
import type { Session } from '../project/session/session.ts';
import { chooseEnvironment, type Environments } from '../project/settings/environment.ts';
import { openProject, type Project } from '../project/settings/project.ts';
import { readSettingsFile } from '../project/settings/settingsFile.ts';
import { editValues } from './editValues.ts';
import { loadManifests } from './loading/loadStack.ts';

export interface PromoteOptions {
  readonly from: string;
  readonly to: string;
  /** Carries values over, into `gantry.yaml`. */
  readonly write: boolean;
}

/**
 * Compares what two environments declare, without a platform, and carries values from one to the other.
 *
 * Errors: `promote.same`, `promote.unwritable`, `settings.environment`, and those of manifests (`input.invalid`).
 */
export async function promote(
  session: Session,
  paths: readonly string[],
  { from, to, write }: PromoteOptions,
): Promise<Promotion> {
  const project = await openBoth(session, paths, [from, to]);
  const { promotion } = project.settings;
  const compare = async () => {
    const [before, after] = [await declaredIn(session, paths, from), await declaredIn(session, paths, to)];
    return comparePromotion(before, after, promotion.mayDiffer).map((each) => shownFrom(session.cwd, each));
  };
  const differences = await compare();
  const carried = carriedValues(await readSettingsFile(project.folder), {
    ...{ from, to, differences },
    wanted: carriedPaths(differences, promotion),
  });
  if (!write || carried.length === 0) return { from, to, carried, isWritten: false, differences };
  await writeValues(project.folder, { from, to, paths: carried.map(({ path }) => path) });
  return { from, to, carried, isWritten: true, differences: await compare() };
}

/** With files as people name them. */
function shownFrom(cwd: string, { from, to, ...difference }: PromotionDifference): PromotionDifference {
  const shown = (side: Side): Side => ({
    ...side,
    at: { ...side.at, file: displayPath(resolve(cwd, side.at.file), cwd) },
  });
  return {
    ...difference,
    ...(from === undefined ? {} : { from: shown(from) }),
    ...(to === undefined ? {} : { to: shown(to) }),
  };
}

/** Errors: `settings.environment` for a name that is not there. */
async function openBoth(
  session: Session,
  paths: readonly string[],
  names: readonly [string, string],
): Promise<Project> {
  const [from, to] = names;
  const project = await openProject(withEnvironment(session, to), paths);
  const { environments } = await readSettingsFile(project.folder);
  if (environments === undefined || environments.size === 0) throw noEnvironments();
  for (const name of names) chooseEnvironment(environments, name);
  if (from === to) {
    throw new ToolError({
      code: 'promote.same',
      message: `both environments are ${from}`,
      hint: 'Name the environment to promote from, and the one to promote to.',
    });
  }
  return project;
}

function noEnvironments(): ToolError {
  return new ToolError({
    code: 'settings.environment',
    message: 'gantry.yaml has no environments',
    hint: 'Write `environments` into gantry.yaml of the project.',
  });
}

function withEnvironment(session: Session, env: string): Session {
  return { ...session, options: { ...session.options, env, offline: true } };
}

async function declaredIn(session: Session, paths: readonly string[], env: string): Promise<EnvironmentSide> {
  const named = withEnvironment(session, env);
  const { desired, org, project } = await loadManifests(named, paths, 'unread', { locateValues: true });
  return { desired, org, gvc: project.settings.gvc };
}

interface Wanted {
  readonly from: string;
  readonly to: string;
  readonly differences: readonly PromotionDifference[];
  readonly wanted: readonly (readonly string[])[];
}

/** Those of the wanted values that the environments have differently. */
function carriedValues(
  { environments }: { readonly environments?: Environments },
  { from, to, differences, wanted }: Wanted,
): readonly CarriedValue[] {
  const [source, target] = [environments?.get(from)?.values, environments?.get(to)?.values];
  return wanted.flatMap((path): readonly CarriedValue[] => {
    const [before, after] = [valueAt(source?.values, path), valueAt(target?.values, path)];
    if (before === undefined) return [];
    const isSame = sameJson(before, after) && source?.written(path) === target?.written(path);
    if (isSame) return [];
    const isSecret = isSecretValue(path, differences);
    if (isSecret) return [{ path, from: undefined, to: undefined }];
    return [{ path, from: asWritten(before, source?.written(path)), to: asWritten(after, target?.written(path)) }];
  });
}

/** `1.10` is another text than `1.1`, though the same number. */
function asWritten<T extends JsonValue | undefined>(value: T, written: string | undefined): T | string {
  return typeof value === 'number' && written !== undefined && written !== String(value) ? written : value;
}

function valueAt(values: JsonObject | undefined, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = values;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

interface ValuesToWrite {
  readonly from: string;
  readonly to: string;
  /** Below `values` of both environments. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * Writes values of one environment into another, in `gantry.yaml` of the folder: whole or not at all, with everything else
 * of the file as it is. Errors: `promote.unwritable`.
 */
export async function writeValues(folder: string, { from, to, paths }: ValuesToWrite): Promise<void> {
  const path = join(folder, settingsFileName);
  const { file, text, mode } = await read(path);
  const carries = paths.map((value) => ({
    from: ['environments', from, 'values', ...value],
    to: ['environments', to, 'values', ...value],
  }));
  const edited = editValues(text, carries);
  if (edited === undefined) {
    const names = paths.map((value) => `values.${value.join('.')}`).join(', ');
    throw unwritable(path, `${names} of ${to} cannot be changed without rewriting other lines`);
  }
  if ((await read(path)).text !== text) throw unwritable(path, 'somebody else has changed it meanwhile');
  try {
    writeWhole(file, edited, mode);
  } catch (error) {
    throw refused(path, error);
  }
}

interface Found {
  /** Where links lead. */
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

async function read(path: string): Promise<Found> {
  try {
    const file = await realpath(path);
    const { mode } = await stat(file);
    return { file, text: await readFile(file, 'utf8'), mode: mode & 0o777 };
  } catch (error) {
    throw refused(path, error);
  }
}

function refused(path: string, cause: unknown): ToolError {
  const hint = 'Correct that, and try again; gantry promote without --write lists the values.';
  return unwritable(path, systemReason(cause), { hint, cause });
}

function unwritable(
  file: string,
  why: string,
  {
    hint = 'Change these values by hand; gantry promote without --write lists them.',
    cause,
  }: { readonly hint?: string; readonly cause?: unknown } = {},
): ToolError {
  return new ToolError({
    code: 'promote.unwritable',
    message: `${file} was not changed: ${why}`,
    hint,
    place: { file },
    ...present({ cause }),
  });
}

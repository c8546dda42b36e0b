import { resolve } from 'node:path';
import { isObject, type JsonObject, type JsonValue, own, sameJson } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import { comparePromotion, type PromotionDifference, type Side } from '../change/promotion/comparePromotion.ts';
import type { EnvironmentSide } from '../change/promotion/matchResources.ts';
import { type CarriedValue, carriedPaths, isSecretValue, type Promotion } from '../change/promotion/promotion.ts';
import { displayPath } from '../project/files/displayPath.ts';
import type { Session } from '../project/session/session.ts';
import { chooseEnvironment, type Environments } from '../project/settings/environment.ts';
import { openProject, type Project } from '../project/settings/project.ts';
import { readSettingsFile } from '../project/settings/settingsFile.ts';
import { loadManifests } from './loading/loadStack.ts';
import { writeValues } from './writeValues.ts';

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

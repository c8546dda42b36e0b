import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { exists } from '../../project/files/exists.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { findInput } from '../../project/inputs/findInput.ts';
import { splitSelector } from '../../project/inputs/stackSelector.ts';
import type { Session } from '../../project/session/session.ts';
import { openProject, type Project, projectFolderOf } from '../../project/settings/project.ts';
import { settingByUser } from '../../project/settings/settingsTable.ts';
import { inputOfProgram } from '../loading/loadStack.ts';

/** The project of a saved plan. */
export interface SavedProject {
  /** The base of its inputs' paths. */
  readonly cwd: string;
  readonly project: Project;
}

/**
 * The project of the saved plans of one run, found from the working folder or else from the folder of the file. A plan
 * must not choose the limits that judge it: if the working folder has settings, they must be the project's. Errors:
 * `saved.other-project`, `saved.other-org`, `saved.other-stack`, `saved.other-environment`.
 */
export async function openSavedProject(
  given: Session,
  path: string,
  plans: readonly SavedPlan[],
): Promise<SavedProject> {
  const [saved, ...others] = plans;
  if (saved === undefined) throw new Error('a file of saved plans has one');
  const { plan, inputs } = saved; // they were made in one run
  const { environment } = inputs;
  const asked = settingByUser('env', given.options, given.environment);
  if (environment !== undefined && asked !== undefined && asked !== environment)
    throw otherEnvironment(`the environment ${environment}`, asked);
  const { cwd, folder } = await savedFolders(given.cwd, path, inputs.paths);
  await refuseOtherProject(given.cwd, folder);
  const options = environment === undefined ? given.options : { ...given.options, env: environment };
  const project = await openProject({ ...given, cwd, options }, inputs.paths);
  if (asked !== undefined && project.settings.environment === undefined && !(await isCode(inputs.paths[0], cwd)))
    throw otherEnvironment('no environment', asked);
  const org = given.options.embedded ? given.options.org : project.settings.org;
  if (org !== undefined && org !== plan.org) throw otherOrg(plan, org);
  const stack = settingByUser('stack', given.options, given.environment);
  if (stack !== undefined && (others.length > 0 || stack !== stackNameOfOwner(plan.stack)))
    throw otherStack(plans, stack);
  return { cwd, project: { ...project, settings: { ...project.settings, org: plan.org } } };
}

/** Errors: `saved.other-project`. */
async function refuseOtherProject(here: string, folder: string): Promise<void> {
  if (!(await hasOtherSettings(here, folder))) return;
  throw new ToolError({
    code: 'saved.other-project',
    message: `this plan is of the project in ${folder}, and ${here} has a gantry.yaml of its own`,
    hint: `Run it in ${folder}, if its settings and limits are those that you mean.`,
  });
}

/** Whether the input is code, which may read the name of an environment without `environments` in the settings. */
async function isCode(path: string | undefined, cwd: string): Promise<boolean> {
  if (path === undefined) return false;
  if (path === inputOfProgram) return true;
  const { type } = await findInput((await splitSelector(path, cwd)).path, cwd);
  return type === 'stack';
}

/** `name` of `name[.project][@gvc]`. */
function stackNameOfOwner(owner: string): string {
  return owner.split(/[.@]/)[0] ?? owner;
}

function otherOrg({ org }: Plan, asked: string): ToolError {
  return new ToolError({
    code: 'saved.other-org',
    message: `this plan is for the org ${org}, not ${asked}`,
    hint: 'Plan again for the other org.',
  });
}

function otherEnvironment(its: string, asked: string): ToolError {
  return new ToolError({
    code: 'saved.other-environment',
    message: `this plan is for ${its}, not ${asked}`,
    hint: 'Leave out --env (or GANTRY_ENV), or plan again for the other environment.',
  });
}

function otherStack(plans: readonly SavedPlan[], asked: string): ToolError {
  const stacks = plans.map(({ plan }) => plan.stack).join(', ');
  return new ToolError({
    code: 'saved.other-stack',
    message: `this plan is for the ${plans.length === 1 ? 'stack' : 'stacks'} ${stacks}, not ${asked}`,
    hint: 'Leave out --stack (or GANTRY_STACK), or plan again for the other stack.',
  });
}

/** Absolute paths. */
interface SavedFolders {
  /** The base of the inputs' paths. */
  readonly cwd: string;
  /** The folder of the settings. */
  readonly folder: string;
}

/** Finds the inputs of a saved plan from the working folder, or else from the folder of the file. */
async function savedFolders(here: string, file: string, paths: readonly string[]): Promise<SavedFolders> {
  const folders = [here, dirname(resolve(here, file))];
  const found = await Promise.all(folders.map((folder) => holdsInputs(folder, paths)));
  const cwd = folders[found.indexOf(true)] ?? here;
  return { cwd, folder: await projectFolderOf(paths, cwd) };
}

async function holdsInputs(folder: string, paths: readonly string[]): Promise<boolean> {
  const split = await Promise.all(paths.map((path) => splitSelector(path, folder)));
  const found = await Promise.all(split.map(({ path }) => stat(resolve(folder, path)).catch(() => undefined)));
  return found.every((each) => each !== undefined);
}

/** The paths come from the plan's file: they must not bypass the settings of the folder where it is applied. */
async function hasOtherSettings(here: string, folder: string): Promise<boolean> {
  return (await exists(join(here, settingsFileName))) && !(await isSame(here, folder));
}

/**
 * A folder in which the plan can be applied, and from which its inputs are found: the working folder if possible, else
 * the one where the plan was made, else that of its settings. `from`: the base of `paths`.
 */
export async function folderToApplyIn(
  { here, from, paths }: { readonly here: string; readonly from: string; readonly paths: readonly string[] },
  file: string,
): Promise<SavedFolders> {
  const settings = await projectFolderOf(paths, from);
  for (const folder of [here, from, settings]) {
    const found = await savedFolders(folder, file, paths);
    if (!(await isSame(found.folder, settings)) || (await hasOtherSettings(folder, settings))) continue;
    return { cwd: found.cwd, folder };
  }
  return { cwd: here, folder: here };
}

async function isSame(one: string, other: string): Promise<boolean> {
  return (await realpath(one)) === (await realpath(other));
}

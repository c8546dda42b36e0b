import { ToolError } from '../../base/toolError.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { findInput } from '../../project/inputs/findInput.ts';
import { splitSelector } from '../../project/inputs/stackSelector.ts';
import type { Session } from '../../project/session/session.ts';
import { openProject, type Project } from '../../project/settings/project.ts';
import { saidByUser } from '../../project/settings/settingsTable.ts';
import { inputOfProgram } from '../planning/planSettings.ts';
import { hasOtherSettings, savedFolders } from './savedFolders.ts';

/** Where a saved plan belongs. */
export interface SavedProject {
  /** Its inputs are found from here. */
  readonly cwd: string;
  readonly project: Project;
}

/**
 * The project that saved plans of one run belong to, from the working folder or else from that of the file. A plan does not
 * choose the limits that it is judged by: where the working folder has settings, they are those of the project. Errors:
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
  const asked = saidByUser('env', given.options, given.environment);
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
  const stack = saidByUser('stack', given.options, given.environment);
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

/** Code may take the name of an environment for its own, without `environments` in the settings. */
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

import { ToolError } from '../../../base/toolError.ts';
import { chooseStacks } from '../../../gantry/loading/chooseStacks.ts';
import { loadManifests } from '../../../gantry/loading/loadStack.ts';
import type { PlanInput } from '../../../gantry/planning/planFromPlatform.ts';
import { planSettings } from '../../../gantry/planning/planSettings.ts';
import { openPolicies } from '../../../policies/sandbox/openPolicies.ts';
import { isApp, splitSelector } from '../../../project/inputs/stackSelector.ts';
import { openPlatform } from '../../../project/platform/platform.ts';
import { openProject, ownerOfProject, type Project } from '../../../project/settings/project.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { AllOption, ApplyCommandOptions } from '../../../terminal/line/options.ts';
import { planAndApply } from '../../applying/planAndApply.ts';
import { eachStack } from '../../line/eachStack.ts';
import { observed } from '../../notifying/observed.ts';

/** Nothing of a run that only deletes is waited for. */
export type DestroyOptions = Omit<ApplyCommandOptions, 'wait' | 'waitTimeout'> & AllOption;

/** Apply with nothing desired: the same path, without a limit of deletions unless one is given. */
export function runDestroy(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'destroy', (each) => destroyStacks(each, paths));
}

async function destroyStacks(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  const project = await openProject(context, paths);
  const stacks = await stacksOf(context, paths, project);
  const platform = await openPlatform(context, project.settings);
  const planned = { ...planSettings(project.settings), policies: await openPolicies(context, project) };
  try {
    return await eachStack(stacks, context, true, (stack, each) =>
      planAndApply(
        platform,
        { ...planned, ...stack, desired: [], scope: 'whole', destroys: true },
        { ...each, options: deletingAll(each.options) },
      ),
    );
  } finally {
    await platform.close();
  }
}

/** A stack that is destroyed, and what the manifests at hand declare of it, as far as that matters. */
type Destroyed = Required<Pick<PlanInput, 'owner' | 'declaredHere' | 'namedHere'>> & Pick<PlanInput, 'others'>;

/** Of manifests that name the stack, nothing else has to be right any more. */
async function stacksOf(
  context: CommandContext<DestroyOptions>,
  paths: readonly string[],
  project: Project,
): Promise<readonly Destroyed[]> {
  const { path, stack } = await splitSelector(paths[0] ?? '.', context.cwd);
  const isNamed = stack === undefined && !context.options.all && project.settings.stack !== undefined;
  if (isNamed || !(await isApp(path, context.cwd))) {
    const owner = ownerOfProject(context, project);
    const desired = await desiredHere(context, paths, project);
    // Without a project, the stack may be another project's of the same name, unless it is named on the command line.
    const isCertain = context.options.stack !== undefined || project.settings.project !== undefined;
    const declaredHere = isCertain ? undefined : desired?.map(({ id }) => id);
    const namedHere = desired?.map(({ ref }) => ref);
    return [{ owner, declaredHere, namedHere, others: await othersOf(owner, context, paths, project) }];
  }
  const checked = await loadManifests(context, paths, 'unread', { project });
  return chooseStacks(checked, context, context.options.all)
    .map(({ owner, desired, others }) => ({
      owner,
      others,
      declaredHere: desired.map(({ id }) => id),
      namedHere: desired.map(({ ref }) => ref),
    }))
    .toReversed();
}

/** Undefined: it cannot be read. Nothing of it has to be right. */
async function desiredHere(
  { onStacks: _, ...context }: CommandContext<DestroyOptions>,
  paths: readonly string[],
  project: Project,
): Promise<PlanInput['desired'] | undefined> {
  try {
    return (await loadManifests({ ...context, tell: async () => {} }, paths, 'unread', { project })).desired;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The other stacks of the app; undefined where it cannot be read, or is none: nothing of it has to be right. */
async function othersOf(
  owner: string,
  { onStacks: _, ...context }: CommandContext<DestroyOptions>,
  paths: readonly string[],
  project: Project,
): Promise<Destroyed['others']> {
  const quiet = { ...context, tell: async () => {} };
  try {
    if (!(await isApp(paths[0] ?? '.', context.cwd))) return undefined;
    const checked = await loadManifests(quiet, paths, 'unread', { project });
    const unnamed = { ...project, settings: { ...project.settings, stack: undefined } };
    const stacks = chooseStacks({ ...checked, project: unnamed }, quiet, true);
    return stacks.find((stack) => stack.owner === owner)?.others;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The options of an apply that is a destroy. */
export function deletingAll(options: DestroyOptions): ApplyCommandOptions {
  return {
    ...options,
    wait: false,
    allowEmpty: true,
  };
}

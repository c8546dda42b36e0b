import { isApp, splitSelector } from '../../../automation/inputs/stackSelector.ts';
import { chooseStacks } from '../../../automation/loading/chooseStacks.ts';
import { loadManifests } from '../../../automation/loading/loadStack.ts';
import { planSettings } from '../../../automation/planning/planSettings.ts';
import { openPlatform } from '../../../automation/platform/platform.ts';
import { openPolicies } from '../../../automation/policies/openPolicies.ts';
import { openProject, ownerOfProject, type Project } from '../../../automation/settings/project.ts';
import type { Ending } from '../../answer/ending.ts';
import { planAndApply } from '../../applying/planAndApply.ts';
import type { CommandContext } from '../../line/context.ts';
import { eachStack } from '../../line/eachStack.ts';
import type { AllOption, ApplyCommandOptions } from '../../line/options.ts';
import { observed } from '../../observing/observed.ts';

/** Nothing of a run that only deletes is waited for. */
export type DestroyOptions = Omit<ApplyCommandOptions, 'wait' | 'waitTimeout'> & AllOption;

/** Apply with nothing desired: the same path, without a limit of deletions unless one is given. */
export function runDestroy(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'destroy', (each) => destroyStacks(each, paths));
}

async function destroyStacks(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  const project = await openProject(context, paths);
  const owners = await ownersOf(context, paths, project);
  const platform = await openPlatform(context, project.settings);
  const planned = { ...planSettings(project.settings), policies: await openPolicies(context, project) };
  try {
    return await eachStack(owners, context, true, (owner, each) =>
      planAndApply(
        platform,
        { ...planned, desired: [], owner, scope: 'whole', destroys: true },
        { ...each, options: deletingAll(each.options) },
      ),
    );
  } finally {
    await platform.close();
  }
}

/**
 * Whom it belongs to. Manifests are read only where code alone says the name: what is to be destroyed need not be right
 * any more, but for that.
 */
async function ownersOf(
  context: CommandContext<DestroyOptions>,
  paths: readonly string[],
  project: Project,
): Promise<readonly string[]> {
  const { path, stack } = await splitSelector(paths[0] ?? '.', context.cwd);
  const isNamed = stack === undefined && !context.options.all && project.settings.stack !== undefined;
  if (isNamed || !(await isApp(path, context.cwd))) return [ownerOfProject(context, project)];
  const checked = await loadManifests(context, paths, 'unread', { project });
  return chooseStacks(checked, context, context.options.all)
    .map(({ owner }) => owner)
    .toReversed();
}

/** The options of an apply that is a destroy. */
export function deletingAll(options: DestroyOptions): ApplyCommandOptions {
  return {
    ...options,
    wait: false,
    allowEmpty: true,
  };
}

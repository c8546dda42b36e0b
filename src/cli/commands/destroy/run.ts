import { openPlatform } from '../../../automation/platform/platform.ts';
import { openProject, ownerOfProject } from '../../../automation/settings/project.ts';
import type { Ending } from '../../answer/ending.ts';
import { planAndApply } from '../../applying/planAndApply.ts';
import type { CommandContext } from '../../line/context.ts';
import type { ApplyCommandOptions } from '../../line/options.ts';

/** Nothing of a run that only deletes is waited for. */
export type DestroyOptions = Omit<ApplyCommandOptions, 'wait' | 'waitTimeout'>;

/** Apply with nothing desired: the same path, without a limit of deletions unless one is given. */
export async function runDestroy(context: CommandContext<DestroyOptions>, paths: readonly string[]): Promise<Ending> {
  const project = await openProject(context, paths);
  const owner = ownerOfProject(context, project);
  const platform = await openPlatform(context, project.settings);
  const { directives, price } = project.settings;
  try {
    return await planAndApply(
      platform,
      { desired: [], owner, scope: 'whole', destroys: true, directives, price },
      { ...context, options: deletingAll(context.options) },
    );
  } finally {
    await platform.close();
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

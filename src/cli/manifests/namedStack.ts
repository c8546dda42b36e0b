import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { findInput } from '../inputs/findInput.ts';
import type { CommandContext } from '../line/context.ts';
import { openProject, ownerOfProject } from '../settings/project.ts';
import type { Settings } from '../settings/settings.ts';
import { loadStack, type OutsideWanted } from './loadStack.ts';

/** What belongs to a stack, as far as that is known without a platform. */
export interface NamedStack {
  readonly owner: string;
  readonly settings: Settings;
  /** Undefined: no manifests were read. */
  readonly desired: readonly DesiredResource[] | undefined;
  readonly scope: 'whole' | 'partial';
}

/** A stack that is named on the command line, in a folder without manifests, needs none: as for `destroy`. */
export async function namedStack(
  context: CommandContext,
  paths: readonly string[],
  values: OutsideWanted = 'read',
): Promise<NamedStack> {
  const named = paths.length === 0 && context.options.stack !== undefined;
  if (!named || (await findInput('.', context.cwd)).type !== 'problem') return loadStack(context, paths, values);
  const project = await openProject(context, paths);
  const owner = ownerOfProject(context, project);
  return { owner, settings: project.settings, desired: undefined, scope: 'partial' };
}

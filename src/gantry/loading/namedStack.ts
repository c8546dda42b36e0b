import type { DesiredResource, Output } from '../../manifest/model/manifest.ts';
import { findInput } from '../../project/inputs/findInput.ts';
import type { Session } from '../../project/session/session.ts';
import { openProject, ownerOfProject } from '../../project/settings/project.ts';
import type { Settings } from '../../project/settings/resolveSettings.ts';
import { loadStacks, type OutsideValues } from './loadStack.ts';

/** The resources of a stack that are known without a platform. */
export interface OwnedStack {
  readonly owner: string;
  /** Undefined if no manifests were read. */
  readonly desired: readonly DesiredResource[] | undefined;
  readonly outputs?: readonly Output[];
  readonly scope: 'whole' | 'partial';
}

export interface NamedStacks {
  readonly settings: Settings;
  /** In the order of applying. */
  readonly stacks: readonly OwnedStack[];
}

/**
 * The stacks that a command examines. A stack named on the command line needs no manifests in the folder, as for
 * `destroy`.
 */
export async function namedStacks(
  session: Session,
  paths: readonly string[],
  { values = 'read', all = false }: { readonly values?: OutsideValues; readonly all?: boolean },
): Promise<NamedStacks> {
  const project = await openProject(session, paths);
  const { settings } = project;
  const isNamed = paths.length === 0 && session.options.stack !== undefined;
  if (!isNamed || (await findInput('.', session.cwd)).type !== 'problem')
    return { settings, stacks: await loadStacks(session, paths, { project, values, all }) };
  const owner = ownerOfProject(session, project);
  return { settings, stacks: [{ owner, desired: undefined, scope: 'partial' }] };
}

import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { findInput } from '../inputs/findInput.ts';
import type { Session } from '../session/session.ts';
import { openProject, ownerOfProject } from '../settings/project.ts';
import type { Settings } from '../settings/settings.ts';
import { loadStack, type OutsideWanted } from './loadStack.ts';

/** What belongs to a stack, as far as that is known without a platform. */
export interface OwnedStack {
  readonly owner: string;
  /** Undefined: no manifests were read. */
  readonly desired: readonly DesiredResource[] | undefined;
  readonly scope: 'whole' | 'partial';
}

export interface NamedStack extends OwnedStack {
  readonly settings: Settings;
}

/** A stack that is named on the command line, in a folder without manifests, needs none: as for `destroy`. */
export async function namedStack(
  session: Session,
  paths: readonly string[],
  values: OutsideWanted = 'read',
): Promise<NamedStack> {
  const named = paths.length === 0 && session.options.stack !== undefined;
  if (!named || (await findInput('.', session.cwd)).type !== 'problem') return loadStack(session, paths, values);
  const project = await openProject(session, paths);
  const owner = ownerOfProject(session, project);
  return { owner, settings: project.settings, desired: undefined, scope: 'partial' };
}

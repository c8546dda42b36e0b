import { unlessToolError } from '../../base/toolError.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { openPolicies } from '../../policies/sandbox/openPolicies.ts';
import { isApp, splitSelector } from '../../project/inputs/stackSelector.ts';
import type { Session } from '../../project/session/session.ts';
import { ownerOfProject, type Project } from '../../project/settings/project.ts';
import { chooseStacks } from './chooseStacks.ts';
import { type LoadedStack, loadManifests, planSettings, savedInputs } from './loadStack.ts';
import type { PlanInput } from './planFromPlatform.ts';

/** A stack to destroy. `desired`: the readable declarations of the manifests. */
interface StackToDestroy extends Pick<PlanInput, 'owner' | 'others' | 'declaredHere'> {
  readonly desired: readonly DesiredResource[] | undefined;
}

/** A loaded stack with everything to be deleted. */
export function emptiedStack({ first: _, elsewhere: __, ...stack }: LoadedStack): LoadedStack {
  const namedHere = stack.desired.map(({ ref }) => ref);
  return { ...stack, namedHere, desired: [], outputs: [], scope: 'whole', destroys: true };
}

/**
 * The stacks to destroy, the last one first. Manifests may be invalid if a setting (`--stack`, `stack`) names the stack,
 * or if the input is not code; otherwise the stacks are taken from the code, which must be valid.
 */
export async function destroyedStacks(
  session: Session,
  project: Project,
  paths: readonly string[],
  all: boolean,
): Promise<readonly LoadedStack[]> {
  const { settings } = project;
  const stacks = await readStacksToDestroy(session, project, paths, all);
  const policies = await openPolicies(session, project);
  const common = { ...planSettings(settings), settings, policies, inputs: savedInputs(paths, settings), files: [] };
  return stacks.map(({ desired, ...stack }): LoadedStack => {
    const namedHere = desired?.map(({ ref }) => ref);
    return { ...common, ...stack, namedHere, desired: [], outputs: [], scope: 'whole', destroys: true };
  });
}

async function readStacksToDestroy(
  session: Session,
  project: Project,
  paths: readonly string[],
  all: boolean,
): Promise<readonly StackToDestroy[]> {
  const { path, stack } = await splitSelector(paths[0] ?? '.', session.cwd);
  const isNamed = stack === undefined && !all && project.settings.stack !== undefined;
  const inApp = await isApp(path, session.cwd);
  if (isNamed || !inApp) {
    const owner = ownerOfProject(session, project);
    const silentSession = { ...session, tell: () => {} };
    const checked = await unlessToolError(() => loadManifests(silentSession, paths, 'unread', { project }));
    // Without a project, another project's stack may have this name, unless the command line names it.
    const isCertain = session.options.stack !== undefined || project.settings.project !== undefined;
    const desired = checked?.desired;
    const declaredHere = isCertain ? undefined : desired?.map(({ id }) => id);
    const projectWithoutStack = { ...project, settings: { ...project.settings, stack: undefined } };
    const stacks =
      checked === undefined || !inApp
        ? undefined
        : await unlessToolError(() => chooseStacks({ ...checked, project: projectWithoutStack }, silentSession, true));
    return [{ owner, declaredHere, desired, others: stacks?.find((each) => each.owner === owner)?.others }];
  }
  const checked = await loadManifests(session, paths, 'unread', { project });
  const chosen = await chooseStacks(checked, session, all);
  return chosen
    .map(({ owner, desired, others }) => ({ owner, others, desired, declaredHere: desired.map(({ id }) => id) }))
    .toReversed();
}

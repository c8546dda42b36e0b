import { ToolError } from '../base/toolError.ts';
import type { Drift } from '../change/drift.ts';
import type { Explanation } from '../change/explanation.ts';
import { findChange, notInPlan } from '../change/findChange.ts';
import type { StackOutputs } from '../change/outputs.ts';
import type { StackStatus } from '../change/status.ts';
import type { Change } from '../plan/model/change.ts';
import { openPlatform, type Platform, type PlatformOptions } from '../project/platform/platform.ts';
import { phase, type Session } from '../project/session/session.ts';
import { openProject } from '../project/settings/project.ts';
import type { ExplainRequest } from './explainResource.ts';
import { changesOf } from './loading/changesOf.ts';
import type { LoadedStack } from './loading/loadStack.ts';
import type { OwnedStack } from './loading/namedStack.ts';
import { openStacks } from './loading/openStacks.ts';
import { type Planned, type PlanningOptions, planWithoutWriters } from './loading/planFromPlatform.ts';
import { openPlanFile } from './savedPlan/file.ts';
import { explainableOf } from './savedPlan/options.ts';

export async function driftOf(session: Session, platform: Platform, stack: OwnedStack): Promise<Drift> {
  const { readDrift } = await import('./readDrift.ts');
  const drift = await phase(session, 'read', () => readDrift(platform, stack));
  await session.tell({ type: 'drift', drift });
  return drift;
}

export async function statusOf(session: Session, platform: Platform, stack: OwnedStack): Promise<StackStatus> {
  const { readStatus } = await import('./readStatus.ts');
  return phase(session, 'read', () => readStatus(platform, stack));
}

export async function outputsOf(
  session: Pick<Session, 'tracing' | 'tell'>,
  platform: Platform,
  stack: Pick<LoadedStack, 'owner' | 'outputs'>,
): Promise<StackOutputs> {
  const { readOutputs } = await import('./readOutputs.ts');
  return phase(session, 'read', () => readOutputs(platform, stack));
}

/** Explains why a plan of these paths changes a resource or not; with several stacks, for the stack that has it. */
export async function explainPaths(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  request: ExplainRequest,
  planningOptions: PlanningOptions,
): Promise<Explanation> {
  await using opened = await openStacks(session, paths, { all: true });
  const { stacks, platform } = opened;
  const { explainResource } = await import('./explainResource.ts');
  const made: Planned[] = [];
  for (const stack of stacks) {
    const input = { ...stack, isSelectionChecked: made.length > 0, before: changesOf(made) };
    const planned = await planWithoutWriters(platform, input, { options: planningOptions });
    const isIts = planned.plan.changes.some(({ id }) => id === request.resource);
    if (isIts) return await explainResource(planned, request, platform);
    made.push(planned);
  }
  const changes = made.flatMap(({ plan }) => plan.changes);
  throw notInPlan(changes, request.resource);
}

/**
 * The same for a saved plan, which contains everything except the writers of live values: these are read if a platform
 * is given. Errors: `explain.kept`.
 */
export async function explainSaved(
  session: Session<PlatformOptions>,
  file: string,
  request: ExplainRequest,
): Promise<Explanation> {
  const { plans } = await openPlanFile(file, session);
  const saved = plans.find(({ plan }) => plan.changes.some(({ id }) => id === request.resource)) ?? plans[0];
  if (saved === undefined) throw new Error('a file of saved plans has one');
  refuseUnchanged(findChange(saved.plan, request.resource));
  const { explainResource } = await import('./explainResource.ts');
  const { settings } = await openProject(session, []);
  const isKnown = session.options.embedded || settings.endpoint !== undefined;
  const platform = isKnown ? await openPlatform(session, { ...settings, org: saved.plan.org }) : undefined;
  try {
    return await explainResource(explainableOf(saved), request, platform);
  } finally {
    await platform?.close();
  }
}

/** The file contains nothing about unchanged resources. */
function refuseUnchanged({ action, id }: Change): void {
  if (action !== 'keep') return;
  throw new ToolError({
    code: 'explain.kept',
    message: `${id} is unchanged, and a saved plan holds only what changes`,
    hint: 'Explain it from its manifests: gantry explain . RESOURCE.',
  });
}

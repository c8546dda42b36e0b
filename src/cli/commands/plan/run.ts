import { refusedPlan } from '../../../apply/run/applyErrors.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { inOneRun } from '../../../gantry/loading/chooseStacks.ts';
import { type LoadedStack, loadStacks } from '../../../gantry/loading/loadStack.ts';
import {
  openSnapshotFile,
  orgOfSnapshot,
  readSnapshotFile,
  type SnapshotPlatform,
  sealedNote,
} from '../../../gantry/loading/snapshotFile.ts';
import { loadStacksOnPlatform, type StacksOnPlatform } from '../../../gantry/loading/stackOnPlatform.ts';
import { type Planned, planFromPlatform } from '../../../gantry/planning/planFromPlatform.ts';
import { savedInputs } from '../../../gantry/planning/planSettings.ts';
import { refusedByRehearsal } from '../../../gantry/planning/refusedByRehearsal.ts';
import { rehearsePlanned } from '../../../gantry/planning/rehearsePlanned.ts';
import type { Plan } from '../../../plan/model/plan.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import { orgOf, type Platform } from '../../../project/platform/platform.ts';
import { phase } from '../../../project/session/tracing.ts';
import { openProject } from '../../../project/settings/project.ts';
import type { SavedState } from '../../../rehearsal/savedState.ts';
import type { Signing } from '../../../signing/signPlan.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { rehearseIfAsked } from '../../applying/rehearseIfAsked.ts';
import { showRehearsed } from '../../applying/showRehearsed.ts';
import { eachStack } from '../../line/eachStack.ts';
import { observed } from '../../notifying/observed.ts';
import { planNote } from '../../notifying/planNote.ts';
import { saveIfAsked } from '../../savedPlan/saveIfAsked.ts';
import { openSigning } from '../../savedPlan/signing.ts';
import type { PlanCommandOptions } from './options.ts';

export function runPlan(context: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'plan', (each) => planStacks(each, paths));
}

async function planStacks(given: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<Ending> {
  const signing = await openSigning(given);
  const { snapshot } = given.options;
  const document = snapshot === undefined ? undefined : await readSnapshotFile(snapshot, given);
  const org = document === undefined ? undefined : await orgOfSnapshot(document, given, paths);
  const context = org === undefined ? given : { ...given, options: { ...given.options, org } };
  const { stacks, platform }: StacksOnPlatform & { readonly platform: Partial<SnapshotPlatform> } =
    document === undefined
      ? await phase(context, 'load', () => loadStacksOnPlatform(context, paths, context.options.all))
      : await phase(context, 'load', () => loadStacksOnSnapshot(document, context, paths));
  try {
    if (stacks.length > 1) refuseOneStackOptions(context);
    const run = inOneRun(stacks);
    return await eachStack(run, context, false, (stack, each) =>
      planStack(stack, platform, each, { paths, signing, isFirst: stack === run[0] }),
    );
  } finally {
    await platform.close();
  }
}

interface StackPlanning {
  readonly paths: readonly string[];
  readonly signing: Signing | undefined;
  /** Of several stacks. */
  readonly isFirst: boolean;
}

async function planStack(
  stack: LoadedStack,
  platform: Platform & Partial<SnapshotPlatform>,
  context: CommandContext<PlanCommandOptions>,
  { paths, signing, isFirst }: StackPlanning,
): Promise<Ending> {
  const { options } = context;
  const isRehearsed = options.rehearse !== undefined;
  const input = { ...stack, isRehearsed, isSelectionChecked: !isFirst };
  const planned = await phase(context, 'plan', () => planFromPlatform(platform, input, context));
  const { plan } = planned;
  context.onStack?.(planNote(plan));
  tellSealed(planned, platform.given, context);
  if (isFirst) await tellProject(stack, plan, context);
  const rehearsal = isRehearsed
    ? await phase(context, 'rehearse', () => rehearseOn(platform, planned, context))
    : undefined;
  await showRehearsed(planned, rehearsal, context);
  await context.reports?.prove(planned);
  const refused = refusedPlan(plan) ?? refusedByRehearsal(rehearsal);
  await saveIfAsked(planned, context, {
    inputs: savedInputs(paths, stack.settings),
    from: context.cwd,
    refused: refused !== undefined,
    settings: stack.settings,
    signing,
  });
  if (refused !== undefined) return refused;
  const isDone = isEmptyPlan(plan) && plan.waiting === undefined;
  return options.detailedExitcode && !isDone ? exitCode.changes : exitCode.ok;
}

/** On what was read, or on the whole state where a file holds it. */
function rehearseOn(
  { given }: Partial<SnapshotPlatform>,
  planned: Planned,
  context: CommandContext<PlanCommandOptions>,
) {
  const base = given === undefined ? {} : { base: given.base };
  return rehearseIfAsked(planned.plan, context, (how) => rehearsePlanned(planned, { ...how, ...base }));
}

function refuseOneStackOptions({ options }: CommandContext<PlanCommandOptions>): void {
  const option = options.out !== undefined ? '--out' : options.rehearse !== undefined ? '--rehearse' : undefined;
  if (option === undefined) return;
  throw new UsageError(`${option} takes the plan of one stack`, 'Name one stack behind the path, as in shop/network.');
}

async function loadStacksOnSnapshot(
  document: JsonObject,
  context: CommandContext<PlanCommandOptions>,
  paths: readonly string[],
): Promise<StacksOnPlatform & { readonly platform: SnapshotPlatform }> {
  const project = await openProject(context, paths);
  const stacks = await loadStacks(context, paths, { project, all: context.options.all });
  return { stacks, platform: await openSnapshotFile(document, orgOf(context, project.settings)) };
}

/** On the embedded platform of a folder there are no other projects. */
async function tellProject(
  { settings, scope, owner, desired }: LoadedStack,
  { changes, org }: Plan,
  { options, terminal }: CommandContext<PlanCommandOptions>,
): Promise<void> {
  if (settings.project !== undefined || scope !== 'whole' || options.embedded || options.snapshot !== undefined) return;
  const { projectFor } = await import('../../../project/settings/newProject.ts');
  const ids = desired.map(({ id }) => id).sort();
  const declared = new Set(ids);
  const owns = changes.some(({ id, action }) => action !== 'create' && action !== 'refuse' && declared.has(id));
  terminal.message(
    `note: another project with the stack name ${owner} in the org ${org} would own the same resources; to make the name ` +
      `unique, add \`project: ${projectFor(org, owner, ids)}\` to gantry.yaml${owns ? ', and apply once with --adopt' : ''}`,
  );
}

function tellSealed(
  { snapshot }: Planned,
  given: SavedState | undefined,
  { options, terminal }: CommandContext<PlanCommandOptions>,
): void {
  if (given === undefined || options.snapshot === undefined) return;
  const note = sealedNote(options.snapshot, snapshot.unrevealed, given);
  if (note !== undefined) terminal.message(note);
}

import type { Explainable } from '../../change/explainChange.ts';
import type { NewPlan } from '../../gantry/gantry.ts';
import { changesOf } from '../../gantry/loading/changesOf.ts';
import type { LoadedStack } from '../../gantry/loading/loadStack.ts';
import { type OpenedStacks, openStacks, sealedNote } from '../../gantry/loading/openStacks.ts';
import { type PlanStackOptions, planStack, Rehearsals } from '../../gantry/plan.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { StepEvent } from '../../project/session/event.ts';
import type { SavedState } from '../../rehearsal/savedState.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type {
  AllOption,
  GlobalOptions,
  NotifyOptions,
  PermitOptions,
  PlanTextOptions,
  RehearseOption,
  SignOptions,
} from '../../terminal/options.ts';
import { eachStack } from '../steps/eachStack.ts';
import { withTraceAndNotices } from '../steps/observed.ts';
import { rehearseOf, showPlan } from '../steps/rehearsalText.ts';
import { saveIfAsked } from '../steps/saveIfAsked.ts';
import { openSigning } from '../steps/signing.ts';

export interface PlanCommandOptions
  extends GlobalOptions,
    AllOption,
    PermitOptions,
    PlanTextOptions,
    RehearseOption,
    SignOptions,
    NotifyOptions {
  readonly wait: boolean;
  readonly detailedExitcode: boolean;
  /** The file to save the plan to. */
  readonly out?: string;
  /** A file with the live state, in the form of `GET /-snapshot`, instead of network requests. */
  readonly snapshot?: string;
}

export function runPlan(context: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<Ending> {
  return withTraceAndNotices(context, 'plan', (each) => planStacks(each, paths));
}

async function planStacks(context: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<Ending> {
  const signing = await openSigning(context);
  await using opened = await openStacks(context, paths, context.options);
  const { stacks, platform } = opened;
  const made: NewPlan[] = [];
  const rehearsals = new Rehearsals();
  const ending = await eachStack(stacks, context, { count: stacks.length, isPaged: true }, async (stack, each) => {
    const isFirst = stack === stacks[0];
    const how = { isFirst, isSigned: signing !== undefined, rehearsals, before: changesOf(made) };
    const plan = await showStack(stack, platform, each, how);
    made.push(plan);
    if (plan.refused !== undefined) return plan.refused;
    const isDone = plan.isEmpty && plan.plan.waiting === undefined;
    return context.options.detailedExitcode && !isDone ? exitCode.changes : exitCode.ok;
  });
  await saveIfAsked(made, context, { from: context.cwd, signing });
  return ending;
}

async function showStack(
  stack: LoadedStack,
  platform: OpenedStacks['platform'],
  context: CommandContext<PlanCommandOptions>,
  { isFirst, ...how }: Pick<PlanStackOptions, 'isSigned' | 'rehearsals' | 'before'> & { readonly isFirst: boolean },
): Promise<NewPlan> {
  const { options } = context;
  async function tell(event: StepEvent): Promise<void> {
    if (event.type === 'plan') {
      tellSealed(event.from, platform.savedState, context);
      if (isFirst) await tellProject(stack, event.plan, context);
    }
    await context.tell(event);
  }
  const made = await planStack({ ...context, tell }, platform, stack, {
    ...how,
    permits: options,
    rehearse: rehearseOf(options),
    isSelectionChecked: !isFirst,
  });
  await showPlan(made, context);
  return made;
}

/**
 * Suggests a `project` for a stack without one. Not with the embedded platform of a folder, which has no other
 * projects, nor for a part of the manifests or a snapshot file.
 */
async function tellProject(
  { settings, scope, owner, desired }: LoadedStack,
  { changes, org }: Plan,
  { options, terminal }: CommandContext<PlanCommandOptions>,
): Promise<void> {
  if (settings.project !== undefined || scope !== 'whole' || options.embedded || options.snapshot !== undefined) return;
  const { derivedProjectId } = await import('../../project/settings/newProject.ts');
  const ids = desired.map(({ id }) => id).sort();
  const declared = new Set(ids);
  const owns = changes.some(({ id, action }) => action !== 'create' && action !== 'refuse' && declared.has(id));
  terminal.message(
    `note: another project with the stack name ${owner} in the org ${org} would own the same resources; to make the name ` +
      `unique, add \`project: ${derivedProjectId(org, owner, ids)}\` to gantry.yaml${owns ? ', and apply once with --adopt' : ''}`,
  );
}

function tellSealed(
  from: Explainable | undefined,
  given: SavedState | undefined,
  { options, terminal }: CommandContext<PlanCommandOptions>,
): void {
  if (from === undefined || given === undefined || options.snapshot === undefined) return;
  const note = sealedNote(options.snapshot, from.snapshot.unrevealed, given);
  if (note !== undefined) terminal.message(note);
}

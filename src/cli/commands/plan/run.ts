import { refusedPlan } from '../../../apply/run/applyErrors.ts';
import { loadStack } from '../../../automation/loading/loadStack.ts';
import {
  openSnapshotFile,
  orgOfSnapshot,
  readSnapshotFile,
  type SnapshotPlatform,
  sealedNote,
} from '../../../automation/loading/snapshotFile.ts';
import { loadStackOnPlatform, type StackOnPlatform } from '../../../automation/loading/stackOnPlatform.ts';
import { type Planned, planFromPlatform } from '../../../automation/planning/planFromPlatform.ts';
import { orgOf } from '../../../automation/platform/platform.ts';
import { ToolError } from '../../../errors/toolError.ts';
import { planToJson } from '../../../plan/documents/planToJson.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import type { SavedInputs } from '../../../plan/saved/savedPlan.ts';
import { type Rehearsal, rehearsalToJson } from '../../../rehearsal/rehearsal.ts';
import type { SavedState } from '../../../rehearsal/savedState.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import { planText } from '../../planText/showPlan.ts';
import { exitCode } from '../../process/exitCode.ts';
import { saveIfAsked } from '../../savedPlan/saveIfAsked.ts';
import type { PlanCommandOptions } from './options.ts';
import { renderRehearsal } from './rehearsalText.ts';
import { rehearsePlan } from './rehearsePlan.ts';

export async function runPlan(given: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<Ending> {
  const { snapshot } = given.options;
  const document = snapshot === undefined ? undefined : await readSnapshotFile(snapshot, given);
  const org = document === undefined ? undefined : await orgOfSnapshot(document, given, paths);
  const context = org === undefined ? given : { ...given, options: { ...given.options, org } };
  const { options } = context;
  const { stack, platform }: StackOnPlatform & { readonly platform: Partial<SnapshotPlatform> } =
    document === undefined
      ? await loadStackOnPlatform(context, paths)
      : await loadStackOnSnapshot(document, context, paths);
  try {
    const planned = await planFromPlatform(platform, stack, context);
    const { plan } = planned;
    tellSealed(planned, platform.given, context);
    const rehearsal = await rehearsePlan(planned, platform.given, context);
    await showPlan(planned, rehearsal, context);
    const refused = refusedPlan(plan) ?? refusedByRehearsal(rehearsal);
    await saveIfAsked(planned, inputsOf(paths, stack.settings.gvc), refused !== undefined, context);
    if (refused !== undefined) return refused;
    return options.detailedExitcode && !isEmptyPlan(plan) ? exitCode.changes : exitCode.ok;
  } finally {
    await platform.close();
  }
}

async function loadStackOnSnapshot(
  document: JsonObject,
  context: CommandContext<PlanCommandOptions>,
  paths: readonly string[],
): Promise<StackOnPlatform & { readonly platform: SnapshotPlatform }> {
  const stack = await loadStack(context, paths);
  return { stack, platform: await openSnapshotFile(document, orgOf(context, stack.settings)) };
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

function inputsOf(paths: readonly string[], gvc: string | undefined): SavedInputs {
  return { paths: paths.length === 0 ? ['.'] : paths, ...(gvc === undefined ? {} : { gvc }) };
}

function showPlan(
  { plan, desired }: Planned,
  rehearsal: Rehearsal | undefined,
  context: CommandContext<PlanCommandOptions>,
): Promise<void> {
  return show(context, {
    async text() {
      const text = await planText(plan, context);
      return rehearsal === undefined ? text : `${text}\n\n${renderRehearsal(rehearsal, context.terminal.palette)}`;
    },
    document: () => ({
      ...planToJson(plan, desired),
      ...(rehearsal === undefined ? {} : { rehearsal: rehearsalToJson(rehearsal) }),
    }),
  });
}

function refusedByRehearsal(rehearsal: Rehearsal | undefined): ToolError | undefined {
  if (rehearsal?.problem === undefined) return undefined;
  return new ToolError({
    code: 'plan.rehearsal',
    message: 'the plan is refused: it is not consistent in rehearsal',
    hint: 'Correct the differences that the rehearsal lists, or report them.',
  });
}

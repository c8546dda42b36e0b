import { isEmptyPlan, isRefused } from '../../plan/makePlan.ts';
import { planToJson } from '../../plan/planToJson.ts';
import type { SavedInputs } from '../../plan/saved/savedPlan.ts';
import type { GivenState } from '../../rehearsal/givenState.ts';
import { type Rehearsal, rehearsalToJson } from '../../rehearsal/rehearsal.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { formatted } from '../formatted.ts';
import { loadStack } from '../loadStack.ts';
import type { PlanCommandOptions } from '../options.ts';
import { planText } from '../planOutput.ts';
import { type Planned, planOn } from '../planning.ts';
import { openPlatform, orgOf, type Platform } from '../platform.ts';
import { rehearsePlan } from '../rehearsePlan.ts';
import { renderRehearsal } from '../render/rehearsalText.ts';
import { keepIfAsked } from '../savedPlan/keep.ts';
import { openSnapshotFile, readSnapshotFile, sealedNote, type SnapshotPlatform, withOrgOf } from '../snapshotFile.ts';

export async function runPlan(given: CommandContext<PlanCommandOptions>, paths: readonly string[]): Promise<number> {
  const { snapshot } = given.options;
  const document = snapshot === undefined ? undefined : await readSnapshotFile(snapshot, given);
  const context = document === undefined ? given : await withOrgOf(document, given, paths);
  const { options, terminal } = context;
  const stack = await loadStack(context, paths);
  if (stack === undefined) return exitCode.failed;

  const platform: Platform & Partial<SnapshotPlatform> =
    document === undefined
      ? await openPlatform(context, stack.settings)
      : await openSnapshotFile(document, orgOf(context, stack.settings));
  try {
    const planned = await planOn(platform, stack, context);
    const { plan } = planned;
    tellSealed(planned, platform.given, context);
    const rehearsal = await rehearsePlan(planned, platform.given, context);
    terminal.result(await textOf(planned, rehearsal, context));
    const refused = isRefused(plan) || rehearsal?.problem !== undefined;
    await keepIfAsked(planned, inputsOf(paths, stack.settings.gvc), refused, context);
    if (refused) return exitCode.failed;
    return options.detailedExitcode && !isEmptyPlan(plan) ? exitCode.changes : exitCode.ok;
  } finally {
    await platform.close();
  }
}

function tellSealed(
  { snapshot }: Planned,
  given: GivenState | undefined,
  { options, terminal }: CommandContext<PlanCommandOptions>,
): void {
  if (given === undefined || options.snapshot === undefined) return;
  const note = sealedNote(options.snapshot, snapshot.unrevealed, given);
  if (note !== undefined) terminal.message(note);
}

function inputsOf(paths: readonly string[], gvc: string | undefined): SavedInputs {
  return { paths: paths.length === 0 ? ['.'] : paths, ...(gvc === undefined ? {} : { gvc }) };
}

async function textOf(
  { plan, desired }: Planned,
  rehearsal: Rehearsal | undefined,
  context: CommandContext<PlanCommandOptions>,
): Promise<string> {
  const { options, terminal } = context;
  if (options.output === 'text') {
    const text = await planText(plan, context);
    return rehearsal === undefined ? text : `${text}\n\n${renderRehearsal(rehearsal, terminal.palette)}`;
  }
  const document = planToJson(plan, desired);
  const shown = rehearsal === undefined ? document : { ...document, rehearsal: rehearsalToJson(rehearsal) };
  return formatted(shown, options.output);
}

import { isEmptyPlan, isRefused } from '../../plan/makePlan.ts';
import type { Plan } from '../../plan/plan.ts';
import { planToJson } from '../../plan/planToJson.ts';
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
import { openSnapshotFile, readSnapshotFile, type SnapshotPlatform, withOrgOf } from '../snapshotFile.ts';

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
    const rehearsal = await rehearsePlan(planned, platform.given, context);
    terminal.result(await textOf(plan, rehearsal, context));
    const refused = isRefused(plan) || rehearsal?.problem !== undefined;
    await keepIfAsked(planned, { paths, gvc: stack.settings.gvc, refused }, context);
    if (refused) return exitCode.failed;
    return options.detailedExitcode && !isEmptyPlan(plan) ? exitCode.changes : exitCode.ok;
  } finally {
    await platform.close();
  }
}

interface Kept {
  readonly paths: readonly string[];
  readonly gvc: string | undefined;
  readonly refused: boolean;
}

/** `--out`: what is refused is not kept, so that nobody can apply it. */
async function keepIfAsked(
  planned: Planned,
  { paths, gvc, refused }: Kept,
  context: CommandContext<PlanCommandOptions>,
): Promise<void> {
  const { options, terminal } = context;
  const { out } = options;
  if (out === undefined) return;
  if (refused) {
    terminal.message(`The plan is refused, so it was not kept in ${out}.`);
    return;
  }
  const { keepPlan } = await import('../savedPlanFile.ts');
  await keepPlan(planned, { paths: paths.length === 0 ? ['.'] : paths, gvc, out }, context);
  terminal.message(`The plan is kept in ${out}: gantry apply ${out}`);
}

async function textOf(
  plan: Plan,
  rehearsal: Rehearsal | undefined,
  context: CommandContext<PlanCommandOptions>,
): Promise<string> {
  const { options, terminal } = context;
  if (options.output === 'text') {
    const text = await planText(plan, context);
    return rehearsal === undefined ? text : `${text}\n\n${renderRehearsal(rehearsal, terminal.palette)}`;
  }
  const document = planToJson(plan);
  const shown = rehearsal === undefined ? document : { ...document, rehearsal: rehearsalToJson(rehearsal) };
  return formatted(shown, options.output);
}

import type { SavedInputs } from '../../plan/saved/savedPlan.ts';
import type { PlanToSave } from '../../plan/saved/savedPlanOf.ts';
import type { CommandContext } from '../line/context.ts';
import type { GlobalOptions } from '../line/options.ts';

/** `--out FILE`. A refused plan is not saved, so that nobody can apply it. */
export async function saveIfAsked(
  planned: PlanToSave,
  inputs: SavedInputs,
  refused: boolean,
  context: CommandContext<GlobalOptions & { readonly out?: string }>,
): Promise<void> {
  const { options, terminal } = context;
  const { out } = options;
  if (out === undefined) return;
  if (refused) {
    terminal.message(`The plan is refused, so it was not saved to ${out}.`);
    return;
  }
  const { savePlan } = await import('../../automation/savedPlan/file.ts');
  await savePlan(planned, inputs, out, context);
  terminal.message(`The plan is saved in ${out}: gantry apply ${out}`);
}

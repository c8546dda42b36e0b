import type { SavedPlan } from '../../plan/saved/savedPlan.ts';
import type { CommandContext } from '../line/context.ts';

/** What a saved plan holds of live records is enough to prove its patches again, for reports. */
export async function proveSaved(saved: SavedPlan, { reports }: Pick<CommandContext, 'reports'>): Promise<void> {
  if (reports === undefined) return;
  const { explainableOf } = await import('../../automation/reading/explainResource.ts');
  await reports.prove(explainableOf(saved));
}

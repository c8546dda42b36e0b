import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import type { CommandContext } from '../../terminal/line/context.ts';

/** What a saved plan holds of live records is enough to prove its patches again, for reports. */
export async function proveSaved(saved: SavedPlan, { reports }: Pick<CommandContext, 'reports'>): Promise<void> {
  if (reports === undefined) return;
  const { explainableOf } = await import('../../gantry/reading/explainResource.ts');
  await reports.prove(explainableOf(saved));
}

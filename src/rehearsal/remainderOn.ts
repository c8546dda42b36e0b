import { progressOfAll, remainingPlan } from '../apply/resume.ts';
import type { Replan } from '../apply/run/run.ts';
import { fetchSnapshot, withClosures } from '../client/fetchSnapshot.ts';
import type { Plan } from '../plan/model/plan.ts';
import { gvcsToList } from '../plan/reading/gvcsToList.ts';
import { makeReplan } from '../plan/replan.ts';
import { asPromised } from './asPromised.ts';
import type { RehearsalInput } from './input.ts';
import type { Stage } from './stage.ts';

/** What the current state of the stage leaves of the plan, as of one that was saved. */
export async function remainderOn(
  { client }: Stage,
  { request, plan, desired, options, snapshot }: RehearsalInput,
): Promise<{ readonly plan: Plan; readonly replan: Replan }> {
  const read = asPromised(await fetchSnapshot(client, request), snapshot);
  const now = await withClosures(client, read, gvcsToList(plan, read));
  const replan = makeReplan(desired, now, options);
  return { plan: remainingPlan(plan, progressOfAll(plan, now, replan)), replan };
}

import { type Circumstances, refuseBeyondLimits, refuseNow } from '../../plan/checks/refusePlan.ts';
import type { Refusal } from '../../plan/model/change.ts';
import type { Limits } from '../../plan/model/limits.ts';
import type { SavedPlan } from './savedPlan.ts';

/**
 * The reasons against applying a saved plan now: the limits that its environment has now, and those that it had when
 * the plan was made. Neither loosens the other.
 */
export function refuseSaved(
  { plan, options }: Pick<SavedPlan, 'plan' | 'options'>,
  limitsNow: readonly Limits[],
  { nowMs, isSigned }: Pick<Circumstances, 'nowMs' | 'isSigned'>,
): readonly Refusal[] {
  const circumstances = { nowMs, isSigned, isRehearsed: options.rehearsed === true };
  const all = [...limitsNow, ...(options.limits ?? [])];
  return [...refuseBeyondLimits(plan, all), ...refuseNow(all, circumstances)];
}
